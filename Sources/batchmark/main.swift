// The executable: the commands, with the engines this package brings.
import BatchmarkCLI
import Engines

Batchmark.main(engines: BuiltInEngines.all)

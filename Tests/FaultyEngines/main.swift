// An executable with its own engine, like any user of the harness can write.
import BatchmarkCLI
import Engines

Batchmark.main(engines: BuiltInEngines.all + [FaultyEngine()])

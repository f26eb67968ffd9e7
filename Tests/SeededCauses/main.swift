// An executable whose engine does additional work depending on the name of its file: `pair` must name it as the cause.
import BatchmarkCLI
import Engines

Batchmark.main(engines: BuiltInEngines.all + [SeededEngine()])

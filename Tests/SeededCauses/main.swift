// An executable whose engine does more of one thing where the name of its file says so: what `pair` must name as the cause.
import BatchmarkCLI
import Engines

Batchmark.main(engines: BuiltInEngines.all + [SeededEngine()])

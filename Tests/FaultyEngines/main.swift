// An executable with an engine of its own, as any user of the harness can write one.
import BatchmarkCLI
import Engines

Batchmark.main(engines: BuiltInEngines.all + [FaultyEngine()])

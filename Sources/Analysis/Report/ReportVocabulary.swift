// Re-exports the modules with the types of a report: cells and metrics, samples and machines, intervals, models and
// inspections, paths. A renderer uses them through Analysis and imports none of them itself, which a test checks.

@_exported public import BatchmarkEngine
@_exported public import CoreDataFiles
@_exported public import CoreDataModel
@_exported public import Harness
@_exported public import Instruments
@_exported public import ObjectGraph
@_exported public import Scenarios
@_exported public import Statistics
@_exported public import SystemPackage

// What the values of a report are made of: cells and metrics, samples and machines, intervals, models and inspections, paths. A
// renderer sees these modules through Analysis, and imports nothing else of them: what Package.swift and the check of imports in
// scripts/test hold it to.

@_exported public import BatchmarkEngine
@_exported public import CoreDataFiles
@_exported public import CoreDataModel
@_exported public import Harness
@_exported public import Instruments
@_exported public import ObjectGraph
@_exported public import Scenarios
@_exported public import Statistics
@_exported public import SystemPackage

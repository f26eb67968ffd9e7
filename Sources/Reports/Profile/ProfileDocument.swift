// A profile as `profile` prints it for programs: stages and statements. Stacks are in the folder's files.
package import Analysis

/// The time and the allocations of a cell, by stage and statement.
package struct ProfileDocument: CommandDocument {
  package static let title = "Where the time and the allocations of a cell go"

  struct PhaseEntry: Codable {
    var phase: String
    var rows: Int
    /// The median of its time without any instrument.
    var seconds: Double?
    /// Every stage, the time outside of stages, the tracer's own time, and the whole phase.
    var stages: [ProfileStage]
    /// Every SQL text, the longest time first; absent if statements were not recorded.
    var statements: [SQLCost]?
    var stackSamples: Int
    var heapPeakBytes: Int64?
  }

  struct Gap: Codable {
    /// Absent for a worker without an instrument.
    var instrument: ProfileInstrument?
    var reason: String
  }

  var cell: String
  var rows: Int
  var isInterrupted: Bool
  var phases: [PhaseEntry]
  /// Instruments that do not work here, and workers that failed.
  var gaps: [Gap]
  /// The page in Markdown; all other files are next to it.
  var page: String

  package init(_ results: ProfileResults, page: String) {
    (cell, rows, isInterrupted, self.page) = (results.cell.id, results.rows, results.isInterrupted, page)
    phases = results.phases.map {
      PhaseEntry(
        phase: $0.phase.rawValue, rows: $0.rows, seconds: $0.plainSeconds, stages: ProfileStage.lines(of: $0),
        statements: $0.statements, stackSamples: $0.stackSamples, heapPeakBytes: $0.heapPeakBytes)
    }
    let unavailable = ProfileInstrument.allCases.compactMap { instrument in
      results.unavailable[instrument].map { Gap(instrument: instrument, reason: $0) }
    }
    gaps = unavailable + results.failures.map { Gap(instrument: $0.instrument, reason: $0.failure.reason) }
  }
}

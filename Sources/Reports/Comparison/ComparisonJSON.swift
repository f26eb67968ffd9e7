// Comparisons of stored results as JSON for programs: the verdicts and every exact figure of both sides.
package import Analysis

/// Writes comparisons of stored results for programs.
package enum ComparisonJSON {
  /// The version of the layout.
  static let schemaVersion = 1

  struct File: Codable {
    var schemaVersion: Int
    var head: String
    var comparisons: [Entry]
  }

  struct Entry: Codable {
    var base: String
    /// `nil` if the two cannot be compared.
    var verdict: Verdict?
    var obstacles: [String]
    var environment: [EnvironmentDifference]
    var failedSamples: Int
    var cells: [Cell]
  }

  struct Cell: Codable {
    var cell: String
    var verdict: Verdict
    var figures: [Figure]
  }

  struct Figure: Codable {
    var phase: Phase
    var metric: MetricID
    var base: Int64
    var head: Int64
    var verdict: Verdict
  }

  /// The text; `head` is the user's name for the judged result.
  ///
  /// - Throws: ``ReportError`` if it cannot be encoded.
  package static func render(_ comparisons: [NamedComparison], head: String) throws(ReportError) -> String {
    try StoredJSON.render(file(comparisons, head: head), file: "the comparison")
  }

  static func file(_ comparisons: [NamedComparison], head: String) -> File {
    File(schemaVersion: schemaVersion, head: head, comparisons: comparisons.map(entry))
  }

  private static func entry(_ one: NamedComparison) -> Entry {
    let comparison = one.comparison
    return Entry(
      base: one.base, verdict: comparison.obstacles.isEmpty ? comparison.overall : nil,
      obstacles: comparison.obstacles, environment: comparison.environment, failedSamples: comparison.failures,
      cells: comparison.cells.map { cell in
        Cell(
          cell: cell.base.cell.id, verdict: cell.verdict,
          figures: cell.figures.map {
            Figure(phase: $0.phase, metric: $0.metric, base: $0.base, head: $0.head, verdict: $0.verdict)
          })
      })
  }
}

extension StoredSchemas {
  /// The output of `compare --format json`.
  package static var comparison: JSONSchema {
    root(.decoded(by: ComparisonJSON.File.self), "Stored results compared", version: ComparisonJSON.schemaVersion)
  }
}

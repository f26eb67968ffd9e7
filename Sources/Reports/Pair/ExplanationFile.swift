// explanation.json: the causes of each comparison's change, for programs, computed again from pair.json.
package import Analysis

/// The file with all causes that were found.
enum ExplanationFile {
  static let name = "explanation.json"

  /// The version of the file's layout.
  static let schemaVersion = 1

  struct File: Codable {
    var schemaVersion: Int
    var runID: String
    var comparisons: [Entry]
  }

  struct Entry: Codable {
    var cell: String
    var baseCell: String
    var verdict: Verdict
    /// The first cause as text, or why none is known.
    var sentence: String
    var explanation: PairExplanation
  }

  /// The file's text; `nil` if nothing needs an explanation.
  ///
  /// - Throws: ``ReportError`` if it cannot be encoded.
  static func render(_ results: PairResults) throws(ReportError) -> String? {
    let entries = results.comparisons.compactMap { comparison in
      comparison.explanation(results.rules).map {
        Entry(
          cell: comparison.headCell.id, baseCell: comparison.baseCell.id,
          verdict: results.verdict(of: comparison), sentence: PairText.FirstCause($0, of: comparison).sentence,
          explanation: $0)
      }
    }
    if entries.isEmpty { return nil }
    return try render(File(schemaVersion: schemaVersion, runID: results.run.runID, comparisons: entries))
  }

  static func render(_ file: File) throws(ReportError) -> String { try StoredJSON.render(file, file: name) }
}

extension StoredSchemas {
  /// `explanation.json`.
  package static var explanation: JSONSchema {
    root(
      .decoded(by: ExplanationFile.File.self), "The causes of a paired comparison's changes",
      version: ExplanationFile.schemaVersion)
  }
}

// pair.json: every sample of a paired comparison and the rules it went by; verdicts are worked out of it again.
internal import Analysis
package import Harness

/// The file that holds a whole comparison.
package enum PairFile {
  /// The file's text.
  ///
  /// - Throws: ``ReportError`` when the results cannot be encoded.
  package static func render(_ results: PairResults) throws(ReportError) -> String {
    try StoredJSON.render(results, file: "pair.json")
  }

  /// Reads results that `render` wrote.
  ///
  /// - Throws: ``ReportError`` when the file cannot be read, is not such a file, or has another schema version.
  package static func read(_ path: String) throws(ReportError) -> PairResults {
    try StoredJSON.read(PairResults.self, at: path, schemaVersion: PairResults.schemaVersion)
  }
}

// pair.json: every sample of a paired comparison, and its rules. Verdicts are computed again when it is read.
package import Analysis

/// The file with a whole comparison.
package enum PairFile {
  /// The file's text.
  ///
  /// - Throws: ``ReportError`` if the results cannot be encoded.
  package static func render(_ results: PairResults) throws(ReportError) -> String {
    try StoredJSON.render(results, file: "pair.json")
  }

  /// Reads results that `render` wrote.
  ///
  /// - Throws: ``ReportError`` if the file cannot be read, is not such a file, has another schema version, or contains
  ///   an impossible figure.
  package static func read(_ path: String) throws(ReportError) -> PairResults {
    let results = try StoredJSON.read(PairResults.self, at: path, schemaVersion: PairResults.schemaVersion)
    if let found = results.excessiveFigure {
      throw ReportError(file: path, problem: .notResults(details: "\(found)"))
    }
    return results
  }
}

// results.json: all results of a run, written so that equal results give the same bytes, and read back.
package import Analysis
internal import Support

/// The file with all results.
package enum ResultsFile {
  /// The file's text.
  ///
  /// - Throws: ``ReportError`` if the results cannot be encoded.
  package static func render(_ results: Report) throws(ReportError) -> String {
    try render(RunAnalysis(results))
  }

  /// The same for results that have been analyzed.
  ///
  /// - Throws: ``ReportError`` if the results cannot be encoded.
  static func render(_ run: RunAnalysis) throws(ReportError) -> String {
    var results = run.results
    results.warnings = run.warnings.map(\.record)
    return try StoredJSON.render(results, file: ReportWriter.File.results.rawValue)
  }

  /// Reads results that `render` wrote, in this version or an earlier one.
  ///
  /// - Throws: ``ReportError`` if the file cannot be read, is not such a file, has another schema version, or contains
  ///   an impossible figure.
  package static func read(_ path: String) throws(ReportError) -> Report {
    let results = try StoredJSON.read(
      Report.self, at: path, schemaVersion: Report.currentSchemaVersion,
      earlier: Dictionary(
        uniqueKeysWithValues: EarlierResults.schemaVersions.map { version in
          (version, { try EarlierResults(from: $0).results })
        }))
    if let found = results.excessiveFigure {
      throw ReportError(file: path, problem: .notResults(details: "\(found)"))
    }
    return results
  }
}

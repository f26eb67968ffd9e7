// pair.json: every sample of a paired comparison and the rules it went by; verdicts are worked out of it again.
public import Harness

/// The file that holds a whole comparison.
public enum PairFile {
  /// The file's text.
  ///
  /// - Throws: ``ReportError`` when the results cannot be encoded.
  public static func render(_ results: PairResults) throws(ReportError) -> String {
    try StoredJSON.render(results, file: "pair.json")
  }

  /// Reads results that `render` wrote.
  ///
  /// - Throws: ``ReportError`` when the file cannot be read, is not such a file, or has another schema version.
  public static func read(_ path: String) throws(ReportError) -> PairResults {
    try StoredJSON.read(PairResults.self, at: path, schemaVersion: PairResults.schemaVersion)
  }
}

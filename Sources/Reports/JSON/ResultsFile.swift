// results.json: everything a run found, written so that the same results give the same bytes, and read back.
public import Harness

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file that holds whole results.
public enum ResultsFile {
  /// The file's text: keys sorted, two-space indentation, one line feed at the end.
  ///
  /// Numbers that are not finite, which no healthy run has, become strings, so that they cannot lose the rest.
  ///
  /// - Throws: ``ReportError`` when the results cannot be encoded.
  public static func render(_ results: RunResults) throws(ReportError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    do {
      return String(decoding: try encoder.encode(results), as: UTF8.self) + "\n"
    } catch {
      throw ReportError(file: ReportWriter.FileName.results, problem: .unencodable(details: "\(error)"))
    }
  }

  /// Reads results that `render` wrote.
  ///
  /// - Throws: ``ReportError`` when the file cannot be read, is not such a file, or has another schema version.
  public static func read(_ path: String) throws(ReportError) -> RunResults {
    let data = Data(try readFile(path))
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    let found: Int
    do {
      found = try decoder.decode(Version.self, from: data).schemaVersion
    } catch {
      throw ReportError(file: path, problem: .notResults(details: wording(of: error)))
    }
    guard found == RunResults.currentSchemaVersion else {
      throw ReportError(
        file: path, problem: .otherSchema(found: found, expected: RunResults.currentSchemaVersion))
    }
    do {
      return try decoder.decode(RunResults.self, from: data)
    } catch {
      throw ReportError(file: path, problem: .notResults(details: wording(of: error)))
    }
  }

  private static let infinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let notANumber = "NaN"

  /// All that is read before the version is known to fit.
  private struct Version: Decodable {
    let schemaVersion: Int
  }

  /// Where in the file the mistake is, and what it is.
  private static func wording(of error: any Error) -> String {
    let context: DecodingError.Context
    let what: String
    switch error {
    case DecodingError.keyNotFound(let key, let found): (what, context) = ("no key '\(key.stringValue)'", found)
    case DecodingError.typeMismatch(_, let found): (what, context) = (found.debugDescription, found)
    case DecodingError.valueNotFound(_, let found): (what, context) = (found.debugDescription, found)
    case DecodingError.dataCorrupted(let found): (what, context) = (found.debugDescription, found)
    default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? what : "at \(path.drop { $0 == "." }): \(what)"
  }
}

// JSON files that are written so that the same values give the same bytes, and read back with their version checked.
internal import Analysis
internal import CoreDataFiles
internal import Harness

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Values in a JSON file with a schema version.
enum StoredJSON {
  /// The file's text: keys sorted, two-space indentation, one line feed at the end.
  ///
  /// Numbers that are not finite, which no healthy run has, become strings, so that they cannot lose the rest.
  ///
  /// - Throws: ``ReportError`` when the values cannot be encoded.
  static func render(_ values: some Encodable, file: String) throws(ReportError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    do {
      return JSONText.escaped(String(decoding: try encoder.encode(values), as: UTF8.self)) + "\n"
    } catch {
      throw ReportError(file: file, problem: .unencodable(details: "\(error)"))
    }
  }

  /// Reads what `render` wrote.
  ///
  /// - Throws: ``ReportError`` when the file cannot be read, is not such a file, or has another schema version.
  static func read<Values: Decodable>(
    _ type: Values.Type, at path: String, schemaVersion: Int
  ) throws(ReportError) -> Values {
    let data = Data(try readFile(path))
    if data.withUnsafeBytes(Nesting.isTooDeep(json:)) {
      throw ReportError(file: path, problem: .notResults(details: Nesting.found))
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    let found: Int
    do {
      found = try decoder.decode(Version.self, from: data).schemaVersion
    } catch {
      throw ReportError(file: path, problem: .notResults(details: wording(of: error)))
    }
    guard found == schemaVersion else {
      throw ReportError(file: path, problem: .otherSchema(found: found, expected: schemaVersion))
    }
    do {
      return try decoder.decode(Values.self, from: data)
    } catch {
      throw ReportError(file: path, problem: .notResults(details: wording(of: error)))
    }
  }

  /// What stands in the place of a number that is not finite.
  static let nonFiniteWords = [infinity, negativeInfinity, notANumber]

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

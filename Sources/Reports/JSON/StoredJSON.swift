// JSON files that are written so that equal values give the same bytes, and read back with a check of their version.
internal import Analysis
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Values in a JSON file with a schema version.
enum StoredJSON {
  /// The file's text: keys sorted, two-space indentation, one line feed at the end.
  ///
  /// Numbers that are not finite, which should not occur, become strings, so that the rest is not lost.
  ///
  /// - Throws: ``ReportError`` if the values cannot be encoded.
  static func render(_ values: some Encodable, file: String) throws(ReportError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    do {
      let data = try encoder.encode(values)
      // Make the text in one piece: results are long, and each copy takes as much memory again.
      let text = String(unsafeUninitializedCapacity: data.count + 1) { bytes in
        let count = data.copyBytes(to: bytes)
        bytes[count] = UInt8(ascii: "\n")
        return count + 1
      }
      return JSONText.escaped(text)
    } catch {
      throw ReportError(file: file, problem: .unencodable(details: "\(error)"))
    }
  }

  /// Reads what `render` wrote; `earlier` reads files of earlier versions.
  ///
  /// - Throws: ``ReportError`` if the file cannot be read, is not such a file, or has another schema version.
  static func read<Values: Decodable>(
    _ type: Values.Type, at path: String, schemaVersion: Int, earlier: [Int: Reader<Values>] = [:]
  ) throws(ReportError) -> Values {
    let data = Data(try readFile(path))
    if let obstacle = data.withUnsafeBytes(Nesting.obstacle(json:)) {
      throw ReportError(file: path, problem: .notResults(details: obstacle))
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    let readers = earlier.merging([schemaVersion: { try Values(from: $0) }]) { $1 }
    let found: Versioned<Values>
    do {
      found = try decoder.decode(Versioned<Values>.self, from: data, configuration: readers)
    } catch {
      throw ReportError(file: path, problem: .notResults(details: wording(of: error)))
    }
    guard let values = found.values else {
      throw ReportError(file: path, problem: .otherSchema(found: found.schemaVersion, expected: schemaVersion))
    }
    return values
  }

  /// The words for numbers that are not finite.
  static let nonFiniteWords = [infinity, negativeInfinity, notANumber]

  private static let infinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let notANumber = "NaN"

  /// Reads the values of one version.
  typealias Reader<Values> = (any Decoder) throws -> Values

  /// The version, and the rest if a reader for it is known.
  private struct Versioned<Values: Decodable>: DecodableWithConfiguration {
    private enum CodingKeys: String, CodingKey { case schemaVersion }

    let schemaVersion: Int
    let values: Values?

    init(from decoder: any Decoder, configuration readers: [Int: Reader<Values>]) throws {
      schemaVersion = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .schemaVersion)
      values = try readers[schemaVersion]?(decoder)
    }
  }

  /// A description of the mistake, with its position in the file.
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
    // Foundation's descriptions are sentences.
    let words = what.hasSuffix(".") ? String(what.dropLast()) : what
    return path.isEmpty ? words : "at \(path.drop { $0 == "." }): \(words)"
  }
}

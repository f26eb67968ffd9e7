// A feed: its file, and its format, which is detected from the first bytes.
import BatchmarkEngine
import CoreDataModel
internal import Support

/// A feed on disk.
struct Feed {
  let path: String
  /// The fields of attributes that have a different name in the feed.
  let map: [String: String]

  /// Parses the feed into the rows of an entity.
  func rows(for entity: EntityDescription) throws(SourceError) -> ColumnarRows {
    let bytes = try contents()
    return switch try format(of: bytes) {
    case .geoJSON: try GeoJSONFeed(path: path, bytes: bytes, entity: entity, map: map).rows()
    case .jsonLines: try JSONLinesFeed(path: path, bytes: bytes, entity: entity, map: map).rows()
    case .csv: try CSVFeed(path: path, bytes: bytes, entity: entity, map: map).rows()
    }
  }

  enum Format {
    case geoJSON, jsonLines, csv
  }

  private static let expectation = "a feed, CSV with a header, JSON Lines or GeoJSON"

  func contents() throws(SourceError) -> ArraySlice<UInt8> {
    let bytes: [UInt8]
    do {
      bytes = try InputFile.bytes(of: path, limit: .feed)
    } catch {
      throw SourceError(
        source: path, found: error.found, expected: error.expected(Feed.expectation), isUnreadable: error.isUnreadable)
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  func format(of bytes: ArraySlice<UInt8>) throws(SourceError) -> Format {
    let blanks = " \t\r\n".utf8
    let text = bytes.drop { blanks.contains($0) }
    guard let first = text.first else { throw refusal("an empty file") }
    if let kind = Feed.binaryKind(of: bytes) { throw refusal(kind) }
    // Check the whole text once: every slice of valid UTF-8 at ASCII boundaries is valid.
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw refusal("bytes that are not UTF-8, from byte \(firstInvalidUTF8(in: Array(bytes))) on")
    }
    switch first {
    case UInt8(ascii: "{"): return JSONLinesFeed.isOne(text, named: path) ? .jsonLines : .geoJSON
    case UInt8(ascii: "["): throw refusal("a JSON array")
    case UInt8(ascii: "<"): throw refusal("HTML or XML")
    default: return .csv
    }
  }

  private func refusal(_ found: String) -> SourceError {
    SourceError(source: path, found: found, expected: Feed.expectation)
  }

  /// Binary formats that people may pass by mistake.
  private static func binaryKind(of bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "a PNG image" }
    if bytes.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "a ZIP archive" }
    if bytes.starts(with: "SQLite format 3\0".utf8) { return "a SQLite database" }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "text in UTF-16" }
    return bytes.prefix(1024).contains(0) ? "binary data" : nil
  }
}

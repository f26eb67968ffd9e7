// Reads a feed of JSON Lines (https://jsonlines.org) into the columns of an entity: one object per line, with the
// fields as keys.
import BatchmarkEngine
import CoreDataModel

/// Parses one feed of JSON Lines.
///
/// Fields keep the names of their keys. A missing key is null. Every line that is not blank has one object.
struct JSONLinesFeed {
  let path: String
  let bytes: ArraySlice<UInt8>
  let entity: EntityDescription
  let map: [String: String]

  private static let newline = UInt8(ascii: "\n")

  /// The results of the lines so far.
  private struct Pass {
    var builders: [ColumnBuilder]
    /// The current line's values and where they begin, one for each attribute; reused for every line.
    var values: [FieldValue]
    var starts: [Int?]
    var line = 0
    var lineStart = 0
    var rows = 0
    /// Whether any line had each attribute's field.
    var isMet: [Bool]
    /// The keys of the first object, for messages.
    var names: [String] = []
  }

  func rows() throws(SourceError) -> ColumnarRows {
    let fields = entity.fields(by: map)
    let places = Dictionary(
      fields.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var pass = Pass(
      builders: entity.attributes.map(ColumnBuilder.init), values: fields.map { _ in .null },
      starts: fields.map { _ in nil }, isMet: fields.map { _ in false })
    var rest = bytes
    while !rest.isEmpty {
      let line = rest.prefix { $0 != JSONLinesFeed.newline }
      rest = rest[line.endIndex...].dropFirst()
      pass.line += 1
      pass.lineStart = line.startIndex
      if !line.allSatisfy({ " \t\r".utf8.contains($0) }) { try read(line, places: places, into: &pass) }
    }
    for (index, attribute) in entity.attributes.enumerated() where !pass.isMet[index] {
      throw entity.missingField(
        attribute.name, mappedTo: map[attribute.name], fields: pass.names, source: path)
    }
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes, columns: pass.builders.map(\.column), count: pass.rows)
  }

  private func read(
    _ line: ArraySlice<UInt8>, places: [String: Int], into pass: inout Pass
  ) throws(SourceError) {
    for index in pass.values.indices { (pass.values[index], pass.starts[index]) = (.null, nil) }
    var scanner = JSONScanner(line)
    do throws(JSONFault) {
      let kind = try scanner.nextKind()
      guard kind == .object else {
        throw JSONFault(offset: scanner.offset, found: kind.rawValue, expected: "an object, one on each line")
      }
      try scanner.object(fault: { $0 }) { (scanner, key) throws(JSONFault) in
        try store(key, from: &scanner, places: places, into: &pass)
      }
      try scanner.end("the end of the line")
    } catch {
      let found = error.offset == line.endIndex ? "the end of the line" : error.found
      throw self.error(found, error.expected, at: error.offset, in: pass)
    }
    pass.rows += 1
    for index in pass.builders.indices {
      do {
        try pass.builders[index].append(pass.values[index])
      } catch {
        let name = entity.attributes[index].name
        // If the first line does not have such a key, the key is more likely misspelled than missing.
        if pass.rows == 1, !pass.isMet[index] {
          throw entity.missingField(name, mappedTo: map[name], fields: pass.names, source: path)
        }
        throw self.error(error.found, error.expected, at: pass.starts[index] ?? line.startIndex, in: pass)
      }
    }
  }

  /// Stores a value that an attribute needs, and skips any other.
  private func store(
    _ key: String, from scanner: inout JSONScanner, places: [String: Int], into pass: inout Pass
  ) throws(JSONFault) {
    if pass.rows == 0 { pass.names.append(key) }
    guard let place = places[key] else { return try scanner.skip() }
    let kind = try scanner.nextKind()
    let start = scanner.offset
    guard pass.starts[place] == nil else {
      throw JSONFault(offset: start, found: "the key \(shown(key)) twice", expected: "each once")
    }
    guard kind != .object, kind != .array else {
      throw JSONFault(
        offset: start, found: "\(kind.rawValue) for the attribute '\(entity.attributes[place].name)'",
        expected: "text, a number, a boolean or null")
    }
    pass.isMet[place] = true
    pass.starts[place] = start
    pass.values[place] = try scanner.scalar()
  }

  private func error(_ found: String, _ expected: String, at offset: Int, in pass: Pass) -> SourceError {
    let column = String(decoding: bytes[pass.lineStart..<min(offset, bytes.endIndex)], as: UTF8.self).count + 1
    return SourceError(
      source: path, place: .position(line: pass.line, column: column), found: found, expected: expected)
  }
}

extension JSONLinesFeed {
  /// Whether text that begins with an object is JSON Lines: the file's name says so, or its first line is an object and
  /// another line follows, which is never the case in GeoJSON.
  static func isOne(_ text: ArraySlice<UInt8>, named path: String) -> Bool {
    if [".jsonl", ".ndjson"].contains(where: { path.lowercased().hasSuffix($0) }) { return true }
    let line = text.prefix { $0 != newline }
    guard text[line.endIndex...].contains(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
    var scanner = JSONScanner(line)
    do throws(JSONFault) {
      try scanner.skip()
      try scanner.end()
      return true
    } catch {
      return false
    }
  }
}

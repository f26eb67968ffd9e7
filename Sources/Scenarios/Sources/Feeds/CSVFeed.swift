// Reads a CSV feed into the columns of an entity. The header has the names of the fields.
import BatchmarkEngine
import CoreDataModel

/// Parses one CSV feed.
///
/// Fields keep the names of their columns, but `id` and `mag` of the Geological Survey's feeds are also called `code`
/// and `magnitude`. An empty field, quoted or not, is null.
struct CSVFeed {
  let path: String
  let bytes: ArraySlice<UInt8>
  let entity: EntityDescription
  let map: [String: String]

  private static let names = ["id": "code", "mag": "magnitude"]

  private static func isSurvey(_ header: [String]) -> Bool { header.contains("time") && header.contains("mag") }

  /// The names of columns.
  ///
  /// For a feed of the Geological Survey they are those that scenarios use.
  static func fieldNames(_ header: [String]) -> [String] {
    isSurvey(header) ? header.map { names[$0] ?? $0 } : header
  }

  func rows() throws(SourceError) -> ColumnarRows {
    var scanner = CSVScanner(bytes)
    var fields: [ArraySlice<UInt8>] = []
    guard try next(&scanner, into: &fields) else {
      throw SourceError(source: path, found: "an empty file", expected: "a header and rows")
    }
    let header = try self.header(fields)
    let places = try places(of: header)
    var builders = entity.attributes.map(ColumnBuilder.init)
    var count = 0
    while try next(&scanner, into: &fields) {
      guard fields.count == header.count else {
        throw SourceError(
          source: path, place: .line(scanner.recordLine), found: "\(fields.count) field\(fields.count == 1 ? "" : "s")",
          expected: "\(header.count), as in the header")
      }
      for index in builders.indices {
        do {
          try builders[index].append(text: fields[places[index]])
        } catch {
          let (line, column) = scanner.position(ofField: places[index])
          throw SourceError(
            source: path, place: .position(line: line, column: column), found: error.found, expected: error.expected)
        }
      }
      count += 1
    }
    guard count > 0 else {
      throw SourceError(source: path, found: "a header without rows", expected: "at least one row")
    }
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes, columns: builders.map(\.column), count: count)
  }

  private func next(
    _ scanner: inout CSVScanner, into fields: inout [ArraySlice<UInt8>]
  ) throws(SourceError) -> Bool {
    do {
      return try scanner.nextRecord(into: &fields)
    } catch {
      throw SourceError(source: path, place: .line(error.line), found: error.found, expected: error.expected)
    }
  }

  /// The names of the columns.
  private func header(_ fields: [ArraySlice<UInt8>]) throws(SourceError) -> [String] {
    let header = fields.map { String(decoding: $0, as: UTF8.self) }
    var earlier: Set<String> = []
    for name in header where !earlier.insert(name).inserted {
      throw SourceError(source: path, place: .line(1), found: "the column \(shown(name)) twice", expected: "each once")
    }
    return header
  }

  /// The position of each attribute's field in a row.
  private func places(of header: [String]) throws(SourceError) -> [Int] {
    let isSurvey = CSVFeed.isSurvey(header)
    let names = CSVFeed.fieldNames(header)
    let places = entity.attributes.map { attribute in
      let field = map[attribute.name] ?? attribute.name
      return header.firstIndex(of: field)
        ?? header.firstIndex { CSVFeed.names[$0] == field && map[attribute.name] == nil }
    }
    // A single attribute may be misspelled. If none of several is found, the header has no names.
    if places.count > 1, places.allSatisfy({ $0 == nil }), map.isEmpty, !isSurvey {
      throw SourceError(
        source: path, place: .line(1), found: shown(header.joined(separator: ",")),
        expected: "a header with the names of fields, such as "
          + entity.attributes.map(\.name).prefix(6).joined(separator: ","))
    }
    var found: [Int] = []
    for (attribute, place) in zip(entity.attributes, places) {
      guard let place else {
        throw entity.missingField(attribute.name, mappedTo: map[attribute.name], fields: names, source: path)
      }
      found.append(place)
    }
    return found
  }
}

// The USGS feed in CSV: columns by the names in the header, rows into the columns of an entity.
import CoreDataModel

/// Parses one CSV feed.
///
/// The columns `id` and `mag` go by the names `code` and `magnitude`, every other by its own. An empty field, quoted
/// or not, is null.
struct CSVFeed {
  let path: String
  let bytes: ArraySlice<UInt8>
  let entity: EntityDescription

  private static let names = ["id": "code", "mag": "magnitude"]

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
          throw SourceError(
            source: path, place: .line(scanner.recordLine), found: error.found, expected: error.expected)
        }
      }
      count += 1
    }
    guard count > 0 else {
      throw SourceError(source: path, found: "a header without rows", expected: "at least one earthquake")
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

  /// The names of the columns, as scenarios know them.
  private func header(_ fields: [ArraySlice<UInt8>]) throws(SourceError) -> [String] {
    let header = fields.map { field in
      let name = String(decoding: field, as: UTF8.self)
      return CSVFeed.names[name] ?? name
    }
    let known = Set(SourceField.documented.map(\.name))
    guard header.contains(where: known.contains) else {
      throw SourceError(
        source: path, place: .line(1),
        found: shown(fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")),
        expected: "the header of a USGS feed, such as time,latitude,longitude,depth,mag,place,id")
    }
    for (index, name) in header.enumerated() where header[..<index].contains(name) {
      throw SourceError(source: path, place: .line(1), found: "the column \(shown(name)) twice", expected: "each once")
    }
    return header
  }

  /// For each attribute, the place of its field in a row.
  private func places(of header: [String]) throws(SourceError) -> [Int] {
    var places: [Int] = []
    for attribute in entity.attributes {
      guard let place = header.firstIndex(of: attribute.name) else {
        throw entity.missingField(attribute.name, fields: header, source: path)
      }
      places.append(place)
    }
    return places
  }
}

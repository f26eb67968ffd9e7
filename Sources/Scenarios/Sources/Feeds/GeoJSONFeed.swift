// Reads the USGS feed in GeoJSON, a collection of features that are each an earthquake, into the columns of an entity.
import BatchmarkEngine
import CoreDataModel

/// Parses one GeoJSON feed.
///
/// A feature's `id` is called `code`, its property `mag` is called `magnitude`, and its property `code`, the id without
/// the network, is called `eventCode`. `longitude`, `latitude` and `depth` are its coordinates. All other properties
/// keep their names. A missing property is null. Times are milliseconds since 1970.
struct GeoJSONFeed {
  let path: String
  let bytes: ArraySlice<UInt8>
  let entity: EntityDescription
  let map: [String: String]

  private static let propertyNames = ["mag": "magnitude", "code": "eventCode"]
  private static let coordinates = ["longitude", "latitude", "depth"]

  /// The results of a pass over the file.
  private struct Pass {
    var builders: [ColumnBuilder]
    /// The current feature's values, one for each attribute; reused for every feature.
    var values: [FieldValue]
    var features = 0
    var isCollection = false
    var hasFeatures = false
    /// The number of features that the feed declares.
    var declared: Int64?
    /// The names of the first feature's properties, for messages.
    var names: [String] = []
    /// Whether any feature had each attribute's field.
    var isMet: [Bool]
  }

  func rows() throws(SourceError) -> ColumnarRows {
    let places = Dictionary(
      entity.fields(by: map).enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var pass = Pass(
      builders: entity.attributes.map(ColumnBuilder.init), values: entity.attributes.map { _ in .null },
      isMet: entity.attributes.map { _ in false })
    var scanner = JSONScanner(bytes)
    try scanner.object(fault: error) { (scanner, key) throws(SourceError) in
      try read(key, with: &scanner, places: places, into: &pass)
    }
    do { try scanner.end() } catch { throw self.error(error) }
    try check(pass)
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes, columns: pass.builders.map(\.column),
      count: pass.features)
  }

  private func read(
    _ key: String, with scanner: inout JSONScanner, places: [String: Int], into pass: inout Pass
  ) throws(SourceError) {
    switch key {
    case "type":
      guard case .text(let type) = try scalar(&scanner), type.elementsEqual("FeatureCollection".utf8) else {
        throw refusal("GeoJSON, or other JSON, whose type is not FeatureCollection")
      }
      pass.isCollection = true
    case "metadata" where try kind(&scanner) == .object:
      try scanner.object(fault: error) { (scanner, key) throws(SourceError) in
        if key == "count", try kind(&scanner) == .number {
          if case .number(.whole(let count)) = try scalar(&scanner) { pass.declared = count }
        } else {
          try skip(&scanner)
        }
      }
    case "features":
      guard try kind(&scanner) == .array else { throw refusal("features that are no array") }
      pass.hasFeatures = true
      try scanner.array(fault: error) { (scanner) throws(SourceError) in
        try feature(&scanner, places: places, into: &pass)
      }
    default:
      try skip(&scanner)
    }
  }

  private func check(_ pass: Pass) throws(SourceError) {
    guard pass.isCollection, pass.hasFeatures else {
      throw refusal("JSON without a type FeatureCollection and its features")
    }
    guard pass.features > 0 else {
      throw SourceError(source: path, found: "a feed without features", expected: "at least one earthquake")
    }
    if let declared = pass.declared, declared != pass.features {
      throw SourceError(
        source: path, found: "\(pass.features) features", expected: "\(declared), the count in the feed's metadata")
    }
    let known = Set(SourceField.geoJSON.map(\.name))
    for (index, attribute) in entity.attributes.enumerated() where !pass.isMet[index] {
      guard !known.contains(map[attribute.name] ?? attribute.name) else { continue }
      let names = ["code"] + GeoJSONFeed.coordinates + pass.names
      throw entity.missingField(attribute.name, mappedTo: map[attribute.name], fields: names, source: path)
    }
  }
}

// MARK: - Features

extension GeoJSONFeed {
  private func feature(
    _ scanner: inout JSONScanner, places: [String: Int], into pass: inout Pass
  ) throws(SourceError) {
    pass.features += 1
    let number = pass.features
    for index in pass.values.indices { pass.values[index] = .null }
    guard try kind(&scanner) == .object else {
      throw broken(number, found: try kind(&scanner).rawValue, expected: "a feature, which is an object")
    }
    var hasProperties = false
    try scanner.object(fault: error) { (scanner, key) throws(SourceError) in
      switch key {
      case "id":
        try store("code", from: &scanner, places: places, into: &pass)
      case "properties":
        guard try kind(&scanner) == .object else {
          throw broken(number, found: "properties that are \(try kind(&scanner).rawValue)", expected: "an object")
        }
        hasProperties = true
        try scanner.object(fault: error) { (scanner, key) throws(SourceError) in
          let name = GeoJSONFeed.propertyNames[key] ?? key
          if number == 1 { pass.names.append(name) }
          try store(name, from: &scanner, places: places, into: &pass)
        }
      case "geometry" where try kind(&scanner) != .null:
        try geometry(&scanner, places: places, into: &pass)
      default:
        try skip(&scanner)
      }
    }
    guard hasProperties else { throw broken(number, found: "no properties", expected: "an object of them") }
    for index in pass.builders.indices {
      do {
        try pass.builders[index].append(pass.values[index])
      } catch {
        throw broken(number, found: error.found, expected: error.expected)
      }
    }
  }

  private func geometry(
    _ scanner: inout JSONScanner, places: [String: Int], into pass: inout Pass
  ) throws(SourceError) {
    let number = pass.features
    guard try kind(&scanner) == .object else {
      throw broken(number, found: "a geometry that is \(try kind(&scanner).rawValue)", expected: "an object")
    }
    try scanner.object(fault: error) { (scanner, key) throws(SourceError) in
      guard key == "coordinates" else { return try skip(&scanner) }
      guard try kind(&scanner) == .array else {
        throw broken(number, found: "coordinates that are \(try kind(&scanner).rawValue)", expected: "an array")
      }
      var index = 0
      try scanner.array(fault: error) { (scanner) throws(SourceError) in
        if index < GeoJSONFeed.coordinates.count {
          try store(GeoJSONFeed.coordinates[index], from: &scanner, places: places, into: &pass)
        } else {
          try skip(&scanner)
        }
        index += 1
      }
    }
  }

  /// Stores a value that an attribute needs, and skips any other.
  private func store(
    _ name: String, from scanner: inout JSONScanner, places: [String: Int], into pass: inout Pass
  ) throws(SourceError) {
    guard let place = places[name] else { return try skip(&scanner) }
    pass.isMet[place] = true
    let kind = try kind(&scanner)
    guard kind != .object, kind != .array else {
      throw broken(
        pass.features, found: "\(kind.rawValue) for the attribute '\(entity.attributes[place].name)'",
        expected: "text, a number or null")
    }
    pass.values[place] = try scalar(&scanner)
  }
}

// MARK: - Faults, as errors that name the file

extension GeoJSONFeed {
  private func kind(_ scanner: inout JSONScanner) throws(SourceError) -> JSONKind {
    do { return try scanner.nextKind() } catch { throw self.error(error) }
  }

  private func scalar(_ scanner: inout JSONScanner) throws(SourceError) -> FieldValue {
    do { return try scanner.scalar() } catch { throw self.error(error) }
  }

  private func skip(_ scanner: inout JSONScanner) throws(SourceError) {
    do { try scanner.skip() } catch { throw self.error(error) }
  }

  private func error(_ fault: JSONFault) -> SourceError {
    SourceError(source: path, place: .byte(fault.offset), found: fault.found, expected: fault.expected)
  }

  private func refusal(_ found: String) -> SourceError {
    SourceError(source: path, found: found, expected: "a USGS earthquake feed, a GeoJSON FeatureCollection")
  }

  private func broken(_ number: Int, found: String, expected: String) -> SourceError {
    SourceError(source: path, place: .feature(number), found: found, expected: expected)
  }
}

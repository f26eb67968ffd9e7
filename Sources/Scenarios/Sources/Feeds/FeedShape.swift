// The fields of a feed, and a model that fits all of its rows.
internal import BatchmarkEngine
internal import Support
package import CoreDataModel

/// The fields of a feed, with what their values have in common.
package struct FeedShape: Sendable {
  /// A field and the attribute that can hold all of its values.
  package struct Field: Sendable {
    /// The name in the feed.
    package let name: String
    /// The name in the model: ``name``, if it can be a column's name.
    package var attribute: String
    package let type: AttributeType
    /// The number of rows without a value.
    package let nulls: Int
    /// Whether each row has a different value, of a type that can be a key.
    package let isUnique: Bool
  }

  /// The words of the file name, such as `all-month`.
  package let name: String
  /// The name of the entity, derived from the file name; `Quake` for earthquakes.
  package let entity: String
  package let fields: [Field]
  /// Fields with values that fit no attribute: objects, lists, and values of several kinds.
  package let otherFields: [String]
  package let rows: Int

  /// Reads every row of a feed.
  ///
  /// O(values).
  ///
  /// - Throws: ``SourceError`` if the file is not a feed.
  package init(ofFeedAt path: String) throws(SourceError) {
    let feed = Feed(path: path, map: [:])
    let bytes = try feed.contents()
    let stem = FileName.last(of: path).split(separator: ".").first.map(String.init) ?? ""
    name = FeedShape.scenarioName(forFile: path, kind: "feed")
    let (fields, otherFields, rows) =
      switch try feed.format(of: bytes) {
      case .csv: try FeedShape.read(CSVFields(path: path, bytes: bytes).evidence())
      case .jsonLines: try FeedShape.read(JSONLinesFields(path: path, bytes: bytes).evidence())
      case .geoJSON: try FeedShape.readSurvey(feed)
      }
    guard !fields.isEmpty else {
      let others = otherFields.isEmpty ? "rows without fields" : "no field but \(otherFields.joined(separator: ", "))"
      throw SourceError(
        source: path, found: others, expected: "one with values of one kind, and neither objects nor lists")
    }
    (self.fields, self.otherFields, self.rows) = (fields, otherFields, rows)
    let isSurvey = ["code", "magnitude"].allSatisfy { name in fields.contains { $0.attribute == name } }
    entity = isSurvey ? "Quake" : EntityWord.entity(forFile: stem)
  }

  /// The words of a file name as the name of a scenario.
  ///
  /// If they do not begin with a letter, the kind of file comes first.
  package static func scenarioName(forFile path: String, kind: String) -> String {
    let stem = FileName.last(of: path).split(separator: ".").first ?? ""
    let words = stem.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return words.first?.isLetter == true ? words : words.isEmpty ? kind : "\(kind)-\(words)"
  }

  /// Reads a GeoJSON feed of the Geological Survey, which has known fields.
  private static func readSurvey(_ feed: Feed) throws(SourceError) -> ([Field], [String], Int) {
    let attributes = GeneratorSettings.attributes.filter { ofSurvey.contains($0.name) }
    let rows = try feed.rows(for: EntityDescription("Quake", attributes: attributes))
    let fields = zip(attributes, rows.columns).map { attribute, column in
      var codes = FieldEvidence()
      if case .text(let texts) = column { codes.note(texts, rows: rows.count) }
      return Field(
        name: attribute.name, attribute: attribute.name, type: attribute.type, nulls: attribute.isOptional ? 1 : 0,
        isUnique: codes.values == rows.count && codes.isDifferent)
    }
    return (fields, [], rows.count)
  }

  /// The most useful of the thirty fields of a USGS feed in GeoJSON.
  private static let ofSurvey: Set = ["code", "magnitude", "place", "time", "latitude", "longitude", "depth"]

  /// The field for a uniqueness constraint: one with a suitable name or, if there are many rows, a number or a UUID;
  /// `nil` if there is none.
  package var key: Field? {
    let candidates = fields.filter(\.isUnique)
    let words = ["id", "code", "key", "uuid", "isbn", "email", "number"]
    return candidates.first { field in words.contains { field.attribute.lowercased().hasSuffix($0) } }
      ?? (rows >= 100 ? candidates.first { $0.type != .string } : nil)
  }

  private static func read(
    _ found: (names: [String], evidence: [FieldEvidence], rows: Int)
  ) -> ([Field], [String], Int) {
    var taken: Set<String> = []
    let all = zip(found.names, found.evidence)
    let fields = all.filter { $1.isOfOneKind }.map { name, evidence in
      let word = EntityWord.attribute(forField: name)
      var attribute = word
      var number = 2
      while !taken.insert(attribute.lowercased()).inserted {
        attribute = "\(word)\(number)"
        number += 1
      }
      return Field(
        name: name, attribute: attribute, type: evidence.type, nulls: found.rows - evidence.values,
        isUnique: found.rows > 1 && evidence.values == found.rows && evidence.isDifferent)
    }
    return (fields, all.filter { !$1.isOfOneKind }.map(\.0), found.rows)
  }
}

/// The fields of a feed in CSV.
private struct CSVFields {
  let path: String
  let bytes: ArraySlice<UInt8>

  func evidence() throws(SourceError) -> (names: [String], evidence: [FieldEvidence], rows: Int) {
    // Its columns as text. Mistakes in the file are found as for every feed.
    var scanner = CSVScanner(bytes)
    var header: [ArraySlice<UInt8>] = []
    _ = try? scanner.nextRecord(into: &header)
    if let separator = otherSeparator(of: header, before: scanner) {
      throw SourceError(
        source: path, place: .line(1), found: "columns separated by \(separator)",
        expected: "commas between them, and quotes around values that have one")
    }
    let names = CSVFeed.fieldNames(header.map { String(decoding: $0, as: UTF8.self) })
    let entity = EntityDescription("Row", attributes: names.map { AttributeDescription($0, .string, isOptional: true) })
    let rows = try CSVFeed(path: path, bytes: bytes, entity: entity, map: [:]).rows()
    var evidence = names.map { _ in FieldEvidence() }
    for (index, column) in rows.columns.enumerated() {
      if case .text(let texts) = column { evidence[index].note(texts, rows: rows.count) }
    }
    return (names, evidence, rows.count)
  }
}

extension CSVFields {
  /// The separator if it is not a comma: a character that occurs equally often in the header and in the first row, if
  /// the header has no comma.
  private func otherSeparator(of header: [ArraySlice<UInt8>], before scanner: CSVScanner) -> String? {
    var scanner = scanner
    var first: [ArraySlice<UInt8>] = []
    guard header.count == 1, (try? scanner.nextRecord(into: &first)) == true else { return nil }
    let separators = [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
    return separators.first { character, _ in
      let counts = [header, first].map { $0.joined().count { $0 == character.utf8.first } }
      return counts[0] > 0 && counts[0] == counts[1]
    }?.1
  }
}

/// The fields of a feed in JSON Lines.
private struct JSONLinesFields {
  let path: String
  let bytes: ArraySlice<UInt8>

  func evidence() throws(SourceError) -> (names: [String], evidence: [FieldEvidence], rows: Int) {
    var (names, evidence, places): ([String], [FieldEvidence], [String: Int]) = ([], [], [:])
    var (line, rows) = (0, 0)
    var rest = bytes
    while !rest.isEmpty {
      let text = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[text.endIndex...].dropFirst()
      line += 1
      if text.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
      rows += 1
      do throws(JSONFault) {
        var scanner = JSONScanner(text)
        guard try scanner.nextKind() == .object else { throw scanner.fault("an object, one on each line") }
        try scanner.object(fault: { $0 }) { (scanner, key) throws(JSONFault) in
          let place = places[key] ?? names.count
          if place == names.count {
            places[key] = place
            names.append(key)
            evidence.append(FieldEvidence())
          }
          switch try scanner.nextKind() {
          case .object, .array:
            evidence[place].noteStructure()
            try scanner.skip()
          default: evidence[place].note(try scanner.scalar())
          }
        }
        try scanner.end("the end of the line")
      } catch {
        throw SourceError(source: path, place: .line(line), found: error.found, expected: error.expected)
      }
    }
    return (names, evidence, rows)
  }
}

/// Derives words of a model from words of files.
private enum EntityWord {
  /// `tracks.csv` is a file of tracks, and each row is a `Track`.
  static func entity(forFile stem: String) -> String {
    let word = joined(stem, isCapitalized: true) ?? "Row"
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("sses") { return String(word.dropLast(2)) }
    return word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 3 ? String(word.dropLast()) : word
  }

  /// A field's own name if it can be a column's name, otherwise its words joined: `Page Count` becomes `pageCount`.
  static func attribute(forField name: String) -> String {
    let isName = name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x5F }
    if isName, let first = name.utf8.first, !(0x30...0x39).contains(first), first != 0x5F { return name }
    return joined(name, isCapitalized: false) ?? "field"
  }

  private static func joined(_ text: String, isCapitalized: Bool) -> String? {
    let words = String(decoding: text.utf8.map { isLetterOrDigit($0) ? $0 : 0x20 }, as: UTF8.self).split(separator: " ")
    guard let first = words.first else { return nil }
    let head =
      isCapitalized
      ? first.prefix(1).uppercased() + first.dropFirst()
      : first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let word = head + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return word.first?.isNumber == true ? (isCapitalized ? "Row" : "field") + word : word
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
  }
}

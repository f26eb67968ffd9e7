// Profiles of rows, and rows made from them: the shape is preserved, but not the contents.
import Foundation
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import StoreFixtures
import Testing

/// A scenario with synthetic data; the lines of the profile are those of `entities`.
private func synthetic(model: String, entities: String, settings: String = "seed: 42", rest: String = "") -> String {
  """
  scenario: s
  model:
  \(model.indented(by: 2))
  source:
    synthetic:
      \(settings)
      entities:
  \(entities.indented(by: 6))
  \(rest)cells: [{strategy: save}, {engine: sqlite, strategy: insert}]

  """
}

extension String {
  fileprivate func indented(by spaces: Int) -> String {
    split(separator: "\n").map { String(repeating: " ", count: spaces) + $0 }.joined(separator: "\n")
  }
}

/// The profile in a scenario, and the profile of the rows that it makes.
private func profiles(_ scenario: Scenario) throws -> (told: DataProfile, made: DataProfile) {
  guard case .synthetic(let synthetic, _) = scenario.source else { throw WrongColumn() }
  return (synthetic.profile, DataProfile(measuring: try scenario.sourceRows()))
}

extension DataProfile {
  /// The profile without the order of properties, and without the end that describes a relationship.
  fileprivate var shape: [String: Set<AnyHashable>] {
    var shape: [String: Set<AnyHashable>] = [:]
    for entity in entities {
      shape[entity.name, default: []].formUnion([AnyHashable(entity.rows)] + entity.attributes.map { AnyHashable($0) })
      for relationship in entity.relationships {
        let ends = Set([entity.name, relationship.destination])
        shape["pairs", default: []].insert([
          AnyHashable(ends), AnyHashable(Set([relationship.perRow, relationship.perDestination])),
        ])
      }
    }
    return shape
  }
}

@Suite("A8 D10 · synthetic data of stores", .tags(.a8, .d10))
struct StoreSyntheticSourceTests {
  private static let stores = SampleStore.all.filter { !$0.isEmpty }

  private static func anonymous(_ store: SampleStore, isRenaming: Bool = false) throws -> AnonymousScenario {
    try AnonymousScenario(ofStoreAt: store.path, cells: ["{strategy: save}"], isRenaming: isRenaming)
  }

  @Test(
    "A profile that is written, read and generated from is the profile of the generated rows",
    arguments: stores, [false, true])
  func roundTrip(store: SampleStore, isRenaming: Bool) throws {
    let anonymous = try StoreSyntheticSourceTests.anonymous(store, isRenaming: isRenaming)
    let scenario = try read(anonymous.text)
    #expect(scenario.isReplay)
    let (told, made) = try profiles(scenario)
    #expect(told == anonymous.profile)
    #expect(made.shape == told.shape)
    if !isRenaming { #expect(made == told) }
  }

  @Test(
    "The file has counts of the store, and only those parts of its model that are not content",
    arguments: SampleStore.all(.library))
  func contents(store: SampleStore) throws {
    let text = try StoreSyntheticSourceTests.anonymous(store).text
    let books = store.rows(of: "Book")
    for line in [
      "    parent: Book", "        uniqueID: {distinct: \(books), lengths: {16: \(books)}}",
      store.isOwn
        ? "          number: {distinct: 25, lengths: {0: 24, 1: 276}}"
        : "          number: {distinct: 99, lengths: {0: 52, 1: 4918}}",
      "      title: {type: string}", "pages: {to: Page, inverse: book, many: true",
    ] { #expect(text.contains(line.trimmingCharacters(in: .whitespaces)), "\(line) is not in\n\(text)") }
    let scenario = try read(text)
    #expect(scenario.entityNames == ["Book", "GraphicNovel", "Feedback", "Page", "Author"])
    #expect(try scenario.sourceRows().tables.map(\.count) == scenario.entityNames.map(store.rows(of:)))
  }

  @Test(
    "Parts that the store's model leaves open are counted, with original and other names, and inspect is suggested",
    arguments: SampleStore.all(.shelf), [false, true])
  func remarks(store: SampleStore, isRenaming: Bool) throws {
    let original = try read("scenario: s\nsource: {store: '\(try store.path)'}\ncells: [{strategy: save}]\n")
    let count = original.modelRemarks.count
    let text = try StoreSyntheticSourceTests.anonymous(store, isRenaming: isRenaming).text
    #expect(count > 1)
    #expect(text.contains("\n# Read otherwise or left out of the store's model: \(count) parts, "), "\(text)")
  }

  @Test("The file has no text or blob of the store, and with other names none of the model's names", arguments: stores)
  func nothingOfTheContent(store: SampleStore) throws {
    let path = try store.path
    let original = try read("scenario: s\nsource: {store: '\(path)'}\ncells: [{strategy: save}]\n")
    let names = original.model.entities.flatMap { [$0.name] + $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let text = try StoreSyntheticSourceTests.anonymous(store).text
    let renamed = try StoreSyntheticSourceTests.anonymous(store, isRenaming: true).text
    var values: Set<[UInt8]> = []
    for table in try original.sourceRows().tables {
      for column in table.columns {
        switch column {
        case .text(let bytes), .blobs(let bytes):
          values.formUnion((0..<table.count).compactMap { bytes[$0].map(Array.init) })
        case .integers, .reals: break
        }
      }
    }
    let spelt = values.filter { $0.count >= 4 }.compactMap { String(validating: $0, as: UTF8.self) }
    #expect(!spelt.isEmpty)
    for value in spelt where !names.contains(where: { $0.contains(value) }) {
      #expect(!text.contains(value))
      #expect(!renamed.contains(value))
    }
    // Only names of the model have capitals inside.
    for name in names where name.dropFirst().contains(where: \.isUppercase) { #expect(!renamed.contains(name)) }
  }

  @Test(
    "A seed determines the rows, and all seeds give the same profile", arguments: SampleStore.all(.cars))
  func seeds(store: SampleStore) throws {
    let text = try StoreSyntheticSourceTests.anonymous(store).text
    func hashes(_ settings: String...) throws -> [UInt64] {
      let scenario = try ScenarioReader(schema: schema).read(
        text: text, file: "x.yml", overrides: settings.map { ScenarioOverride(key: "seed", value: $0, origin: "") })
      return try scenario.sourceRows().tables.map { $0.hash(rows: $0.count) }
    }
    let rows = try hashes()
    #expect(try hashes("42") == rows)
    #expect(try zip(hashes("43"), rows).allSatisfy { $0 != $1 })
    let fingerprint = try read(text).fingerprint
    #expect(try read(text, "seed=42").fingerprint == fingerprint)
    #expect(try read(text, "seed=43").fingerprint != fingerprint)
    #expect(try profiles(read(text, "seed=43")).made == profiles(read(text)).made)
  }
}

@Suite("A8 · synthetic rows", .tags(.a8))
struct SyntheticSourceTests {
  private static let everyType = """
    Thing:
      attributes:
        small: {type: int16, optional: true}
        middle: {type: int32}
        large: {type: int64}
        flag: {type: boolean, optional: true}
        single: {type: float}
        real: {type: double, optional: true}
        price: {type: decimal}
        time: {type: date}
        name: {type: string, optional: true}
        data: {type: binary}
        id: {type: uuid}
        link: {type: uri, optional: true}
        object: {type: transformable, optional: true}
    """
  private static let everyLength = """
    Thing:
      rows: 400
      attributes:
        small: {nulls: 10, distinct: 300, lengths: {0: 2, 1: 260, 2: 128}}
        middle: {distinct: 40, lengths: {3: 300, 4: 100}}
        large: {distinct: 400, lengths: {6: 200, 8: 200}}
        flag: {nulls: 100, distinct: 2, lengths: {0: 300}}
        single: {distinct: 399, lengths: {2: 100, 4: 100, 6: 100, 8: 100}}
        real: {nulls: 1, distinct: 7, lengths: {0: 99, 4: 100, 6: 100, 8: 100}}
        price: {distinct: 400, lengths: {1: 100, 8: 300}}
        time: {distinct: 400, lengths: {4: 150, 8: 250}}
        name: {nulls: 50, distinct: 120, lengths: {0: 10, 1: 95, 2: 100, 300: 145}}
        data: {distinct: 256, lengths: {1: 300, 5000: 100}}
        id: {distinct: 12, lengths: {16: 400}}
        link: {nulls: 300, distinct: 62, lengths: {1: 90, 40: 10}}
        object: {nulls: 399, distinct: 1, lengths: {9: 1}}
    """

  @Test("Attributes of every type have the requested nulls, distinct values and lengths")
  func everyType() throws {
    let scenario = try read(
      synthetic(model: SyntheticSourceTests.everyType, entities: SyntheticSourceTests.everyLength))
    let (told, made) = try profiles(scenario)
    #expect(told.entities[0].attributes.count == 13)
    #expect(made == told)
    let rows = try scenario.sourceRows().tables[0]
    for text in try rows.texts("name").compactMap(\.self) {
      #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
    for text in try rows.texts("link").compactMap(\.self) { #expect(URL(string: text)?.absoluteString == text) }
    for number in try rows.reals("single").compactMap(\.self) { #expect(Double(Float(number)) == number) }
    for number in try rows.integers("middle").compactMap(\.self) { #expect(Int32(exactly: number) != nil) }
    #expect(try Set(rows.integers("flag")) == [nil, 0, 1])
    // There are negative numbers only if the positive ones are not enough.
    #expect(try rows.integers("small").compactMap(\.self).contains { $0 < 0 })
    #expect(try rows.integers("large").compactMap(\.self).allSatisfy { $0 > 0 })
  }

  @Test("More than twenty different lengths are written as twenty with the same count and sum")
  func condensed() {
    let numbers = (0..<1_000).map { $0 * $0 % 707 }
    let distribution = Distribution(counting: numbers)
    let condensed = distribution.condensed
    #expect(distribution.parts.count > 100)
    #expect((11...Distribution.mostParts).contains(condensed.parts.count))
    #expect(condensed.count == 1_000)
    #expect(condensed.sum == numbers.reduce(0, +))
    #expect(condensed.condensed == condensed)
    #expect(Distribution(counting: [1, 1, 7]).condensed == Distribution([1: 2, 7: 1]))
  }

  @Test("Unique values are unique in a whole hierarchy, and so are pairs that need every combination")
  func unique() throws {
    let model = """
      Part:
        attributes: {code: {type: string}, shelf: {type: int16}, place: {type: int16, optional: true}}
        unique: [[code], [shelf, place]]
      Spare: {parent: Part}
      """
    let shape = """
      attributes:
        code: {distinct: 80, lengths: {1: 40, 2: 40}}
        shelf: {distinct: 8, lengths: {1: 80}}
        place: {distinct: 10, lengths: {1: 80}}
      """
    let scenario = try read(
      synthetic(
        model: model,
        entities: "Part:\n  rows: 80\n\(shape.indented(by: 2))\nSpare:\n  rows: 80\n\(shape.indented(by: 2))"))
    let rows = try scenario.sourceRows()
    #expect(try Set(rows.tables.flatMap { try $0.texts("code") }).count == 160)
    let pairs = try rows.tables.flatMap { try zip($0.integers("shelf"), $0.integers("place")).map { [$0, $1] } }
    #expect(Set(pairs).count == 160)
    #expect(try profiles(scenario).made.shape == profiles(scenario).told.shape)
  }

  private static let shapes = """
    Album:
      attributes: {title: {type: string}}
      relationships:
        songs: {to: Song, inverse: album, many: true, ordered: true, optional: false}
        tags: {to: Tag, inverse: albums, many: true, ordered: true}
        cover: {to: Cover, inverse: album}
        parent: {to: Album, inverse: parts}
        parts: {to: Album, inverse: parent, many: true}
    Song:
      attributes: {title: {type: string}}
      relationships: {album: {to: Album, inverse: songs, optional: false}}
    Live: {parent: Song}
    Tag:
      attributes: {name: {type: string}}
      relationships: {albums: {to: Album, inverse: tags, many: true, ordered: true}}
    Cover:
      attributes: {file: {type: string}}
      relationships: {album: {to: Album, inverse: cover, optional: false}, artist: {to: Tag, inverse: null}}
    """
  private static let shapedRows = """
    Album:
      rows: 10
      attributes: {title: {distinct: 10, lengths: {5: 10}}}
      relationships:
        tags: {Tag: {per_row: {1: 4, 3: 2}, per_destination: {2: 3, 4: 1}}}
        parent: {Album: {per_row: {1: 8}, per_destination: {1: 2, 3: 2}}}
    Song:
      rows: 30
      attributes: {title: {distinct: 30, lengths: {4: 30}}}
      relationships: {album: {Album: {per_row: {1: 30}, per_destination: {3: 6, 6: 2}}}}
    Live:
      rows: 5
      attributes: {title: {distinct: 5, lengths: {4: 5}}}
      relationships: {album: {Album: {per_row: {1: 5}, per_destination: {2: 1, 3: 1}}}}
    Tag:
      rows: 4
      attributes: {name: {distinct: 4, lengths: {3: 4}}}
    Cover:
      rows: 6
      attributes: {file: {distinct: 6, lengths: {3: 6}}}
      relationships:
        album: {Album: {per_row: {1: 6}, per_destination: {1: 6}}}
        artist: {Tag: {per_row: {1: 3}, per_destination: {3: 1}}}
    """
}

extension SyntheticSourceTests {
  @Test("Relationships of every kind have their shape, their orders and both ends, at every scale", arguments: [1, 7])
  func relationships(scale: Int) throws {
    let scenario = try read(
      synthetic(
        model: SyntheticSourceTests.shapes, entities: SyntheticSourceTests.shapedRows,
        settings: "seed: 3\n    scale: \(scale)"))
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.count) == [10, 6, 30, 5, 4].map { $0 * scale })
    let related = Dictionary(
      uniqueKeysWithValues: rows.relationships.map {
        ("\(rows.tables[$0.table].entityName).\($0.relationship.name)", $0.pairs)
      })
    #expect(
      related.mapValues { $0.count / scale } == [
        "Album.cover": 6, "Album.parent": 8, "Album.tags": 10, "Song.album": 30, "Live.album": 5, "Cover.album": 6,
        "Cover.artist": 3,
      ])
    let tags = try #require(related["Album.tags"])
    #expect(Set(tags.map { [$0.row, $0.destinationRow] }).count == tags.count)
    for (row, pairs) in Dictionary(grouping: tags, by: \.row) {
      #expect(pairs.map(\.position) == Array(pairs.indices), "\(row)")
    }
    for pairs in Dictionary(grouping: tags, by: \.destinationRow).values {
      #expect(pairs.map(\.inversePosition).sorted() == Array(pairs.indices))
    }
    // No required relationship is empty, at either end.
    let songs = try #require(related["Song.album"])
    #expect(songs.map(\.row) == Array(0..<30 * scale))
    let live = try #require(related["Live.album"])
    #expect(Set((songs + live).map(\.destinationRow)).count == 10 * scale)
    // Both ends of a one-to-one relationship have the same pairs.
    let covers = try #require(related["Album.cover"])
    #expect(
      Set(covers.map { [$0.row, $0.destinationRow] })
        == Set(related["Cover.album"]?.map { [$0.destinationRow, $0.row] } ?? []))
    #expect(Set(covers.map(\.row)).count == covers.count)
    // A relationship of a table to itself has no cycles.
    let parents = Dictionary(
      uniqueKeysWithValues: try #require(related["Album.parent"]).map { ($0.row, $0.destinationRow) })
    for start in parents.keys {
      var (row, steps) = (start, 0)
      while let parent = parents[row], steps <= parents.count { (row, steps) = (parent, steps + 1) }
      #expect(steps <= parents.count)
    }
    if scale == 1 {
      let (told, made) = try profiles(scenario)
      #expect(made.shape == told.shape)
    }
  }

  @Test("Rows of an entity and of its sub-entity that refer to one row have separate positions in its order")
  func places() throws {
    let rows = try read(
      synthetic(
        model: """
          Album:
            attributes: {title: {type: string}}
            relationships: {songs: {to: Song, inverse: album, many: true, ordered: true}}
          Song:
            attributes: {title: {type: string}}
            relationships: {album: {to: Album, inverse: songs}}
          Live: {parent: Song}
          """,
        entities: """
          Album: {rows: 2, attributes: {title: {distinct: 2, lengths: {5: 2}}}}
          Song:
            rows: 6
            attributes: {title: {distinct: 6, lengths: {4: 6}}}
            relationships: {album: {Album: {per_row: {1: 6}, per_destination: {3: 2}}}}
          Live:
            rows: 4
            attributes: {title: {distinct: 4, lengths: {4: 4}}}
            relationships: {album: {Album: {per_row: {1: 4}, per_destination: {2: 2}}}}
          """)
    ).sourceRows()
    let pairs = rows.relationships.filter { $0.relationship.name == "album" }.flatMap(\.pairs)
    let places = Dictionary(grouping: pairs, by: \.destinationRow).mapValues { $0.map(\.inversePosition).sorted() }
    #expect(places == [0: [0, 1, 2, 3, 4], 1: [0, 1, 2, 3, 4]])
  }

  @Test("Rows are written as a file that gives them again, even if relationships are their own inverse")
  func written() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [.init("null", .string, defaultValue: .string("secret")), .init("age", .int16, isOptional: true)],
        relationships: [
          .init("friends", to: "Person", inverse: "friends", isToMany: true, isOptional: false),
          .init("boss", to: "Person", inverse: nil),
        ], uniquenessConstraints: [["null"]],
        fetchIndexes: [.init("byAge", elements: [.init("age", isAscending: false)])])
    ])
    let column = { (texts: [String]) -> Column in
      var starts = [0]
      for text in texts { starts.append((starts.last ?? 0) + text.utf8.count) }
      return .text(BytesColumn(bytes: texts.flatMap { Array($0.utf8) }, starts: starts, nulls: []))
    }
    let person = try #require(model["Person"])
    let relationships = person.relationships
    let rows = SourceRows(
      tables: [
        ColumnarRows(
          entityName: "Person", attributes: person.attributes,
          columns: [column(["Ada", "Grace", "Emmy"]), .integers(NumberColumn([nil, 5, 5], placeholder: 0))], count: 3)
      ],
      relationships: [
        RelatedRows(
          table: 0, relationship: relationships[0], inverse: relationships[0],
          pairs: [
            .init(row: 0, destinationTable: 0, destinationRow: 1),
            .init(row: 1, destinationTable: 0, destinationRow: 0),
          ]),
        RelatedRows(
          table: 0, relationship: relationships[1], inverse: nil,
          pairs: [.init(row: 1, destinationTable: 0, destinationRow: 0)]),
      ])
    let anonymous = try AnonymousScenario(of: model, rows: rows, cells: ["{strategy: save}"])
    for words in [
      "# Left out, defaults of: Person.null.",
      "# Left out, pairs of relationships that are their own inverse: Person.friends.",
      "# Left out, descending order in indexes of: Person.", "because rows are without: Person.friends.",
      "unique: [['null']]", "null: {distinct: 3, lengths: {3: 1, 4: 1, 5: 1}}",
      "boss: {to: Person, inverse: null}", "age: {nulls: 1, distinct: 1, lengths: {1: 2}}",
    ] { #expect(anonymous.text.contains(words), "\(words) is not in\n\(anonymous.text)") }
    #expect(!anonymous.text.contains("secret"))
    let (told, made) = try profiles(read(anonymous.text))
    #expect(told == anonymous.profile)
    #expect(made == anonymous.profile)
    let renamed = try AnonymousScenario(of: model, rows: rows, cells: ["{strategy: save}"], isRenaming: true).text
    #expect(renamed.contains("unique: [[a2]]"))
    #expect(!renamed.contains("Person") && !renamed.contains("boss") && !renamed.contains("byAge"))
    #expect(try profiles(read(renamed)).made.rows == 3)
  }
}

extension SyntheticSourceTests {
  @Test("A single entity can be synthetic, and other rows have another fingerprint")
  func oneEntity() throws {
    let text = synthetic(model: SyntheticSourceTests.shapes, entities: SyntheticSourceTests.shapedRows)
    let tag = text.replacing("source:\n", with: "source:\n  entity: Tag\n")
    let scenario = try read(tag)
    #expect(scenario.entityNames == ["Tag"])
    #expect(scenario.source.summary == "synthetic rows, seed 42, Tag")
    #expect(try scenario.sourceRows().tables.map(\.count) == [4])
    let fingerprints = try [
      text, tag, text.replacing("seed: 42", with: "seed: 41"),
      text.replacing("lengths: {5: 10}", with: "lengths: {6: 10}"),
    ].map { try read($0).fingerprint }
    #expect(Set(fingerprints).count == 4)
    #expect(try read(text, "scale=3").fingerprint != fingerprints[0])
    #expect(try read(text, "scale=3").sourceRows().count == 165)
  }

  @Test(
    "Mistakes in a profile are reported at their location",
    arguments: [
      ("rows: 10\n", "rows: x\n", "rows"), ("Tag:\n        rows", "Tga:\n        rows", "the entity 'Tga'"),
      ("title: {distinct: 10,", "titel: {distinct: 10,", "did you mean 'title'?"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 10, lengths: {5: 9}}", "0 nulls and 9 values in 10 rows"),
      ("{distinct: 10, lengths: {5: 10}}", "{nulls: 1, distinct: 9, lengths: {5: 9}}", "which is required"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 11, lengths: {5: 10}}", "from 1 to 10"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 0, lengths: {5: 10}}", "from 1 to 10"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 10, lengths: {0: 10}}", "from 1 to 1"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 10, lengths: {5: 10, 05: 1}}", "the number 5 again"),
      ("{distinct: 10, lengths: {5: 10}}", "{distinct: 10, lengths: {-5: 10}}", "a whole number from 0"),
      ("per_row: {1: 30}", "per_row: {2: 15}", "from 1 to 1"),
      ("per_row: {1: 30}", "per_row: {1: 29}", "29 pairs by row and 30 by destination"),
      ("{3: 6, 6: 2}", "{1: 24, 6: 1}", "25 destinations among 10 rows"),
      ("{per_row: {1: 6}, per_destination: {1: 6}}", "{per_row: {1: 6}, per_destination: {2: 3}}", "from 1 to 1"),
      (
        "{per_row: {1: 6}, per_destination: {1: 6}}", "{per_row: {1: 5}, per_destination: {1: 5}}",
        "5 of 6 rows with 'album'"
      ),
      (
        "{per_row: {1: 4, 3: 2}, per_destination: {2: 3, 4: 1}}", "{per_row: {5: 2}, per_destination: {3: 2, 4: 1}}",
        "up to 5 of 3"
      ),
      ("artist: {Tag:", "artist: {Song:", "the entity 'Song'"),
      ("artist: {Tag:", "artis: {Tag:", "did you mean 'artist'?"),
      (
        "        parent: {Album:",
        "        cover: {Cover: {per_row: {1: 6}, per_destination: {1: 6}}}\n          parent: {Album:",
        "is given too"
      ),
      ("seed: 42", "seed: -1", "a whole number"), ("seed: 42", "scale: 100_000_000", "5500000000 rows in all"),
      ("seed: 42", "sead: 42", "did you mean 'seed'?"),
    ])
  func mistakes(old: String, new: String, found: String) throws {
    let text = synthetic(model: SyntheticSourceTests.shapes, entities: SyntheticSourceTests.shapedRows)
    let source = text.split(separator: "source:")
    let wrong = source[0] + "source:" + source[1].replacing(old, with: new, maxReplacements: 1)
    #expect(String(wrong) != text, "\(old) is not in\n\(text)")
    let told = complaints(String(wrong))
    #expect(told.contains { $0.contains(found) }, "\(told)")
    #expect(told.allSatisfy { $0.hasPrefix("Scenarios/x.yml:") })
  }

  @Test("Generator settings are refused with synthetic data, and a unique attribute has unique values")
  func otherMistakes() {
    let text = synthetic(model: SyntheticSourceTests.shapes, entities: SyntheticSourceTests.shapedRows)
    #expect(complaints(text, "duplicates=5%").first?.contains("while the source is synthetic data") == true)
    let unique = synthetic(
      model: "Tag: {attributes: {name: {type: string}}, unique: [[name]]}",
      entities: "Tag: {rows: 3, attributes: {name: {distinct: 2, lengths: {4: 3}}}}")
    #expect(complaints(unique).first?.contains("2 different values of the unique attribute 'name'") == true)
    #expect(
      complaints(text + "repeat: 2\n").first?.contains("the key 'repeat' with the rows of several entities") == true)
  }
}

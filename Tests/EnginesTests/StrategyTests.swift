// A1, B7, B11, A8: every strategy leaves the same rows, for every size, policy and source.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import Scenarios
import StoreFixtures
import Testing
import Harness

@Suite("A1 A8 · strategies")
struct StrategyTests {
  @Test("Every strategy stores the expected rows", .tags(.a1, .b7), arguments: everyCell)
  func contents(cell: Cell) throws {
    let entity = EntityDescription.quake(unique: false)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 500, seed: 3)).rows(for: entity)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity)])
    let found = try run(cell, rows, entity: entity)
    #expect(found.rows == 500 && found.contentHash == expected.contentHash && found.versions == [1: 500])
  }

  @Test(
    "Duplicates have the same result in every strategy, for every policy that resolves them", .tags(.b11),
    arguments: everyCell, [MergePolicy.MergeType.storeTrump, .objectTrump, .overwrite, .rollback])
  func duplicates(cell: Cell, type: MergePolicy.MergeType) throws {
    let entity = EntityDescription.quake(unique: true)
    let policy = MergePolicy(mergeType: type)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 400, seed: 5, duplicates: 0.25)).rows(for: entity)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity, policy: policy, repeats: 2)])
    #expect(expected.rows == 300)
    let found = try run(cell, rows, entity: entity, policy: policy, repeats: 2)
    #expect(found.rows == 300 && found.contentHash == expected.contentHash)
    // Under the policies that overwrite, each row beyond the first increments the version: 800 rows into 300.
    let writes = [.objectTrump, .overwrite].contains(type)
    #expect(found.versions.reduce(0) { $0 + $1.key * $1.value } == (writes ? 800 : 300))
  }

  @Test(
    "Every strategy has a description of at most 40 characters", .tags(.a1), arguments: BuiltInEngines.all.map(\.name))
  func glosses(name: String) throws {
    let strategies = try #require(BuiltInEngines.all.first { $0.name == name }).strategies
    try #require(!strategies.isEmpty)
    for strategy in strategies {
      let gloss = strategy.gloss ?? strategy.summary
      #expect(!gloss.isEmpty && gloss.count <= 40, "\(strategy.name): \(gloss)")
    }
  }
}

extension StrategyTests {
  @Test("Saves and requests of any size leave the same rows", .tags(.a1), arguments: [1, 7, 50, 100, 1_000])
  func sizes(size: Int) throws {
    let entity = EntityDescription.quake(unique: true)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 100)).rows(for: entity)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity)])
    let cells = everyCell.filter { $0.engine == "objectgraph" }
    try #require(!cells.isEmpty)
    for var cell in cells {
      cell.parameters = [cell.strategy == "save" ? "save_every" : "request_size": .count(size)]
      #expect(try run(cell, rows, entity: entity).contentHash == expected.contentHash, "\(cell.id)")
    }
  }

  @Test("Every attribute type works in every strategy, with nulls as defaults", .tags(.d1), arguments: everyCell)
  func everyType(cell: Cell) throws {
    func attribute(_ type: AttributeType, _ value: AttributeValue = .null) -> AttributeDescription {
      AttributeDescription("a\(type.rawValue)", type, isOptional: true, defaultValue: value)
    }
    let entity = EntityDescription(
      "Sample",
      attributes: [
        attribute(.int16, -3), attribute(.int32), attribute(.int64), attribute(.boolean, true), attribute(.float, 1.2),
        attribute(.double), attribute(.decimal, .decimal(Decimal(string: "2.50")!)),
        attribute(.date, .date(Date(timeIntervalSinceReferenceDate: 86_400))), attribute(.string, "none"),
        attribute(.uri), attribute(.binary, .binary(Data([1, 2]))), attribute(.uuid),
      ])
    func text(_ values: [[UInt8]?]) -> BytesColumn {
      var starts = [0]
      for value in values { starts.append((starts.last ?? 0) + (value?.count ?? 0)) }
      return BytesColumn(bytes: values.flatMap { $0 ?? [] }, starts: starts, nulls: values.map { $0 == nil })
    }
    let columns = entity.attributes.map { attribute -> Column in
      switch attribute.type.storageClass {
      case .integer: .integers(NumberColumn([1, nil, 0], placeholder: 0))
      case .real: .reals(NumberColumn([0.1, nil, -631_064_399], placeholder: 0))
      case .text: .text(text([Array("x:a/1".utf8), nil, attribute.type == .uri ? Array("y:2".utf8) : []]))
      case .blob: .blobs(text([Array(0..<16), nil, Array(repeating: 255, count: 16)]))
      }
    }
    let rows = ColumnarRows(entityName: "Sample", attributes: entity.attributes, columns: columns, count: 3)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity)])
    let found = try run(cell, rows, entity: entity)
    #expect(found.contentHash == expected.contentHash)
    #expect(found.nulls == ["aint32": 1, "aint64": 1, "adouble": 1, "auri": 1, "auuid": 1])
  }

  @Test(
    "A row without a required value stores nothing in any ObjectGraph strategy", .tags(.b7),
    arguments: everyCell.filter { $0.engine == "objectgraph" })
  func missingValue(cell: Cell) throws {
    let entity = EntityDescription("Item", attributes: [AttributeDescription("size", .double)])
    let rows = ColumnarRows(
      entityName: "Item", attributes: entity.attributes,
      columns: [.reals(NumberColumn((0..<7_000).map { $0 == 6_999 ? nil : Double($0) }, placeholder: 0))], count: 7_000)
    let error = #expect(throws: ObjectGraphError.self) { try run(cell, rows, entity: entity) }
    #expect(error?.description.contains("size") == true)
    #expect(error?.code == 1570)
  }
}

extension StrategyTests {
  @Test("A store too small for the rows fails with SQLite's message", .tags(.a1), arguments: everyCell)
  func fullStore(cell: Cell) throws {
    let entity = EntityDescription.quake(unique: true)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 3_000)).rows(for: entity)
    #expect { try run(cell, rows, entity: entity, pragmas: [StorePragma("max_page_count", "30")]) } throws: {
      "\($0)".contains("full")
    }
  }

  /// The rows of each month, and the contents of a store after storing them twice.
  private static let months = Dictionary(
    uniqueKeysWithValues: SampleFeed.months.map { feed in
      let month = Result {
        let rows = try SourceDescription.feed(path: feed.path).rows(for: .quake(unique: true))
        let contents = ExpectedContents(of: [
          ExpectedRows(of: rows, entity: .quake(unique: true), policy: .mergeByPropertyObjectTrump, repeats: 2)
        ])
        return (rows: rows, hash: contents.contentHash)
      }
      return (feed.name, month)
    })

  /// Every strategy with the small month, and one of each kind with the month next to the package, unless there is time
  /// for all.
  private static let monthsByCell: [(feed: SampleFeed, cell: Cell)] = SampleFeed.months.flatMap { feed in
    everyCell.filter { feed.isOwn || isThorough || ["save", "batch-dictionary", "insert-many"].contains($0.strategy) }
      .map { (feed, $0) }
  }

  @Test(
    "A month of earthquakes ingested twice leaves each once, with version 2 and any missing magnitude still missing",
    .tags(.a8, .b11), arguments: monthsByCell)
  func month(feed: SampleFeed, cell: Cell) throws {
    let month = try #require(Self.months[feed.name]).get()
    let found = try run(
      cell, month.rows, entity: .quake(unique: true), policy: .mergeByPropertyObjectTrump, repeats: 2)
    let nulls = ["magnitude": feed.withoutMagnitude, "place": feed.withoutPlace].filter { $0.value > 0 }
    #expect(found.rows == feed.rows && found.nulls == nulls && found.versions == [2: feed.rows])
    #expect(found.contentHash == month.hash)
  }

  @Test(
    "Rows that correct earlier ones of the same feed leave each earthquake once", .tags(.a8, .b11), arguments: everyCell
  )
  func repeated(cell: Cell) throws {
    let entity = EntityDescription.quake(unique: true)
    let rows = try SourceDescription.feed(path: SampleFeed.repeated.path).rows(for: entity)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity, policy: .mergeByPropertyObjectTrump)])
    let found = try run(cell, rows, entity: entity, policy: .mergeByPropertyObjectTrump)
    #expect(rows.count == SampleFeed.repeated.rows && found.rows == 5)
    #expect(found.contentHash == expected.contentHash)
  }
}

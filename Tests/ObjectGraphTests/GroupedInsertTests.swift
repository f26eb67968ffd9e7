// B7, B9: many rows are stored several at a step; what becomes of each stays the same as one by one.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import SQLiteDriver
import Testing

@Suite("B7 B9 · rows stored in groups")
struct GroupedInsertTests {
  typealias Style = BatchInsertTests.Style

  /// Quakes without a constraint.
  private static let free: EntityDescription = {
    var entity = EntityDescription.quake()
    entity.uniquenessConstraints = []
    return entity
  }()

  private func rows(_ count: Int) -> [[String: AttributeValue]] {
    (1...count).map { number in
      let magnitude: Double? = number % 7 == 0 ? nil : Double(number)
      let place: String? = number % 5 == 0 ? nil : "place \(number)"
      return Quake.row("q\(number)", magnitude, place: place)
    }
  }

  private func expected(_ rows: [[String: AttributeValue]]) -> [String] {
    rows.enumerated().map { index, row in
      let magnitude = if case .real(let number) = row["magnitude"] { "\(number)" } else { "NULL" }
      let place = if case .string(let text) = row["place"] { text } else { "NULL" }
      return "\(index + 1)|1|q\(index + 1)|\(magnitude)|\(place)"
    }
  }

  private let contents = "SELECT Z_PK, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY Z_PK"

  @Test(
    "Whatever the number of rows, each is stored once, under its key, in order", .tags(.b7),
    arguments: Style.allCases, [99, 100, 101, 149, 150, 151, 1_000, 1_049])
  func counts(style: Style, count: Int) throws {
    for entity in [GroupedInsertTests.free, .quake()] {
      let stack = try TestStack([entity])
      let context = stack.context(.mergeByPropertyObjectTrump)
      let rows = rows(count)
      try context.performAndWait { () throws in try context.execute(style.request(rows)) }
      #expect(try stack.rows(contents) == expected(rows))
      #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(count)"])
    }
  }

  @Test("Texts too long for a statement to keep are stored among the others", .tags(.b7), arguments: Style.allCases)
  func longTexts(style: Style) throws {
    let stack = try TestStack([GroupedInsertTests.free])
    let context = stack.context()
    var rows = rows(400)
    for place in [100, 101, 180, 249, 250, 399] {
      rows[place]["place"] = .string(String(repeating: "å", count: 10_000 + place))
    }
    try context.performAndWait { () throws in try context.execute(style.request(rows)) }
    #expect(try stack.rows(contents) == expected(rows))
  }

  @Test("Counts, object IDs and history name every row", .tags(.b9, .c2), arguments: Style.allCases)
  func results(style: Style) throws {
    let stack = try TestStack([GroupedInsertTests.free]) { $0.tracksPersistentHistory = true }
    let context = stack.context()
    let (count, objectIDs) = try context.performAndWait { () throws in
      var request = style.request(rows(333))
      request.resultType = .count
      let count = try context.execute(request)
      request = style.request(rows(333))
      request.resultType = .objectIDs
      return (count, try context.execute(request))
    }
    #expect(count == .count(333))
    guard case .objectIDs(let found) = objectIDs else { throw TestFailure("\(objectIDs)") }
    let keys = found.compactMap { $0.uriRepresentation().split(separator: "/").last.map(String.init) }
    #expect(keys == (334...666).map { "p\($0)" })
    #expect(
      try stack.rows("SELECT count(*), min(ZENTITYPK), max(ZENTITYPK), count(DISTINCT ZENTITYPK) FROM ACHANGE")
        == ["666|1|666|666"])
  }

  @Test("Rows with taken values are skipped or written over as one by one", .tags(.b11), arguments: Style.allCases)
  func takenValues(style: Style) throws {
    for policy in [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let stack = try TestStack()
      let context = stack.context(policy)
      var rows = rows(500)
      // One in ten repeats the one before, also within a group.
      for index in stride(from: 9, to: 500, by: 10) { rows[index]["code"] = rows[index - 1]["code"] }
      var request = style.request(rows)
      let byOne = try TestStack()
      let other = byOne.context(policy)
      try context.performAndWait { () throws in try context.execute(request) }
      request = style.request(rows)
      // What became of each row is asked for, so that each is stored by itself.
      request.resultType = .objectIDs
      try other.performAndWait { () throws in try other.execute(request) }
      #expect(try stack.rows(contents) == byOne.rows(contents))
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["450"])
    }
  }

  @Test(
    "A row that the store refuses is named with its number, and nothing is stored", .tags(.b7),
    arguments: Style.allCases, [1, 100, 101, 137, 150, 151, 320])
  func refusedRow(style: Style, number: Int) throws {
    let stack = try TestStack([GroupedInsertTests.free])
    try stack.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON ZQUAKE WHEN NEW.ZCODE = 'q\(number)'
      BEGIN SELECT RAISE(ABORT, 'not this one'); END
      """)
    let context = stack.context()
    let error = #expect(throws: ObjectGraphError.self) {
      try context.performAndWait { try context.execute(style.request(rows(320))) }
    }
    #expect(error?.description.contains("row \(number)") == true, "\(String(describing: error))")
    #expect(error?.description.contains("not this one") == true)
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZQUAKE), Z_MAX FROM Z_PRIMARYKEY") == ["0|0"])
  }

  @Test(
    "A key that somebody else's row has is named with the row's number", .tags(.b7), arguments: [1, 100, 130, 200, 310])
  func takenKey(number: Int) throws {
    let stack = try TestStack([GroupedInsertTests.free])
    try stack.execute("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(number), 1, 1, 'foreign')")
    let context = stack.context()
    let error = #expect(throws: ObjectGraphError.self) {
      try context.performAndWait { try context.execute(Style.objects.request(rows(320))) }
    }
    #expect(error?.description.contains("row \(number)") == true, "\(String(describing: error))")
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["foreign"])
  }

  @Test(
    "Transactions of any size take whole rows, and those before a failure stay", .tags(.b13), arguments: [30, 100, 160])
  func transactions(size: Int) throws {
    let stack = try TestStack([GroupedInsertTests.free])
    let context = stack.context()
    var rows = rows(700)
    rows[650]["code"] = nil
    var request = Style.objects.request(rows)
    request.transactionSize = size
    #expect(throws: ObjectGraphError.self) { try context.performAndWait { try context.execute(request) } }
    let stored = 650 / size * size
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(stored)|\(stored)"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(stored)"])
  }

  @Test("A save of many objects stores each under its permanent ID, with its references", .tags(.d5))
  func saves() throws {
    let stack = try TestStack([GroupedInsertTests.free])
    let context = stack.context()
    let rows = rows(777)
    try context.performAndWait { () throws in
      var objects: [ManagedObject] = []
      for row in rows {
        let object = try context.insertNewObject(forEntityName: "Quake")
        for (key, value) in row { object[key] = value }
        objects.append(object)
      }
      try context.save()
      let keys = objects.compactMap { $0.objectID.uriRepresentation().split(separator: "/").last.map(String.init) }
      #expect(keys == (1...777).map { "p\($0)" })
    }
    #expect(try stack.rows(contents) == expected(rows))
  }
}

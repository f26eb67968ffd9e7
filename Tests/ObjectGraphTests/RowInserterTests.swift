// B7, B9, B11, D5, C2: rows of batch inserts and saves are stored one by one, in groups or on a second thread, with the
// same stored rows, refusals and history.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("B7 B9 B11 D5 C2 · inserting rows")
struct RowInserterTests {
  typealias Style = BatchInsertTests.Style

  /// Quakes without a constraint; only the code is required.
  static let free: EntityDescription = {
    var entity = EntityDescription.quake(unique: false)
    for index in entity.attributes.indices where entity.attributes[index].name != "code" {
      entity.attributes[index].isOptional = true
    }
    return entity
  }()

  static let contents = "SELECT Z_PK, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY Z_PK"

  func quakes(_ count: Int) -> [[String: AttributeValue]] {
    (1...count).map { number in
      let magnitude: Double? = number % 7 == 0 ? nil : Double(number)
      let place: String? = number % 5 == 0 ? nil : "place \(number)"
      return Quake.row("q\(number)", magnitude, place: place)
    }
  }

  func expected(_ rows: [[String: AttributeValue]]) -> [String] {
    rows.enumerated().map { index, row in
      let magnitude = if case .real(let number) = row["magnitude"] { "\(number)" } else { "NULL" }
      let place = if case .string(let text) = row["place"] { text } else { "NULL" }
      return "\(index + 1)|1|q\(index + 1)|\(magnitude)|\(place)"
    }
  }

  func refusal(of number: Int) -> String {
    """
    CREATE TRIGGER refuse BEFORE INSERT ON ZQUAKE WHEN NEW.ZCODE = 'q\(number)'
    BEGIN SELECT RAISE(ABORT, 'not this one'); END
    """
  }

  func insert(_ rows: [[String: AttributeValue]], into context: ManagedObjectContext) throws -> [ManagedObject] {
    try rows.map { row in
      let object = try context.insertNewObject(forEntityName: "Quake")
      for (key, value) in row { object[key] = value }
      return object
    }
  }

  @Test(
    "Whatever the number of rows and the size of transactions, each is stored once, under its key, in order",
    .tags(.b7),
    arguments: Style.allCases, [99, 100, 101, 149, 150, 151, 499, 500, 501, 550, 1_000, 1_049, 1_337, 10_000])
  func counts(style: Style, count: Int) throws {
    for (entity, size) in [(Self.free, 0), (.quake(), 0), (Self.free, 777)] {
      let stack = try TestStack([entity])
      let context = stack.context(.mergeByPropertyObjectTrump)
      let rows = quakes(count)
      var request = style.request(rows)
      request.transactionSize = size
      try context.performAndWait { () throws in try context.execute(request) }
      #expect(try stack.rows(Self.contents) == expected(rows))
      #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(count)"])
    }
  }

  @Test("Counts, object IDs and history name every row", .tags(.b9, .c2), arguments: Style.allCases, [333, 2_345])
  func results(style: Style, rows: Int) throws {
    let stack = try TestStack([Self.free]) { $0.tracksPersistentHistory = true }
    let context = stack.context()
    let (count, objectIDs) = try context.performAndWait { () throws in
      var request = style.request(quakes(rows))
      request.resultType = .count
      let count = try context.execute(request)
      request = style.request(quakes(rows))
      request.resultType = .objectIDs
      return (count, try context.execute(request))
    }
    #expect(count == .count(rows))
    guard case .objectIDs(let found) = objectIDs else { throw TestFailure("\(objectIDs)") }
    let keys = found.compactMap { $0.uriRepresentation().split(separator: "/").last.map(String.init) }
    #expect(keys == (rows + 1...2 * rows).map { "p\($0)" })
    #expect(
      try stack.rows("SELECT count(*), min(ZENTITYPK), max(ZENTITYPK), count(DISTINCT ZENTITYPK) FROM ACHANGE")
        == ["\(2 * rows)|1|\(2 * rows)|\(2 * rows)"])
  }

  @Test("Texts too long for a statement to keep are stored among the others", .tags(.b7), arguments: Style.allCases)
  func longTexts(style: Style) throws {
    let stack = try TestStack([Self.free])
    let context = stack.context()
    var rows = quakes(400)
    for place in [100, 101, 180, 249, 250, 399] {
      rows[place]["place"] = .string(String(repeating: "å", count: 10_000 + place))
    }
    try context.performAndWait { () throws in try context.execute(style.request(rows)) }
    #expect(try stack.rows(Self.contents) == expected(rows))
  }
}

extension RowInserterTests {
  @Test(
    "Rows with taken values are skipped or overwritten as in single inserts", .tags(.b11), arguments: Style.allCases)
  func takenValues(style: Style) throws {
    for policy in [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let stack = try TestStack()
      let context = stack.context(policy)
      var rows = quakes(500)
      // One in ten repeats the previous one, also within a group.
      for index in stride(from: 9, to: 500, by: 10) { rows[index]["code"] = rows[index - 1]["code"] }
      var request = style.request(rows)
      let byOne = try TestStack()
      let other = byOne.context(policy)
      try context.performAndWait { () throws in try context.execute(request) }
      request = style.request(rows)
      // The request needs the result of each row, so each is stored separately.
      request.resultType = .objectIDs
      try other.performAndWait { () throws in try other.execute(request) }
      #expect(try stack.rows(Self.contents) == byOne.rows(Self.contents))
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["450"])
    }
  }

  @Test(
    "A row that the store refuses is reported with its number, and nothing is stored", .tags(.b7),
    arguments: Style.allCases, [1, 100, 101, 137, 150, 151, 320, 500, 501, 550, 551, 699, 1_000, 2_222, 3_000])
  func refusedRow(style: Style, number: Int) throws {
    let stack = try TestStack([Self.free])
    try stack.execute(refusal(of: number))
    let context = stack.context()
    let error = #expect(throws: ObjectGraphError.self) {
      try context.performAndWait { try context.execute(style.request(quakes(number < 500 ? 320 : 3_000))) }
    }
    #expect(error?.description.contains("row \(number)") == true, "\(String(describing: error))")
    #expect(error?.description.contains("not this one") == true)
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZQUAKE), Z_MAX FROM Z_PRIMARYKEY") == ["0|0"])
    // The store is unchanged and accepts other rows.
    try context.performAndWait { () throws in
      try context.execute(style.request(quakes(number + 1).filter { $0["code"] != .string("q\(number)") }))
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["\(number)"])
  }

  @Test(
    "A key that another row has is reported with the row's number", .tags(.b7), arguments: [1, 100, 130, 200, 310])
  func takenKey(number: Int) throws {
    let stack = try TestStack([Self.free])
    try stack.execute("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(number), 1, 1, 'foreign')")
    let context = stack.context()
    let error = #expect(throws: ObjectGraphError.self) {
      try context.performAndWait { try context.execute(Style.objects.request(quakes(320))) }
    }
    #expect(error?.description.contains("row \(number)") == true, "\(String(describing: error))")
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["foreign"])
  }

  @Test(
    "Transactions of any size contain whole rows, and those before a failure stay", .tags(.b13),
    arguments: [30, 100, 160])
  func transactions(size: Int) throws {
    let stack = try TestStack([Self.free])
    let context = stack.context()
    var rows = quakes(700)
    rows[650]["code"] = nil
    var request = Style.objects.request(rows)
    request.transactionSize = size
    #expect(throws: ObjectGraphError.self) { try context.performAndWait { try context.execute(request) } }
    let stored = 650 / size * size
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(stored)|\(stored)"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(stored)"])
  }
}

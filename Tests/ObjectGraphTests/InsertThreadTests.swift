// B7, D5: a batch insert or a save on two processors stores the same rows, and fails with the same words, as one on a single thread.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import Support
import Synchronization
import Testing

@Suite("B7 D5 · inserts on two processors")
struct InsertThreadTests {
  typealias Style = BatchInsertTests.Style

  /// A request that is followed stage by stage is carried out by one thread.
  private final class Follower: BatchInsertTracer {
    func began(_ stage: BatchInsertStage) {}
    func ended(isStored: Bool) {}
  }

  private static let free: EntityDescription = {
    var entity = EntityDescription.quake()
    entity.uniquenessConstraints = []
    for index in entity.attributes.indices where entity.attributes[index].name != "code" {
      entity.attributes[index].isOptional = true
    }
    return entity
  }()

  private static let everything = EntityDescription(
    "Sample",
    attributes: [
      AttributeDescription("code", .string), AttributeDescription("text", .string, isOptional: true),
      AttributeDescription("data", .binary, isOptional: true), AttributeDescription("count", .int64, isOptional: true),
      AttributeDescription("flag", .boolean, isOptional: true),
      AttributeDescription("ratio", .double, isOptional: true),
      AttributeDescription("date", .date, isOptional: true), AttributeDescription("price", .decimal, isOptional: true),
      AttributeDescription("id", .uuid, isOptional: true), AttributeDescription("address", .uri, isOptional: true),
    ])

  private func quakes(_ count: Int) -> [[String: AttributeValue]] {
    (1...count).map { number in
      let magnitude: Double? = number % 7 == 0 ? nil : Double(number)
      let place: String? = number % 5 == 0 ? nil : "place \(number)"
      return Quake.row("q\(number)", magnitude, place: place)
    }
  }

  /// Rows of every kind of value, some of them empty, some longer than a buffer.
  private func samples(_ count: Int) -> [[String: AttributeValue]] {
    (1...count).map { number in
      var row: [String: AttributeValue] = ["code": .string("s\(number)")]
      let length = number % 97 == 0 ? 300_000 : number % 13 == 0 ? 0 : number % 41
      if number % 3 != 0 { row["text"] = .string(String(repeating: "å", count: length)) }
      if number % 4 != 0 { row["data"] = .binary(Data(repeating: UInt8(number % 256), count: length)) }
      let factor: Int64 = number % 8 == 1 ? -1 : .max / 1_000_000
      if number % 2 != 0 { row["count"] = .integer(Int64(number) * factor) }
      if number % 5 != 0 { row["flag"] = .boolean(number % 2 == 0) }
      row["ratio"] = .real(number % 11 == 0 ? .infinity : 1 / Double(number))
      row["date"] = .date(Date(timeIntervalSinceReferenceDate: Double(number) / 8))
      row["price"] = .decimal(Decimal(number) / 100)
      row["id"] = .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number % 256))))
      row["address"] = URL(string: "https://example.org/\(number)").map { .uri($0) }
      return row
    }
  }

  private func store(_ request: BatchInsertRequest, _ tracer: Follower?) throws -> [String] {
    let entity = InsertThreadTests.everything
    let stack = try TestStack([entity])
    let context = stack.context()
    try context.performAndWait { () throws in try context.execute(request, tracer: tracer) }
    let table = "Z\(entity.name.uppercased())"
    let columns = try stack.rows("SELECT name FROM pragma_table_info('\(table)')").map { "quote(\($0))" }
    return try stack.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY Z_PK")
  }

  @Test("Rows with values of every kind are the same as by one thread", .tags(.b7), arguments: Style.allCases)
  func values(style: Style) throws {
    let rows = samples(1_700)
    let byOne = try store(style.request(rows, entityName: "Sample"), Follower())
    #expect(byOne.count == 1_700)
    #expect(try store(style.request(rows, entityName: "Sample"), nil) == byOne)
  }

  @Test(
    "Whatever the number of rows and the size of transactions, each row is stored once, in order", .tags(.b7),
    arguments: Style.allCases, [499, 500, 501, 550, 1_337, 10_000])
  func counts(style: Style, count: Int) throws {
    for (entity, size) in [(InsertThreadTests.free, 0), (.quake(), 0), (InsertThreadTests.free, 777)] {
      let stack = try TestStack([entity])
      let context = stack.context(.mergeByPropertyObjectTrump)
      var request = style.request(quakes(count))
      request.transactionSize = size
      try context.performAndWait { () throws in try context.execute(request) }
      #expect(
        try stack.rows(
          "SELECT count(*), sum(ZCODE = 'q' || Z_PK), max(Z_PK), (SELECT Z_MAX FROM Z_PRIMARYKEY) FROM ZQUAKE")
          == ["\(count)|\(count)|\(count)|\(count)"])
    }
  }

  @Test("Another thread has SQLite store rows, and the handler is called on the caller's", .tags(.b7))
  func threads() throws {
    let stack = try TestStack([InsertThreadTests.free])
    try stack.coordinator.close()
    var description = stack.description()
    let inserting = Lock<Set<UInt>>([])
    description.sqlTrace = SQLTrace { line in
      if line.contains("INSERT OR FAIL") { inserting.withLock { _ = $0.insert(currentThread()) } }
    }
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    try context.performAndWait { () throws in
      let caller = currentThread()
      var calls = 0
      var handlers: Set<UInt> = []
      try context.execute(
        BatchInsertRequest(entityName: "Quake") { (object: ManagedObject) in
          handlers.insert(currentThread())
          calls += 1
          object["code"] = .string("q\(calls)")
          return calls > 3_000
        })
      #expect(calls == 3_001)
      #expect(handlers == [caller])
      let count = ThreadProcessors.allowed().count > 1 ? 2 : 1
      #expect(inserting.withLock { $0 }.count == count)
    }
  }

  @Test(
    "A row that the store refuses is named with its number, and nothing is stored", .tags(.b7),
    arguments: Style.allCases, [500, 501, 550, 551, 699, 1_000, 2_222, 3_000])
  func refusedRow(style: Style, number: Int) throws {
    let stack = try TestStack([InsertThreadTests.free])
    try stack.execute(refusal(of: number))
    let context = stack.context()
    let error = #expect(throws: ObjectGraphError.self) {
      try context.performAndWait { try context.execute(style.request(quakes(3_000))) }
    }
    #expect(error?.description.contains("row \(number)") == true, "\(String(describing: error))")
    #expect(error?.description.contains("not this one") == true)
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZQUAKE), Z_MAX FROM Z_PRIMARYKEY") == ["0|0"])
    // The store is as it was, and takes others.
    try context.performAndWait { () throws in try context.execute(style.request(quakes(number - 1))) }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["\(number - 1)"])
  }

  @Test(
    "Of a row that the store refuses and a later one without its value, the same is told as by one thread", .tags(.b7),
    arguments: [(600, 2_000), (601, 610), (640, 651), (1_999, 2_000), (1_950, 2_000), (2_400, 900)])
  func firstError(refused: Int, incomplete: Int) throws {
    var rows = quakes(3_000)
    rows[incomplete - 1]["code"] = nil
    var messages: [String] = []
    for tracer in [nil, Follower()] {
      let stack = try TestStack([InsertThreadTests.free])
      try stack.execute(refusal(of: refused))
      let context = stack.context()
      let error = #expect(throws: ObjectGraphError.self) {
        try context.performAndWait { try context.execute(Style.objects.request(rows), tracer: tracer) }
      }
      messages.append(error?.description.replacingOccurrences(of: stack.path, with: "") ?? "")
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
    }
    #expect(messages[0] == messages[1])
  }

  @Test("A handler is asked for no more rows soon after one was refused", .tags(.b7))
  func refusedEarly() throws {
    let stack = try TestStack([InsertThreadTests.free])
    try stack.execute(refusal(of: 600))
    let context = stack.context()
    var calls = 0
    #expect(throws: ObjectGraphError.self) {
      try context.performAndWait {
        try context.execute(
          BatchInsertRequest(entityName: "Quake") { (object: ManagedObject) in
            calls += 1
            object["code"] = .string("q\(calls)")
            return calls > 1_000_000
          })
      }
    }
    // What the buffers hold, and not what the handler would go on to give.
    #expect(calls >= 600)
    #expect(calls < 10_000)
  }

  @Test("Counts, object IDs and history name every row", .tags(.b9, .c2), arguments: Style.allCases)
  func results(style: Style) throws {
    let stack = try TestStack([InsertThreadTests.free]) { $0.tracksPersistentHistory = true }
    let context = stack.context()
    let result = try context.performAndWait { () throws in
      var request = style.request(quakes(2_345))
      request.resultType = .objectIDs
      return try context.execute(request)
    }
    guard case .objectIDs(let found) = result else { throw TestFailure("\(result)") }
    let keys = found.compactMap { $0.uriRepresentation().split(separator: "/").last.map(String.init) }
    #expect(keys == (1...2_345).map { "p\($0)" })
    #expect(
      try stack.rows("SELECT count(*), min(ZENTITYPK), max(ZENTITYPK), count(DISTINCT ZENTITYPK) FROM ACHANGE")
        == ["2345|1|2345|2345"])
  }

  @Test("A save of many objects stores each under its permanent ID, and history has them", .tags(.d5, .c2))
  func saves() throws {
    for tracks in [false, true] {
      let stack = try TestStack([InsertThreadTests.free]) { $0.tracksPersistentHistory = tracks }
      let context = stack.context()
      try context.performAndWait { () throws in
        for part in [2_345, 700, 3] {
          var objects: [ManagedObject] = []
          for _ in 0..<part {
            let object = try context.insertNewObject(forEntityName: "Quake")
            object["code"] = .string("q")
            objects.append(object)
          }
          try context.save()
          for object in objects { object["place"] = .string(object.objectID.uriRepresentation().lastPathComponent) }
          try context.save()
        }
      }
      #expect(try stack.rows("SELECT count(*), sum(ZPLACE = 'p' || Z_PK), max(Z_PK) FROM ZQUAKE") == ["3048|3048|3048"])
      if tracks {
        #expect(try stack.rows("SELECT count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZCHANGETYPE = 0") == ["3048"])
      }
    }
  }

  @Test(
    "A save of which the store refuses a row leaves context and store as they were", .tags(.d5),
    arguments: [600, 2_000])
  func refusedSave(number: Int) throws {
    let stack = try TestStack([InsertThreadTests.free])
    try stack.execute(refusal(of: number))
    let context = stack.context()
    try context.performAndWait { () throws in
      var objects: [ManagedObject] = []
      for row in quakes(2_000) {
        let object = try context.insertNewObject(forEntityName: "Quake")
        for (key, value) in row { object[key] = value }
        objects.append(object)
      }
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(error?.description.contains("not this one") == true)
      #expect(objects.allSatisfy { $0.objectID.isTemporaryID })
      #expect(context.insertedObjects.count == 2_000)
      try stack.execute("DROP TRIGGER refuse")
      try context.save()
      #expect(objects.allSatisfy { !$0.objectID.isTemporaryID })
    }
    #expect(try stack.rows("SELECT count(*), sum(ZCODE = 'q' || Z_PK) FROM ZQUAKE") == ["2000|2000"])
  }

  private func refusal(of number: Int) -> String {
    """
    CREATE TRIGGER refuse BEFORE INSERT ON ZQUAKE WHEN NEW.ZCODE = 'q\(number)'
    BEGIN SELECT RAISE(ABORT, 'not this one'); END
    """
  }
}

private func currentThread() -> UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

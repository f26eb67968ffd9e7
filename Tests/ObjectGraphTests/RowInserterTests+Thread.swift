// B7: a batch insert on two processors stores the same rows as one on a single thread, and fails with the same message.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@testable import ObjectGraph

extension RowInserterTests {
  /// A request with a tracer for stages is executed by one thread.
  final class Follower: BatchInsertTracer {
    func began(_ stage: BatchInsertStage) {}
    func ended(isStored: Bool) {}
  }

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

  /// Rows with every kind of value; some are empty, some are longer than a buffer.
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
    let entity = Self.everything
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

  @Test("Another thread stores rows with SQLite, and the handler is called on the caller's", .tags(.b7))
  func threads() throws {
    let stack = try TestStack([Self.free])
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
    "When the store refuses a row and a later one lacks its value, the error is the same as with one thread",
    .tags(.b7),
    arguments: [(600, 2_000), (601, 610), (640, 651), (1_999, 2_000), (1_950, 2_000), (2_400, 900)])
  func firstError(refused: Int, incomplete: Int) throws {
    var rows = quakes(3_000)
    rows[incomplete - 1]["code"] = nil
    var messages: Set<String> = []
    // With two threads, with two if the second gives up, and with one.
    for (patience, tracer) in [(nil, nil), (InsertThread.Patience(start: 0, share: 0), nil), (nil, Follower())] {
      let stack = try TestStack([Self.free]) { if let patience { $0.insertThreadPatience = patience } }
      try stack.execute(refusal(of: refused))
      let context = stack.context()
      let error = #expect(throws: ObjectGraphError.self) {
        try context.performAndWait { try context.execute(Style.objects.request(rows), tracer: tracer) }
      }
      messages.insert(error?.description.replacingOccurrences(of: stack.path, with: "") ?? "")
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
    }
    #expect(messages.count == 1, "\(messages)")
  }

  @Test("A handler is not called for many more rows after one was refused", .tags(.b7))
  func refusedEarly() throws {
    let stack = try TestStack([Self.free])
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
    // It is what the buffers hold, not what the handler would return next.
    #expect(calls >= 600)
    #expect(calls < 10_000)
  }
}

private func currentThread() -> UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

extension RowInserterTests {
  /// How many of the statements that store 20,000 rows run on the caller's thread, and how many elsewhere; then the
  /// stored keys and codes.
  private func stored(
    _ configure: (inout PersistentStoreDescription) -> Void
  ) throws -> (byCaller: Int, byOthers: Int, codes: [String]) {
    let stack = try TestStack([Self.free])
    try stack.coordinator.close()
    var description = stack.description()
    let inserting = Lock<[UInt: Int]>([:])
    description.sqlTrace = SQLTrace { line in
      if line.contains("INSERT OR FAIL") { inserting.withLock { $0[currentThread(), default: 0] += 1 } }
    }
    configure(&description)
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    return try context.performAndWait { () throws in
      let rows: [[String: AttributeValue]] = (1...20_000).map { ["code": .string("q\($0)")] }
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
      var counts = inserting.withLock { $0 }
      let byCaller = counts.removeValue(forKey: currentThread()) ?? 0
      let codes = try stack.rows("SELECT Z_PK || ZCODE FROM ZQUAKE ORDER BY Z_PK")
      return (byCaller, counts.values.reduce(0, +), codes)
    }
  }

  @Test("A store can keep its inserts on one thread", .tags(.b7))
  func oneThread() throws {
    let one = try stored { $0.insertsOnTwoThreads = false }
    #expect(one.byCaller > 300 && one.byOthers == 0)
    #expect(one.codes == (1...20_000).map { "\($0)q\($0)" })
  }

  @Test("If a thread waits too long for a processor, it ends, and the caller's continues with the next row", .tags(.b7))
  func hindered() throws {
    let (hindered, patient) = (
      try stored { $0.insertThreadPatience = .init(start: 0, share: 0) },
      try stored { $0.insertThreadPatience = .init(start: .max, share: 1) }
    )
    let hasTwo = ThreadProcessors.allowed().count > 1
    #expect((hindered.byOthers > 0) == hasTwo && (patient.byOthers > 300) == hasTwo)
    #expect(hindered.byCaller > 200 && (patient.byCaller < 50) == hasTwo)
    #expect(hindered.codes == (1...20_000).map { "\($0)q\($0)" } && patient.codes == hindered.codes)
  }

  @Test("Waiting for a fifth of its time is too long, once a thread has run for three milliseconds", .tags(.b7))
  func patience() {
    let patience = InsertThread.Patience()
    #expect(!patience.ends(after: 2_999_999, waited: 2_999_999))
    #expect(!patience.ends(after: 30_000_000, waited: 5_999_999) && patience.ends(after: 30_000_000, waited: 6_000_000))
    #expect(!patience.ends(after: 30_000_000, waited: nil))
  }

  @Test(
    "The time that a thread waits for a processor is known if the system reports it, and never decreases", .tags(.b7))
  func processorWait() throws {
    #if os(Linux)
      // It cannot be copied, which `#require` would do.
      guard let wait = ProcessorWait() else {
        Issue.record("Linux says it of every thread")
        return
      }
      let (first, second) = (wait.nanoseconds(), wait.nanoseconds())
      #expect(try #require(second) >= #require(first))
    #endif
  }
}

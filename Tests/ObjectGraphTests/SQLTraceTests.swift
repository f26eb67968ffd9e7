// D5: the log of a store's SQL, with values only on request; notifications end with their context.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D5 D6 · the SQL log, and the end of notifications")
struct SQLTraceTests {
  private func log(_ level: SQLTrace.Level, _ body: (TestStack, ManagedObjectContext) throws -> Void) throws -> [String]
  {
    let stack = try TestStack()
    let lines = Lock<[String]>([])
    try stack.coordinator.close()
    var description = stack.description()
    description.sqlTrace = SQLTrace(level) { line in lines.withLock { $0.append(line) } }
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    lines.withLock { $0 = [] }
    try context.performAndWait { () throws in try body(stack, context) }
    return lines.withLock { $0 }
  }

  @Test("Level 1 has statements, times and rows, and no value", .tags(.d5))
  func statements() throws {
    let lines = try log(.statements) { stack, context in
      try Quake.insert("secret", 1, into: context)
      try Quake.insert("hidden", 2, into: context)
      try context.save()
      let predicate = try FetchPredicate(format: "code == %@", arguments: ["secret"])
      #expect(try context.count(for: FetchRequest(entityName: "Quake", predicate: predicate)) == 1)
      #expect(try context.fetch(FetchRequest(entityName: "Quake")).count == 2)
    }
    #expect(lines.count { $0.hasPrefix("ObjectGraph: sql: INSERT INTO ZQUAKE ") } == 2)
    #expect(lines.contains("ObjectGraph: sql: BEGIN IMMEDIATE") && lines.contains("ObjectGraph: sql: COMMIT"))
    #expect(!lines.contains { $0.contains("secret") || $0.contains("hidden") })
    let fetch = try #require(lines.firstIndex { $0.contains("SELECT") && $0.contains("ORDER BY") })
    let annotation = lines[fetch + 1]
    #expect(annotation.hasPrefix("ObjectGraph: annotation: store.sqlite: sql execution time: 0."))
    #expect(annotation.hasSuffix(" s for 2 rows"))
  }

  @Test("Level 3 has the values in their places, and faults are identified", .tags(.d5, .d4))
  func values() throws {
    let lines = try log(.values) { stack, context in
      try Quake.insert("us7000abcd", 1, into: context)
      try context.save()
      context.reset()
      let objectID = try #require(try context.fetchObjectIDs(FetchRequest(entityName: "Quake")).first)
      let quake = try context.object(with: objectID)
      #expect(quake[Quake.code] == "us7000abcd")
      #expect(throws: ObjectGraphError.self) { () throws in
        try stack.execute("DELETE FROM ZQUAKE")
        context.reset()
        _ = try context.existingObject(with: objectID)
      }
    }
    #expect(lines.contains { $0.contains("INSERT INTO ZQUAKE") && $0.contains("'us7000abcd'") })
    #expect(lines.contains { $0.hasPrefix("ObjectGraph: annotation: fault fulfilled from database for x-coredata://") })
    #expect(lines.contains { $0.hasPrefix("ObjectGraph: annotation: no row in the database for x-coredata://") })
  }

  @Test("A sequence of notifications ends with its context", .tags(.d6))
  func newsEnds() async throws {
    let stack = try TestStack()
    var context: ManagedObjectContext? = stack.context()
    let news = try #require(context).notifications(.didSave)
    try #require(context).performAndWait { [context] () throws in
      guard let context else { return }
      try Quake.insert("a", into: context)
      try context.save()
    }
    context = nil
    var count = 0
    for await notification in news { count += notification.inserted.count }
    #expect(count == 1)
  }
}

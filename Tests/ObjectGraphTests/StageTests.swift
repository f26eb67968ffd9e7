// A9: the stages that a save and a batch insert report, down to the store's work; without a tracer, there are no
// reports.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("A9 · stages", .tags(.a9))
struct StageTests {
  /// Everything that was reported, in order.
  final class StageList: SaveTracer, BatchInsertTracer {
    private let seen = Lock<[String]>([])
    var all: [String] { seen.withLock { $0 } }
    func began(_ stage: SaveStage) { seen.withLock { $0.append(stage.rawValue) } }
    func began(_ stage: BatchInsertStage) { seen.withLock { $0.append(stage.name) } }
    func ended(isStored: Bool) { seen.withLock { $0.append(isStored ? "stored" : "failed") } }
  }

  private func stagesOfSave(of stack: TestStack, _ change: (ManagedObjectContext) throws -> Void) throws -> [String] {
    let context = stack.context()
    let stages = StageList()
    try context.performAndWait { () throws in
      try change(context)
      try context.save(tracer: stages)
    }
    return stages.all
  }

  /// The stages before and after the store's part of every save.
  private let before = [
    "willSaveNotification", "pendingChanges", "willSaveCallbacks", "validation", "conflictsWithCache", "request",
    "keyReservation",
  ]
  private let after = ["commit", "permanentIDs", "rowCache", "didSaveCallbacks", "didSaveNotification", "stored"]

  @Test("A save reports the stages of the store's work in order, and only those with work")
  func saves() throws {
    let stack = try TestStack()
    let inserted = try stagesOfSave(of: stack) { context in
      for row in 0..<20 { try Quake.insert("q\(row)", into: context) }
    }
    #expect(inserted == before + ["insertions"] + after)
    let changed = try stagesOfSave(of: stack) { context in
      let quakes = try context.fetch(FetchRequest(entityName: "Quake"))
      quakes[0][Quake.magnitude] = 7
      try context.delete(quakes[1])
      try Quake.insert("new", into: context)
    }
    #expect(changed == before + ["deletions", "updates", "insertions"] + after)
  }

  @Test("If history is kept, its part is a separate stage")
  func history() throws {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let inserted = try stagesOfSave(of: stack) { try Quake.insert("a", into: $0) }
    #expect(inserted == before + ["insertions", "history"] + after)
  }

  @Test("Join tables are a separate stage")
  func linking() throws {
    let tag = EntityDescription(
      "Tag", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("notes", to: "Note", inverse: "tags", isToMany: true)
      ])
    let note = EntityDescription(
      "Note", attributes: [AttributeDescription("text", .string)],
      relationships: [
        RelationshipDescription("tags", to: "Tag", inverse: "notes", isToMany: true)
      ])
    let stack = try TestStack([tag, note])
    let stages = try stagesOfSave(of: stack) { context in
      let tag = try context.insertNewObject(forEntityName: "Tag")
      tag["name"] = .string("a")
      let note = try context.insertNewObject(forEntityName: "Note")
      note["text"] = .string("b")
      try tag.setObjects([note], forKey: "notes")
    }
    #expect(stages == before + ["insertions", "linking"] + after)
  }

  private static func dictionaries(_ rows: [[String: AttributeValue]]) -> BatchInsertRequest {
    var left = rows[...]
    return BatchInsertRequest(entityName: "Quake") { (row: inout [String: AttributeValue]) in
      guard let next = left.popFirst() else { return true }
      row = next
      return false
    }
  }

  private static func objects(_ rows: [[String: AttributeValue]]) -> BatchInsertRequest {
    var left = rows[...]
    return BatchInsertRequest(entityName: "Quake") { (object: ManagedObject) in
      guard let next = left.popFirst() else { return true }
      for (key, value) in next { object[key] = value }
      return false
    }
  }
}

extension StageTests {
  @Test("A batch insert reports every row's stages, in each style")
  func batches() throws {
    let rows = (0..<3).map { Quake.row("q\($0)") }
    let stored = ["conversion", "binding", "stepping"]
    let handled = Array(repeating: ["handler"] + stored + ["conversion"], count: 3).flatMap(\.self) + ["handler"]
    let styles: [(BatchInsertRequest, [String])] = [
      (BatchInsertRequest(entityName: "Quake", objects: rows), stored + stored + stored),
      (StageTests.dictionaries(rows), handled), (StageTests.objects(rows), handled),
    ]
    for (request, expected) in styles {
      let stack = try TestStack()
      let stages = StageList()
      let context = stack.context()
      try context.performAndWait { () throws in _ = try context.execute(request, tracer: stages) }
      let all = stages.all
      #expect(all.prefix(2) == ["preparation", "preparation"] && all.suffix(2) == ["commit", "stored"])
      #expect(Array(all.dropFirst(2).dropLast(2)) == expected)
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["3"])
    }
  }

  @Test("A failed request is reported, and history and results are stages if they are requested")
  func batchEndings() throws {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let context = stack.context()
    let failed = StageList()
    let noted = StageList()
    try context.performAndWait { () throws in
      let nameless = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a"), ["code": .string("b")]])
      #expect(throws: ObjectGraphError.self) { try context.execute(nameless, tracer: failed) }
      var request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a")])
      request.resultType = .count
      try context.execute(request, tracer: noted)
    }
    #expect(failed.all.last == "failed" && failed.all.contains("stepping"))
    #expect(noted.all.filter { $0 == "history" }.count == 1 && noted.all.last == "stored")
  }

  @Test("A tracer reports only the requests that it was given to")
  func untraced() throws {
    let stack = try TestStack()
    let context = stack.context()
    let stages = StageList()
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a")]), tracer: stages)
      try Quake.insert("b", into: context)
      try context.save(tracer: stages)
      let told = stages.all.count
      #expect(told > 10)
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("c")]))
      try Quake.insert("d", into: context)
      try context.save()
      #expect(stages.all.count == told)
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["4"])
  }
}

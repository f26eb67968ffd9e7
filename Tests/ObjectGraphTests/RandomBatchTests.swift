// B1 to B6: random batch updates and deletes have the same results as a reference in memory, with random delete rules.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B1 B3 B5 · random batch requests")
struct RandomBatchTests {
  @Test(
    "Updates and deletes match the reference, request by request", .tags(.b1, .b3, .b4, .b5, .b6), arguments: 1...60)
  func equivalence(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let world = BatchWorld(&random)
    let stack = try TestStack(world.entities)
    let context = stack.context()
    var generator = random
    try context.performAndWait { () throws in try world.fill(context, &generator) }
    random = generator
    var reference = try BatchReference(stack)
    for round in 0..<8 {
      let place = Comment(rawValue: "seed \(seed), round \(round), \(world)")
      if Bool.random(using: &random) {
        try update(&reference, context, &random, place)
      } else {
        try delete(&reference, world, context, &random, place)
      }
      #expect(try BatchReference(stack) == reference, place)
      // Companions are null exactly if their keys are.
      for (key, companion) in [("ZPARENT", "Z2_PARENT"), ("ZGROUP", "Z_FOK_GROUP")] {
        #expect(
          try stack.rows("SELECT count(*) FROM ZNODE WHERE (\(key) IS NULL) <> (\(companion) IS NULL)") == ["0"], place)
      }
    }
    #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
  }

  private func update(
    _ reference: inout BatchReference, _ context: ManagedObjectContext, _ random: inout SeededGenerator,
    _ place: Comment
  ) throws {
    let entity = ["Node", "Leaf", "Group", "Tag"].randomElement(using: &random) ?? "Node"
    let bound = Int64.random(in: 0..<6, using: &random)
    let step = Int64.random(in: -2...2, using: &random)
    let isConstant = Bool.random(using: &random)
    let number = FetchExpression.path(FetchPath("number"))
    var request = BatchUpdateRequest(
      entityName: entity,
      expressions: [
        "number": isConstant ? .constant(.integer(step)) : .arithmetic(number, .add, .constant(.integer(step)))
      ],
      predicate: Bool.random(using: &random) ? try FetchPredicate(format: "number >= %@", arguments: [bound]) : nil)
    request.includesSubentities = Bool.random(using: &random)
    request.resultType = .changes
    let hasPredicate = request.predicate != nil
    let keys = reference.keys(entity, subentities: request.includesSubentities) { row in
      !hasPredicate || row.number.map { $0 >= bound } ?? false
    }
    let table = BatchReference.table(of: entity)
    for key in keys {
      let old = reference.rows[table]?[key]?.number
      reference.rows[table]?[key]?.number = isConstant ? step : old.map { $0 + step }
      reference.rows[table]?[key]?.version += 1
    }
    let sent = request
    let result = try context.performAndWait { () throws in try context.execute(sent) }
    guard case .changes(let changes) = result else { throw TestFailure("\(result)") }
    #expect(changes.updated.map(\.rowKey) == keys, place)
  }

  private func delete(
    _ reference: inout BatchReference, _ world: BatchWorld, _ context: ManagedObjectContext,
    _ random: inout SeededGenerator, _ place: Comment
  ) throws {
    let entity = ["Node", "Leaf", "Group", "Tag"].randomElement(using: &random) ?? "Node"
    let bound = Int64.random(in: 0..<6, using: &random)
    var fetch = FetchRequest(entityName: entity)
    fetch.includesSubentities = Bool.random(using: &random)
    fetch.fetchLimit = Int.random(in: 0..<4, using: &random)
    var keys: [Int64]
    if entity == "Node" || entity == "Leaf", Bool.random(using: &random) {
      fetch.predicate = try FetchPredicate(format: "group.number < %@", arguments: [bound])
      let groups = reference.rows["Group"] ?? [:]
      keys = reference.keys(entity, subentities: fetch.includesSubentities) { row in
        row.keys["group"].flatMap { groups[$0]?.number }.map { $0 < bound } ?? false
      }
    } else {
      fetch.predicate = try FetchPredicate(format: "number = %@", arguments: [bound])
      keys = reference.keys(entity, subentities: fetch.includesSubentities) { $0.number == bound }
    }
    if fetch.fetchLimit > 0 { keys = Array(keys.prefix(fetch.fetchLimit)) }
    let (gone, refusals) = reference.delete(keys, of: entity, world)
    var request = BatchDeleteRequest(fetchRequest: fetch)
    let isByIDs = Bool.random(using: &random) && entity != "Node"
    request.resultType = .changes
    let sent = request
    let found = fetch
    let result = context.performAndWait {
      Result { () throws(ObjectGraphError) in
        guard isByIDs else { return try context.execute(sent) }
        var request = BatchDeleteRequest(objectIDs: try context.fetchObjectIDs(found))
        request.resultType = .changes
        return try context.execute(request)
      }
    }
    switch result {
    case .success(.changes(let changes)):
      #expect(refusals.isEmpty, place)
      for (table, keys) in gone {
        let told = changes.deleted.filter { BatchReference.table(of: $0.entityName) == table }.map(\.rowKey)
        #expect(told == keys.sorted(), place)
      }
    case .failure(.deletionRefused(_, _, let relationship, _, _)):
      #expect(refusals.contains(relationship), place)
    default: Issue.record("\(result), \(place)")
    }
  }
}

extension ManagedObjectID {
  /// The key in the URI.
  fileprivate var rowKey: Int64 { uriRepresentation().split(separator: "/p").last.flatMap { Int64($0) } ?? 0 }
}

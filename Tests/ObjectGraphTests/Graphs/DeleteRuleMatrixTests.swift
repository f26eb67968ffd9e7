// B3: a batch delete leaves the same rows as deleting the objects one by one: every rule, every kind of relationship,
// required and optional inverses, and chains of cascades, on random graphs.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import StoreFixtures
import Testing

/// A chain of entities `E0` to `En`, each with a relationship `next` to the following one, with the inverse `previous`.
///
/// All rules are cascades except for the last one, which is the tested rule.
struct DeletionChain: Sendable, CustomTestStringConvertible {
  enum Kind: CaseIterable {
    case toOne, oneToOne, toMany, manyToMany

    var isToMany: Bool { self == .toMany || self == .manyToMany }
    var isInverseToMany: Bool { self == .toOne || self == .manyToMany }
  }

  static let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]
  static let all = rules.flatMap { rule in
    Kind.allCases.flatMap { kind in
      [false, true].flatMap { isRequired in
        (1...4).map { DeletionChain(rule: rule, kind: kind, isInverseRequired: isRequired, depth: $0) }
      }
    }
  }

  let rule: DeleteRule
  let kind: Kind
  /// Whether the inverse is required.
  let isInverseRequired: Bool
  /// The number of relationships in the chain.
  let depth: Int

  var testDescription: String {
    "\(rule), \(kind), inverse \(isInverseRequired ? "required" : "optional"), depth \(depth)"
  }

  /// The model.
  ///
  /// For the object graph, to-many inverses are optional, because a batch does not count the remaining objects.
  func entities(forGraph isForGraph: Bool) -> [EntityDescription] {
    let isOptional = !isInverseRequired || isForGraph && kind.isInverseToMany
    return (0...depth).map { level in
      var relationships: [RelationshipDescription] = []
      if level < depth {
        relationships.append(
          RelationshipDescription(
            "next", to: "E\(level + 1)", inverse: "previous", isToMany: kind.isToMany,
            deleteRule: level == depth - 1 ? rule : .cascade))
      }
      if level > 0 {
        relationships.append(
          RelationshipDescription(
            "previous", to: "E\(level - 1)", inverse: "next", isToMany: kind.isInverseToMany,
            isOptional: isOptional, deleteRule: .nullify))
      }
      return EntityDescription(
        "E\(level)", attributes: [AttributeDescription("number", .int64)], relationships: relationships)
    }
  }

  /// Saves a random graph in which no required relationship is empty.
  func fill(_ context: ManagedObjectContext, _ random: inout some RandomNumberGenerator) throws {
    var above: [ManagedObject] = []
    for level in 0...depth {
      let objects = try (0..<6).map { number in
        let object = try context.insertNewObject(forEntityName: "E\(level)")
        object["number"] = .integer(Int64(number))
        return object
      }
      for (place, object) in objects.enumerated() where level > 0 {
        if isInverseRequired || Int.random(in: 0..<4, using: &random) > 0 {
          // For one-to-one relationships, each has its own partner.
          let partner = kind == .oneToOne ? above[place] : above.randomElement(using: &random)
          try link(partner, object)
        }
        if kind == .manyToMany {
          for other in above where Int.random(in: 0..<5, using: &random) == 0 { try link(other, object) }
        }
      }
      if kind == .toOne && isInverseRequired {
        // The last object with a destination may have taken another's only object; those point to themselves again.
        for (place, object) in objects.enumerated() where level > 0 { try link(above[place], object) }
      }
      above = objects
    }
    try context.save()
    context.reset()
  }

  private func link(_ upper: ManagedObject?, _ lower: ManagedObject) throws {
    guard let upper else { return }
    if kind.isToMany { try upper.addObject(lower, forKey: "next") } else { try upper.setObject(lower, forKey: "next") }
  }
}

@Suite("B3 · delete rules in batches and in the object graph", .tags(.b3, .d1))
struct DeleteRuleMatrixTests {
  private static let seeds: ClosedRange<UInt64> =
    isThorough ? 1...10 : 1...1

  /// Every row of every table of entities and pairs, as text.
  private func contents(_ stack: TestStack) throws -> [String] {
    let tables = try stack.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB 'ZE[0-9]' OR name GLOB 'Z_[0-9]*') ORDER BY 1"
    )
    return try tables.flatMap { table in
      // Versions differ: the object graph also increments those of objects if only a to-many relationship has changed.
      let columns = try stack.rows("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'Z_OPT'")
      return try stack.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2")
        .map { "\(table): \($0)" }
    }
  }

  @Test("Batches and the object graph leave the same rows", arguments: DeletionChain.all)
  func equality(chain: DeletionChain) throws {
    for seed in Self.seeds {
      let (graph, batch) = (
        try TestStack(chain.entities(forGraph: true)), try TestStack(chain.entities(forGraph: false))
      )
      for stack in [graph, batch] {
        let context = stack.context()
        try context.performAndWait { () throws in
          var random = SeededGenerator(seed: seed)
          try chain.fill(context, &random)
        }
      }
      let before = try contents(graph)
      #expect(try contents(batch) == before)
      let some = try FetchRequest(entityName: "E0", predicate: FetchPredicate(format: "number < %@", arguments: [3]))

      let byGraph = graph.context()
      let graphError = byGraph.performAndWait { () -> ObjectGraphError? in
        do throws(ObjectGraphError) {
          for object in try byGraph.fetch(some) { try byGraph.delete(object) }
          try byGraph.save()
          return nil
        } catch {
          return error
        }
      }
      let byBatch = batch.context()
      let batchError = byBatch.performAndWait { () -> ObjectGraphError? in
        do throws(ObjectGraphError) {
          try byBatch.execute(BatchDeleteRequest(fetchRequest: some))
          return nil
        } catch {
          return error
        }
      }
      let place = Comment(
        rawValue: "seed \(seed): \(String(describing: graphError)), \(String(describing: batchError))")
      if let batchError {
        guard case .deletionRefused = batchError else {
          Issue.record("\(batchError)")
          return
        }
        #expect(graphError != nil, place)
        #expect(try contents(batch) == before, place)
      }
      #expect((graphError == nil) == (batchError == nil), place)
      let (left, expected) = (try contents(batch), try contents(graph))
      #expect(
        left == expected,
        "\(place) missing \(expected.filter { !left.contains($0) }), too many \(left.filter { !expected.contains($0) })"
      )
      #expect(try batch.rows("PRAGMA integrity_check") == ["ok"])
    }
  }
}

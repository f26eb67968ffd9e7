// The expected results of batch updates and deletes, computed row by row in memory.
import Foundation
import CoreDataModel
import ObjectGraph
import ObjectGraphFixtures

/// A forest of nodes in groups with tags, with given delete rules: inheritance, a hierarchy within one entity,
/// one-to-one, ordered one-to-many and many-to-many relationships.
struct BatchWorld {
  static let relationshipNames = ["children", "parent", "twin", "twinOf", "members", "group", "tags", "nodes"]

  /// By relationship.
  var rules: [String: DeleteRule]
  var requiresParent: Bool
  var requiresGroup: Bool

  init(_ random: inout some RandomNumberGenerator) {
    rules = [:]
    for name in Self.relationshipNames {
      let mild: [DeleteRule] = [.nullify, .nullify, .nullify, .cascade, .cascade, .noAction, .deny]
      rules[name] = mild.randomElement(using: &random)
    }
    requiresParent = Int.random(in: 0..<4, using: &random) == 0
    requiresGroup = Int.random(in: 0..<4, using: &random) == 0
  }

  var entities: [EntityDescription] {
    func relationship(
      _ name: String, to entity: String, inverse: String, many: Bool = false, ordered: Bool = false,
      required: Bool = false
    ) -> RelationshipDescription {
      RelationshipDescription(
        name, to: entity, inverse: inverse, isToMany: many, isOrdered: ordered, isOptional: !required,
        deleteRule: rules[name] ?? .nullify)
    }
    let number = AttributeDescription("number", .int64, isOptional: true)
    return [
      EntityDescription(
        "Node", attributes: [number],
        relationships: [
          relationship("children", to: "Node", inverse: "parent", many: true),
          relationship("parent", to: "Node", inverse: "children", required: requiresParent),
          relationship("group", to: "Group", inverse: "members", required: requiresGroup),
          relationship("tags", to: "Tag", inverse: "nodes", many: true),
        ]),
      EntityDescription(
        "Leaf", superentity: "Node",
        relationships: [
          relationship("twin", to: "Leaf", inverse: "twinOf"), relationship("twinOf", to: "Leaf", inverse: "twin"),
        ]),
      EntityDescription(
        "Group", attributes: [number],
        relationships: [relationship("members", to: "Node", inverse: "group", many: true, ordered: true)]),
      EntityDescription(
        "Tag", attributes: [number],
        relationships: [relationship("nodes", to: "Node", inverse: "tags", many: true, ordered: true)]),
    ]
  }

  /// Saves a random graph.
  func fill(_ context: ManagedObjectContext, _ random: inout some RandomNumberGenerator) throws {
    func make(_ entity: String, _ count: Int) throws -> [ManagedObject] {
      try (0..<count).map { _ in
        let object = try context.insertNewObject(forEntityName: entity)
        if Bool.random(using: &random) { object["number"] = .integer(.random(in: 0..<6, using: &random)) }
        return object
      }
    }
    let (groups, tags) = (try make("Group", 4), try make("Tag", 4))
    let leaves = try make("Leaf", 8)
    let nodes = try make("Node", 12) + leaves
    for node in nodes {
      if requiresParent || Int.random(in: 0..<3, using: &random) > 0 {
        try node.setObject(nodes.randomElement(using: &random), forKey: "parent")
      }
      if requiresGroup || Bool.random(using: &random) {
        try node.setObject(groups.randomElement(using: &random), forKey: "group")
      }
      for tag in tags where Int.random(in: 0..<3, using: &random) == 0 { try node.addObject(tag, forKey: "tags") }
    }
    for leaf in leaves where Bool.random(using: &random) {
      try leaf.setObject(leaves.randomElement(using: &random), forKey: "twin")
    }
    try context.save()
    context.reset()
  }
}

/// The rows in memory.
struct BatchReference: Equatable {
  struct Row: Equatable {
    let entity: String
    var number: Int64?
    var version: Int64
    /// By relationship.
    var keys: [String: Int64] = [:]
  }

  /// A relationship from a deleted row to its destinations.
  private struct Step {
    let name: String
    let source: String
    let destination: String
    /// Whether the key is in the deleted row.
    let isOwnKey: Bool
    /// The key of the inverse at the other end; nil for pairs and for a to-many inverse.
    let inverse: String?
  }

  private static let steps = [
    Step(name: "children", source: "Node", destination: "Node", isOwnKey: false, inverse: "parent"),
    Step(name: "parent", source: "Node", destination: "Node", isOwnKey: true, inverse: nil),
    Step(name: "twin", source: "Node", destination: "Node", isOwnKey: true, inverse: "twinOf"),
    Step(name: "twinOf", source: "Node", destination: "Node", isOwnKey: true, inverse: "twin"),
    Step(name: "members", source: "Group", destination: "Node", isOwnKey: false, inverse: "group"),
    Step(name: "group", source: "Node", destination: "Group", isOwnKey: true, inverse: nil),
    Step(name: "tags", source: "Node", destination: "Tag", isOwnKey: false, inverse: nil),
    Step(name: "nodes", source: "Tag", destination: "Node", isOwnKey: false, inverse: nil),
  ]

  /// By table's entity and key.
  var rows: [String: [Int64: Row]] = [:]
  /// A node and a tag.
  var pairs: Set<[Int64]> = []

  /// Reads the store without the library.
  init(_ stack: TestStack) throws {
    let names = Dictionary(
      uniqueKeysWithValues: try stack.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY").map { row in
        let parts = row.split(separator: "|").map(String.init)
        return (parts[0], parts[1])
      })
    for (table, keys) in [("Node", ["parent", "twin", "twinOf", "group"]), ("Group", []), ("Tag", [])] {
      let columns = (["Z_PK", "Z_ENT", "Z_OPT", "ZNUMBER"] + keys.map { "Z\($0.uppercased())" }).joined(separator: ", ")
      rows[table] = [:]
      for row in try stack.rows("SELECT \(columns) FROM Z\(table.uppercased())") {
        let parts = row.split(separator: "|").map(String.init)
        var read = Row(entity: names[parts[1]] ?? "", number: Int64(parts[3]), version: Int64(parts[2]) ?? 0)
        for (index, key) in keys.enumerated() { read.keys[key] = Int64(parts[4 + index]) }
        rows[table]?[Int64(parts[0]) ?? 0] = read
      }
    }
    let join = try stack.rows(
      "SELECT m.name, group_concat(c.name, ' ') FROM sqlite_master m, pragma_table_info(m.name) c "
        + "WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*' AND c.name NOT GLOB 'Z_FOK*'")
    for line in join {
      let parts = line.split(whereSeparator: { $0 == "|" || $0 == " " }).map(String.init)
      guard let node = parts.first(where: { $0.hasSuffix("NODES") && $0 != parts[0] }),
        let tag = parts.dropFirst().first(where: { $0.hasSuffix("TAGS") })
      else { continue }
      pairs = Set(
        try stack.rows("SELECT \(node), \(tag) FROM \(parts[0])").map {
          $0.split(separator: "|").compactMap { Int64($0) }
        })
    }
  }

  static func table(of entity: String) -> String { entity == "Leaf" ? "Node" : entity }

  /// The keys of an entity's rows that pass the test, in order.
  func keys(_ entity: String, subentities: Bool = true, where test: (Row) -> Bool) -> [Int64] {
    let all = rows[Self.table(of: entity)] ?? [:]
    return all.filter { key, row in
      (row.entity == entity || (subentities && entity == "Node" && row.entity == "Leaf")) && test(row)
    }.keys.sorted()
  }

  /// Deletes the rows, with the effects of their rules.
  ///
  /// - Returns: The keys of all deleted rows; and the relationships that deny the deletion, in which case nothing is
  ///   deleted.
  mutating func delete(
    _ keys: [Int64], of entity: String, _ world: BatchWorld
  ) -> (gone: [String: Set<Int64>], refusals: Set<String>) {
    var gone = [Self.table(of: entity): Set(keys)]
    var next = keys.map { (Self.table(of: entity), $0) }
    while let (table, key) = next.popLast() {
      for step in Self.steps where step.source == table && world.rules[step.name] == .cascade {
        for other in others(step, key) where gone[step.destination, default: []].insert(other).inserted {
          next.append((step.destination, other))
        }
      }
    }
    let refusals = Set(
      Self.steps.filter { step in
        let sources = gone[step.source] ?? []
        let staying = Set(sources.flatMap { others(step, $0) }).subtracting(gone[step.destination] ?? [])
        switch world.rules[step.name] {
        case .deny: return !staying.isEmpty
        case .nullify:
          let isRequired =
            step.inverse == "parent" ? world.requiresParent : step.inverse == "group" && world.requiresGroup
          return isRequired && !staying.isEmpty
        default: return false
        }
      }.map(\.name))
    if !refusals.isEmpty { return (gone, refusals) }
    for step in Self.steps where world.rules[step.name] == .nullify {
      guard let inverse = step.inverse, let sources = gone[step.source] else { continue }
      for (key, row) in rows[step.destination] ?? [:] where !(gone[step.destination]?.contains(key) ?? false) {
        guard let back = row.keys[inverse], sources.contains(back) else { continue }
        rows[step.destination]?[key]?.keys[inverse] = nil
        rows[step.destination]?[key]?.version += 1
      }
    }
    for (table, keys) in gone { for key in keys { rows[table]?[key] = nil } }
    pairs = pairs.filter { !(gone["Node"]?.contains($0[0]) ?? false) && !(gone["Tag"]?.contains($0[1]) ?? false) }
    return (gone, [])
  }

  private func others(_ step: Step, _ key: Int64) -> [Int64] {
    let found: [Int64]
    switch step.name {
    case "tags": found = pairs.filter { $0[0] == key }.map { $0[1] }
    case "nodes": found = pairs.filter { $0[1] == key }.map { $0[0] }
    default:
      found =
        step.isOwnKey
        ? rows[step.source]?[key]?.keys[step.name].map { [$0] } ?? []
        : (rows[step.destination] ?? [:]).filter { $0.value.keys[step.inverse ?? ""] == key }.map(\.key)
    }
    return found.filter { rows[step.destination]?[$0] != nil }
  }
}

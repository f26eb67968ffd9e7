// A store's rows and pairs on disk, read without the library, and the rules for them.
import CoreDataModel
import SQLiteDriver

/// Every row of a store.
struct StoredGraph: Equatable {
  /// A row's table, by the root entity's position in the model, and its key.
  struct Key: Hashable, Comparable, CustomStringConvertible {
    let root: Int
    let key: Int64

    var description: String { "\(root)/p\(key)" }

    static func < (left: Key, right: Key) -> Bool { (left.root, left.key) < (right.root, right.key) }
  }

  struct Row: Equatable {
    let entity: Int
    let version: Int64
    var values: [String: AttributeValue] = [:]
    /// The destinations of to-one relationships, by name.
    var links: [String: Key] = [:]

    /// An attribute's value, or the key of a relationship's destination.
    subscript(name: String) -> AttributeValue? { values[name] ?? links[name].map { .integer($0.key) } }
  }

  /// Two keys of a join table, and the join table's position in the model.
  struct Pair: Hashable {
    let table: Int
    let owner: Int64
    let inverse: Int64
  }

  /// An object in an ordered relationship of another one.
  struct Membership: Hashable {
    let owner: Key
    let relationship: String
    let member: Key
  }

  var rows: [Key: Row] = [:]
  var pairs: Set<Pair> = []
  /// The positions of objects in ordered relationships, if they are stored.
  var places: [Membership: Int64] = [:]

  /// The rows at the other end of a row's relationship, in their order if it has one, otherwise by key.
  func members(of key: Key, _ relationship: ProgramSchema.Relationship) -> [Key] {
    let members: [Key] =
      switch relationship.kind {
      case .toOne: rows[key]?.links[relationship.name].map { [$0] } ?? []
      case .oneToMany(let inverse):
        rows.filter { $0.key.root == relationship.destinationRoot && $0.value.links[inverse] == key }.map(\.key)
      case .manyToMany(let table, let isOwner):
        pairs.filter { $0.table == table && (isOwner ? $0.inverse : $0.owner) == key.key }
          .map { Key(root: relationship.destinationRoot, key: isOwner ? $0.owner : $0.inverse) }
      }
    func place(_ member: Key) -> Int64 {
      places[Membership(owner: key, relationship: relationship.name, member: member)] ?? 0
    }
    return members.sorted { (place($0), $0) < (place($1), $1) }
  }

  /// A row's version and links.
  func show(_ key: Key) -> String {
    rows[key].map { row in
      "version \(row.version) "
        + row.links.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
    } ?? "none"
  }

  /// The broken rules.
  func breaches(_ schema: ProgramSchema) -> [String] {
    var found: [String] = []
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      for relationship in schema.relationships(of: key.root) {
        guard case .toOne(let inverse) = relationship.kind else { continue }
        guard let target = row.links[relationship.name] else {
          if relationship.isRequired { found.append("\(key) has no \(relationship.name)") }
          continue
        }
        guard let destination = rows[target] else {
          found.append("\(relationship.name) of \(key) leads to \(target), where there is no row")
          continue
        }
        if let inverse, destination.links[inverse] != key {
          found.append("\(relationship.name) of \(key) leads to \(target), whose \(inverse) leads elsewhere")
        }
      }
    }
    for pair in pairs {
      let table = schema.model.joinTables[pair.table]
      let source = Key(root: schema.root(table.owner.entityIndex), key: pair.inverse)
      let destination = Key(root: schema.root(table.inverse.entityIndex), key: pair.owner)
      if rows[source] == nil || rows[destination] == nil {
        found.append("a pair of \(table.owner.relationship) names \(source) and \(destination), of which one is gone")
      }
      if table.isReflexive, !pairs.contains(Pair(table: pair.table, owner: pair.inverse, inverse: pair.owner)) {
        found.append("the pair of \(source) and \(destination) in \(table.owner.relationship) is stored one way only")
      }
    }
    return found
  }
}

/// The information about a model that reading and checking needs.
struct ProgramSchema {
  struct Relationship {
    enum Kind {
      /// A key in the row; with the inverse if that is also a to-one relationship.
      case toOne(oneToOne: String?)
      case oneToMany(inverse: String)
      case manyToMany(table: Int, isOwner: Bool)
    }

    let name: String
    let kind: Kind
    let isRequired: Bool
    let isOrdered: Bool
    let rule: DeleteRule
    let inverseRule: DeleteRule
    let destinationRoot: Int
    let inverse: String
  }

  let model: CompiledModel
  private let relationships: [Int: [Relationship]]
  static let attributes = ["code", "value", "note"]

  init(_ entities: [EntityDescription]) throws {
    let model = CompiledModel(try ManagedObjectModel(entities: entities))
    self.model = model
    var relationships: [Int: [Relationship]] = [:]
    for table in model.tables {
      relationships[table.root] = model.layouts[table.root].entity.relationships.compactMap { relationship in
        guard let destination = model.layouts.first(where: { $0.entity.name == relationship.destinationEntityName }),
          let inverse = destination.entity.relationships.first(where: { $0.name == relationship.inverseName })
        else { return nil }
        let kind: Relationship.Kind
        if !relationship.isToMany {
          kind = .toOne(oneToOne: inverse.isToMany ? nil : inverse.name)
        } else if !inverse.isToMany {
          kind = .oneToMany(inverse: inverse.name)
        } else {
          let owner = model.joinTables.firstIndex {
            $0.owner.entityIndex == table.root && $0.owner.relationship == relationship.name
          }
          let other = model.joinTables.firstIndex {
            $0.inverse.entityIndex == table.root && $0.inverse.relationship == relationship.name
          }
          guard let index = owner ?? other else { return nil }
          kind = .manyToMany(table: index, isOwner: owner != nil)
        }
        return Relationship(
          name: relationship.name, kind: kind, isRequired: !relationship.isOptional && !relationship.isToMany,
          isOrdered: relationship.isOrdered, rule: relationship.deleteRule, inverseRule: inverse.deleteRule,
          destinationRoot: destination.rootIndex,
          inverse: inverse.name)
      }
    }
    self.relationships = relationships
  }

  func relationships(of root: Int) -> [Relationship] { relationships[root] ?? [] }

  /// Whether objects of the entity are items, which have a group.
  func isItem(_ layout: EntityLayout) -> Bool { model.layouts[layout.rootIndex].entity.name == "Item" }

  func root(_ entityIndex: Int) -> Int { model.layouts[entityIndex].rootIndex }
}

/// Reads a store with prepared statements.
final class StoredGraphReader {
  private let connection: Connection
  private let schema: ProgramSchema
  /// A to-one relationship, with its ordered inverse and the column of the row's position in it.
  private struct Link {
    let name: String
    let column: String
    let root: Int
    let order: (column: String, relationship: String)?
  }

  private let tables: [(root: Int, links: [Link], statement: Statement)]
  private let joins: [Statement]

  init(path: String, _ schema: ProgramSchema) throws {
    let connection = try Connection(path: path, access: .readOnly)
    self.connection = connection
    self.schema = schema
    tables = try schema.model.tables.map { table in
      let layout = schema.model.layouts[table.root]
      let links = layout.slots.compactMap { slot in
        slot.toOne.map { toOne in
          Link(
            name: slot.name, column: toOne.keyColumn, root: schema.root(toOne.destinationIndex),
            order: toOne.orderColumn.flatMap { column in toOne.inverse.map { (column, $0.name) } })
        }
      }
      let columns =
        ["Z_PK", "Z_ENT", "Z_OPT"] + ProgramSchema.attributes.map { "Z\($0.uppercased())" } + links.map(\.column)
        + links.compactMap { $0.order?.column }
      return (
        table.root, links, try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
      )
    }
    joins = try schema.model.joinTables.map { table in
      let orders = [table.owner, table.inverse].map { $0.orderColumn ?? "NULL" }
      return try connection.prepare(
        "SELECT \(table.owner.column), \(table.inverse.column), \(orders.joined(separator: ", ")) FROM \(table.name)")
    }
  }

  /// All committed rows.
  func read() throws -> StoredGraph {
    try connection.execute("BEGIN")
    defer { connection.rollback() }
    var graph = StoredGraph()
    for table in tables {
      defer { table.statement.reset() }
      while try table.statement.step() {
        let row = table.statement
        // A new store numbers the entities of its model from 1.
        var read = StoredGraph.Row(entity: Int(row.int64(1)) - 1, version: row.int64(2))
        read.values["code"] = row.isNull(3) ? .null : .string(row.string(3) ?? "")
        read.values["value"] = row.isNull(4) ? .null : .integer(row.int64(4))
        read.values["note"] = row.isNull(5) ? .null : .string(row.string(5) ?? "")
        let key = StoredGraph.Key(root: table.root, key: row.int64(0))
        var place = 6 + table.links.count
        for (index, link) in table.links.enumerated() {
          defer { if link.order != nil { place += 1 } }
          if row.isNull(6 + index) { continue }
          let target = StoredGraph.Key(root: link.root, key: row.int64(6 + index))
          read.links[link.name] = target
          guard let order = link.order, !row.isNull(place) else { continue }
          graph.places[.init(owner: target, relationship: order.relationship, member: key)] = row.int64(place)
        }
        graph.rows[key] = read
      }
    }
    for (index, statement) in joins.enumerated() {
      defer { statement.reset() }
      while try statement.step() {
        let pair = StoredGraph.Pair(table: index, owner: statement.int64(0), inverse: statement.int64(1))
        graph.pairs.insert(pair)
        let table = schema.model.joinTables[index]
        let source = StoredGraph.Key(root: schema.root(table.owner.entityIndex), key: pair.inverse)
        let destination = StoredGraph.Key(root: schema.root(table.inverse.entityIndex), key: pair.owner)
        if !statement.isNull(2) {
          graph.places[.init(owner: source, relationship: table.owner.relationship, member: destination)] =
            statement.int64(2)
        }
        if !statement.isNull(3) {
          graph.places[.init(owner: destination, relationship: table.inverse.relationship, member: source)] =
            statement.int64(3)
        }
      }
    }
    return graph
  }
}

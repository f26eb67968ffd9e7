// A small world for predicates: the same objects in memory and in SQLite's tables.
import Foundation
import SQLiteDriver
import Support

@testable import CoreDataModel
@testable import ObjectGraph

/// Networks record quakes.
///
/// A quake has shocks, and tags through a join table; a shock may refer to another one.
struct PredicateWorld: PredicateSchema {
  static let entities: [String: [String: SchemaProperty]] = [
    "Network": [
      "name": .attribute(column: "ZNAME", type: .string),
      "rank": .attribute(column: "ZRANK", type: .int32),
      "founded": .attribute(column: "ZFOUNDED", type: .date),
      "parent": .toOne(column: "ZPARENT", destination: "Network"),
      "quakes": .toMany(destination: "Quake", storage: .inverseColumn("ZNETWORK")),
    ],
    "Quake": [
      "code": .attribute(column: "ZCODE", type: .string),
      "magnitude": .attribute(column: "ZMAGNITUDE", type: .double),
      "felt": .attribute(column: "ZFELT", type: .int64),
      "price": .attribute(column: "ZPRICE", type: .decimal),
      "reviewed": .attribute(column: "ZREVIEWED", type: .boolean),
      "time": .attribute(column: "ZTIME", type: .date),
      "key": .attribute(column: "ZKEY", type: .uuid),
      "raw": .attribute(column: "ZRAW", type: .binary),
      "link": .attribute(column: "ZLINK", type: .uri),
      "network": .toOne(column: "ZNETWORK", destination: "Network"),
      "shocks": .toMany(destination: "Shock", storage: .inverseColumn("ZQUAKE")),
      "tags": .toMany(
        destination: "Tag", storage: .joinTable("Z_TAGGED", sourceColumn: "ZQUAKE", destinationColumn: "ZTAG")),
    ],
    "Shock": [
      "label": .attribute(column: "ZLABEL", type: .string),
      "size": .attribute(column: "ZSIZE", type: .double),
      "depth": .attribute(column: "ZDEPTH", type: .int32),
      "quake": .toOne(column: "ZQUAKE", destination: "Quake"),
      "leader": .toOne(column: "ZLEADER", destination: "Shock"),
      "followers": .toMany(destination: "Shock", storage: .inverseColumn("ZLEADER")),
    ],
    "Tag": [
      "word": .attribute(column: "ZWORD", type: .string),
      "weight": .attribute(column: "ZWEIGHT", type: .int32),
      "quakes": .toMany(
        destination: "Quake", storage: .joinTable("Z_TAGGED", sourceColumn: "ZTAG", destinationColumn: "ZQUAKE")),
    ],
  ]
  static let names = entities.keys.sorted()

  let store: StoreIdentity

  init(uuid: String = "world") { store = StoreIdentity(uuid: uuid, entityNames: PredicateWorld.names) }

  func objectID(_ entity: String, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      store: store, entityIndex: Int32(PredicateWorld.names.firstIndex(of: entity) ?? 0), key: key)
  }

  func tableName(of entity: String) -> String { "Z" + entity.uppercased() }

  func property(_ name: String, of entity: String) -> SchemaProperty? { PredicateWorld.entities[entity]?[name] }

  func propertyNames(of entity: String) -> [String] { PredicateWorld.entities[entity]?.keys.sorted() ?? [] }

  /// Its tables have no numbers of entities.
  func entityNumbers(of entity: String?) -> [(name: String, number: Int)] { [] }

  func primaryKey(of objectID: ManagedObjectID, in entity: String) -> Int64? {
    objectID.store === store && objectID.entityName == entity && objectID.key > 0 ? objectID.key : nil
  }
}

/// An object of the world.
final class WorldObject: PredicateSubject {
  let predicateObjectID: ManagedObjectID
  var values: [String: AttributeValue] = [:]
  var toOne: [String: WorldObject] = [:]
  var toMany: [String: [WorldObject]] = [:]

  init(_ objectID: ManagedObjectID) { predicateObjectID = objectID }

  var entity: String { predicateObjectID.entityName }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    switch PredicateWorld.entities[entity]?[key] {
    case .attribute: .attribute(values[key] ?? .null)
    case .toOne: .object(toOne[key])
    case .toMany: .objects(toMany[key] ?? [])
    case nil: throw FetchPredicateError.unknownKey(entity: entity, key: key, expected: [], suggestion: nil)
    }
  }

  /// Sets a to-one relationship and adds the object to its inverse.
  func connect(_ key: String, to other: WorldObject?, inverse: String?) {
    guard let other else { return }
    toOne[key] = other
    if let inverse { other.toMany[inverse, default: []].append(self) }
  }
}

/// The world's objects, and a database with the same.
final class WorldStore {
  let world = PredicateWorld()
  let connection: Connection
  private(set) var objects: [String: [WorldObject]] = [:]

  init() throws {
    connection = try Connection(path: ":memory:")
    try PredicateFunctions.register(on: connection)
    for entity in PredicateWorld.names {
      let columns = world.propertyNames(of: entity).compactMap { name -> String? in
        switch world.property(name, of: entity) {
        case .attribute(let column, let type): "\(column) \(type.declaredType)"
        case .toOne(let column, _): "\(column) INTEGER"
        default: nil
        }
      }
      try connection.execute(
        "CREATE TABLE \(world.tableName(of: entity))(Z_PK INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
    }
    try connection.execute("CREATE TABLE Z_TAGGED(ZQUAKE INTEGER, ZTAG INTEGER, PRIMARY KEY(ZQUAKE, ZTAG))")
    try connection.execute("CREATE INDEX shock_quake ON ZSHOCK(ZQUAKE); CREATE INDEX quake_code ON ZQUAKE(ZCODE)")
  }

  func add(_ entity: String, _ values: [String: AttributeValue] = [:]) -> WorldObject {
    let object = WorldObject(world.objectID(entity, Int64(objects[entity]?.count ?? 0) + 1))
    object.values = values
    objects[entity, default: []].append(object)
    return object
  }

  func tag(_ quake: WorldObject, _ tag: WorldObject) {
    quake.toMany["tags", default: []].append(tag)
    tag.toMany["quakes", default: []].append(quake)
  }

  /// Writes every object that was added.
  func write() throws {
    try connection.transaction {
      for object in objects.values.joined() { try insert(object) }
    }
  }

  private func insert(_ object: WorldObject) throws {
    var columns = ["Z_PK"]
    var values = [AttributeValue.integer(object.predicateObjectID.key)]
    for name in world.propertyNames(of: object.entity) {
      switch world.property(name, of: object.entity) {
      case .attribute(let column, _):
        columns.append(column)
        values.append(object.values[name] ?? .null)
      case .toOne(let column, _):
        columns.append(column)
        values.append(object.toOne[name].map { .integer($0.predicateObjectID.key) } ?? .null)
      default: break
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ",")
    let sql = "INSERT INTO \(world.tableName(of: object.entity))(\(columns.joined(separator: ","))) VALUES(\(marks))"
    let statement = try connection.prepare(sql)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    try statement.run()
    guard object.entity == "Quake" else { return }
    for tag in object.toMany["tags"] ?? [] {
      let (quake, tag) = (object.predicateObjectID.key, tag.predicateObjectID.key)
      try connection.execute("INSERT INTO Z_TAGGED VALUES(\(quake), \(tag))")
    }
  }

  /// The keys of the rows that SQL finds, in the requested order and then by key.
  func keys(
    _ predicate: FetchPredicate, of entity: String, sortedBy descriptors: [FetchSortDescriptor] = []
  ) throws -> [Int64] {
    let condition = try SQLCondition(predicate, sortedBy: descriptors, entity: entity, schema: world)
    let ordering = condition.ordering.isEmpty ? "" : condition.ordering + ", "
    let statement = try connection.prepare(
      "SELECT t0.Z_PK FROM \(world.tableName(of: entity)) t0\(condition.joins) WHERE \(condition.condition) "
        + "ORDER BY \(ordering)t0.Z_PK")
    for (index, value) in condition.parameters.enumerated() { try statement.bind(value, at: index + 1) }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(0)) }
    return keys
  }

  /// The keys of the objects that the predicate matches in memory.
  func keysInMemory(_ predicate: FetchPredicate, of entity: String) throws -> [Int64] {
    let evaluator = PredicateEvaluator(predicate)
    return try (objects[entity] ?? []).filter { try evaluator.evaluate($0) }.map(\.predicateObjectID.key)
  }
}

/// A random number generator that gives the same numbers for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &self)] }
}

// The model: all entities of a store, checked as a whole before anything uses it.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A checked model.
///
/// A wrong one cannot be made: ``init(entities:configurations:fetchRequestTemplates:versionIdentifiers:)`` throws the list
/// of all that is wrong.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [quake, region])
/// model.entities.map(\.name)                        // ["Quake", "Region"]
/// model["Quake"]?.attribute(named: "code")?.type    // .string
/// ```
public struct ManagedObjectModel: Sendable, Hashable {
  package let hierarchy: EntityHierarchy
  /// The entities of each configuration by name, as they were given.
  private let configurationEntities: [String: Set<String>]
  /// The requests that the model keeps, by name.
  ///
  /// `fetchRequest(fromTemplate:substitutionVariables:as:)` of ObjectGraph makes requests of them.
  public let fetchRequestTemplates: [String: FetchRequestTemplate]
  /// What the application calls this version of the model; a new store keeps them in its metadata.
  ///
  /// They say nothing of what fits: version hashes do.
  public let versionIdentifiers: Set<String>

  /// The entities in the order of their numbers in a store: roots by name, ignoring case, each followed at once by its
  /// sub-entities in the same way.
  public var entities: [EntityDescription] { hierarchy.entities }

  /// The names of the configurations, in order: each is a set of entities that a store may be opened for.
  public var configurations: [String] { configurationEntities.keys.sorted() }

  /// Checks the entities and makes a model of them.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(
  ///   entities: [quake, region], configurations: ["Catalog": ["Region"], "User": ["Quake"]])
  /// ```
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - configurations: Entity names by the names of configurations. An entity brings its whole hierarchy, whose rows
  ///     are in one table.
  ///   - fetchRequestTemplates: Requests for objects of the entities, by names.
  ///   - versionIdentifiers: What the application calls this version of the model.
  /// - Throws: ``ModelError`` naming every mistake with its entity and property: in names, inheritance, defaults,
  ///   validation rules, inverses, counts, uniqueness constraints, fetch indexes, derivations, configurations and
  ///   templates.
  public init(
    entities: [EntityDescription], configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: Set<String> = []
  ) throws(ModelError) {
    try self.init(
      entities: entities, configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
      versionIdentifiers: versionIdentifiers, keepsUnknownDerivations: false)
  }

  /// A model without entities, whose stores hold metadata alone.
  ///
  /// ```swift
  /// let model = ManagedObjectModel()
  /// model.entities.isEmpty  // true
  /// ```
  public init() {
    hierarchy = EntityHierarchy([])
    configurationEntities = [:]
    fetchRequestTemplates = [:]
    versionIdentifiers = []
  }

  /// The same, with derivations that this library does not compute, whose attributes keep their assigned values.
  ///
  /// Models that Core Data wrote may have such; their stores can be read and written without them.
  package init(
    entities: [EntityDescription], configurations: [String: [String]],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: Set<String> = [],
    keepsUnknownDerivations: Bool
  ) throws(ModelError) {
    hierarchy = EntityHierarchy(entities)
    configurationEntities = configurations.mapValues { Set($0) }
    self.fetchRequestTemplates = fetchRequestTemplates
    self.versionIdentifiers = versionIdentifiers
    var check = ModelCheck(entities, hierarchy)
    check.run(keepsUnknownDerivations: keepsUnknownDerivations)
    check.check(configurations)
    check.check(fetchRequestTemplates)
    // Only a model without other mistakes has names to compare.
    if check.problems.isEmpty {
      for name in StoreSchema(model: CompiledModel(self)).nameClashes {
        check.note(
          found: "two tables or indexes that would be named \(name) in a store",
          expected: "other names of an entity, an attribute or an index")
      }
    }
    guard check.problems.isEmpty else { throw ModelError(problems: check.problems) }
  }

  /// The entity of that name; O(number of entities).
  ///
  /// ```swift
  /// let required = model["Quake"]?.attributes.filter { !$0.isOptional } ?? []
  /// model["Volcano"]?.name  // nil
  /// ```
  public subscript(_ entityName: String) -> EntityDescription? {
    hierarchy.index(of: entityName).map { entities[$0] }
  }

  /// The entities of a configuration in the order of ``entities``, those of the same hierarchies among them; nil when
  /// there is no such configuration.
  ///
  /// ```swift
  /// for name in model.configurations {
  ///   print(name, model.entities(forConfiguration: name)?.map(\.name) ?? [])
  /// }
  /// ```
  public func entities(forConfiguration name: String) -> [EntityDescription]? {
    guard let names = configurationEntities[name] else { return nil }
    let roots = Set(names.compactMap(hierarchy.index(of:)).map(hierarchy.root(of:)))
    return entities.indices.filter { roots.contains(hierarchy.root(of: $0)) }.map { entities[$0] }
  }

  /// The names of a configuration's entities as they were given; none when there is no such configuration.
  func names(ofConfiguration name: String) -> Set<String> { configurationEntities[name] ?? [] }

  /// The version hash of each entity, by name: 32 bytes that are the same where two models give an entity the same shape,
  /// and the same modifiers.
  ///
  /// They are this library's own and not equal to Core Data's, whose function is not public.
  ///
  /// ```swift
  /// let other = try ManagedObjectModel(entities: [quake, region])
  /// let isUnchanged = model.entityVersionHashesByName["Quake"] == other.entityVersionHashesByName["Quake"]
  /// ```
  public var entityVersionHashesByName: [String: Data] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.versionHash) })
  }

  /// The entity's number in a store, counted from 1.
  ///
  /// ```swift
  /// model.number(of: "Quake")    // 1 in a model of Quake and Region
  /// model.number(of: "Volcano")  // nil
  /// ```
  public func number(of entityName: String) -> Int? { hierarchy.index(of: entityName).map { $0 + 1 } }

  /// The entity at the top of the inheritance, itself when it inherits nothing.
  ///
  /// ```swift
  /// model.rootEntity(of: "Quake")?.name  // "Quake", which inherits nothing
  /// let table = model.rootEntity(of: "Explosion")?.tableName
  /// ```
  public func rootEntity(of entityName: String) -> EntityDescription? {
    hierarchy.index(of: entityName).map { entities[hierarchy.root(of: $0)] }
  }

  /// All entities that inherit from the entity, directly or not, in the order of their numbers.
  ///
  /// ```swift
  /// let kinds = model.subentities(of: "Event").map(\.name)
  /// model.subentities(of: "Quake").isEmpty  // true where nothing inherits from it
  /// ```
  public func subentities(of entityName: String) -> [EntityDescription] {
    hierarchy.index(of: entityName).map { Array(entities[hierarchy.family(of: $0).dropFirst()]) } ?? []
  }

  /// Whether the entity is the other one or inherits from it.
  ///
  /// ```swift
  /// model.entity("Quake", isKindOf: "Quake")   // true
  /// model.entity("Region", isKindOf: "Quake")  // false
  /// ```
  public func entity(_ entityName: String, isKindOf otherName: String) -> Bool {
    guard let index = hierarchy.index(of: entityName), let other = hierarchy.index(of: otherName) else { return false }
    return hierarchy.family(of: other).contains(index)
  }

  /// The entity's attributes by name, inherited ones among them.
  ///
  /// ```swift
  /// for attribute in model.attributes(of: "Quake") where attribute.isOptional {
  ///   print("\(attribute.name) may be absent")
  /// }
  /// ```
  public func attributes(of entityName: String) -> [AttributeDescription] {
    hierarchy.index(of: entityName).map(hierarchy.attributes(of:)) ?? []
  }

  /// The entity's relationships by name, inherited ones among them.
  ///
  /// ```swift
  /// let required = model.relationships(of: "Quake").filter { !$0.isOptional }
  /// let destinations = Set(required.map(\.destinationEntityName))
  /// ```
  public func relationships(of entityName: String) -> [RelationshipDescription] {
    hierarchy.index(of: entityName).map(hierarchy.relationships(of:)) ?? []
  }

  /// The table that holds the entity's rows: its root's.
  ///
  /// ```swift
  /// if let table = model.tableName(of: "Quake") {
  ///   let sql = "SELECT count(*) FROM \(table)"  // with rows of other entities of the hierarchy
  /// }
  /// ```
  public func tableName(of entityName: String) -> String? { rootEntity(of: entityName)?.tableName }

  /// The column of an attribute or to-one relationship; nil for a transient attribute and a to-many relationship.
  ///
  /// O(properties of the hierarchy).
  ///
  /// ```swift
  /// model.columnName(of: "magnitude", in: "Quake")  // "ZMAGNITUDE"
  /// model.columnName(of: "region", in: "Quake")     // "ZREGION", the key of a row of ZREGION
  /// ```
  public func columnName(of propertyName: String, in entityName: String) -> String? {
    guard let index = hierarchy.index(of: entityName) else { return nil }
    let lineage = hierarchy.lineage(of: index)
    return EntityTable(root: hierarchy.root(of: index), in: hierarchy).columns.first {
      $0.property == propertyName && $0.role.isProperty && lineage.contains($0.entityIndex)
    }?.name
  }
}

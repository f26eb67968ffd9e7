// The model: all entities of a store, checked together before anything uses them.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A checked model.
///
/// You cannot create an invalid model: ``init(entities:configurations:fetchRequestTemplates:versionIdentifiers:)``
/// throws the list of all mistakes.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [quake, region])
/// model.entities.map(\.name)                        // ["Quake", "Region"]
/// model["Quake"]?.attribute(named: "code")?.type    // .string
/// ```
public struct ManagedObjectModel: Sendable, Hashable {
  package let hierarchy: EntityHierarchy
  /// The entities of each configuration by name, as they were passed in.
  private let configurationEntities: [String: Set<String>]
  /// The model's named requests.
  ///
  /// `fetchRequest(fromTemplate:substitutionVariables:as:)` of ObjectGraph turns them into fetch requests.
  public let fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The application's names for this version of the model; a new store keeps them in its metadata.
  ///
  /// They do not decide whether a store is compatible; version hashes do.
  public let versionIdentifiers: Set<String>

  /// The entities in the order of their numbers in a store: roots by name, ignoring case, each followed by its
  /// sub-entities in the same order.
  public var entities: [EntityDescription] { hierarchy.entities }

  /// The sorted names of the configurations; each is a set of entities for which a store can be opened.
  public var configurations: [String] { configurationEntities.keys.sorted() }

  /// Creates a model after checking the entities.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(
  ///   entities: [quake, region], configurations: ["Catalog": ["Region"], "User": ["Quake"]])
  /// ```
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - configurations: Entity names by the names of configurations. An entity includes its whole hierarchy, whose
  ///     rows share one table.
  ///   - fetchRequestTemplates: Requests for objects of the entities, by name.
  ///   - versionIdentifiers: The application's names for this version of the model.
  /// - Throws: ``ModelError`` with every mistake, its entity and property: in names, inheritance, defaults, validation
  ///   rules, inverses, counts, uniqueness constraints, fetch indexes, derivations, configurations and templates.
  public init(
    entities: [EntityDescription], configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: Set<String> = []
  ) throws(ModelError) {
    try self.init(
      entities: entities, configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
      versionIdentifiers: versionIdentifiers, keepsUnknownDerivations: false)
  }

  /// Creates a model without entities; its stores contain only metadata.
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

  /// Creates a model with derivations that this library does not compute; their attributes keep their assigned values.
  ///
  /// Models written by Core Data may have such derivations; their stores can be read and written without computing
  /// them.
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
    // Compare names only if the model has no other mistakes.
    if check.problems.isEmpty {
      for name in StoreSchema(model: CompiledModel(self)).nameClashes {
        check.note(
          found: "two tables or indexes that would be named \(name) in a store",
          expected: "other names of an entity, an attribute or an index")
      }
    }
    guard check.problems.isEmpty else { throw ModelError(problems: check.problems) }
  }

  /// The entity with this name; O(number of entities).
  ///
  /// ```swift
  /// let required = model["Quake"]?.attributes.filter { !$0.isOptional } ?? []
  /// model["Volcano"]?.name  // nil
  /// ```
  public subscript(_ entityName: String) -> EntityDescription? {
    hierarchy.index(of: entityName).map { entities[$0] }
  }

  /// The entities of a configuration with their whole hierarchies, in the order of ``entities``; `nil` if there is no
  /// such configuration.
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

  /// The names of a configuration's entities as they were passed in; empty if there is no such configuration.
  func names(ofConfiguration name: String) -> Set<String> { configurationEntities[name] ?? [] }

  /// The version hash of each entity, by name: 32 bytes that are equal if two models give an entity the same shape and
  /// modifiers.
  ///
  /// They are specific to this library. Core Data's hashes differ, because its function is not public.
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

  /// The top of the entity's inheritance, which is the entity itself if it inherits nothing.
  ///
  /// ```swift
  /// model.rootEntity(of: "Quake")?.name  // "Quake", which inherits nothing
  /// let table = model.rootEntity(of: "Explosion")?.tableName
  /// ```
  public func rootEntity(of entityName: String) -> EntityDescription? {
    hierarchy.index(of: entityName).map { entities[hierarchy.root(of: $0)] }
  }

  /// All direct and indirect sub-entities, in the order of their numbers.
  ///
  /// ```swift
  /// let kinds = model.subentities(of: "Event").map(\.name)
  /// model.subentities(of: "Quake").isEmpty  // true where nothing inherits from it
  /// ```
  public func subentities(of entityName: String) -> [EntityDescription] {
    hierarchy.index(of: entityName).map { Array(entities[hierarchy.family(of: $0).dropFirst()]) } ?? []
  }

  /// Whether the entity is the other entity or inherits from it.
  ///
  /// ```swift
  /// model.entity("Quake", isKindOf: "Quake")   // true
  /// model.entity("Region", isKindOf: "Quake")  // false
  /// ```
  public func entity(_ entityName: String, isKindOf otherName: String) -> Bool {
    guard let index = hierarchy.index(of: entityName), let other = hierarchy.index(of: otherName) else { return false }
    return hierarchy.family(of: other).contains(index)
  }

  /// The entity's attributes by name, including inherited ones.
  ///
  /// ```swift
  /// for attribute in model.attributes(of: "Quake") where attribute.isOptional {
  ///   print("\(attribute.name) may be absent")
  /// }
  /// ```
  public func attributes(of entityName: String) -> [AttributeDescription] {
    hierarchy.index(of: entityName).map(hierarchy.attributes(of:)) ?? []
  }

  /// The entity's relationships by name, including inherited ones.
  ///
  /// ```swift
  /// let required = model.relationships(of: "Quake").filter { !$0.isOptional }
  /// let destinations = Set(required.map(\.destinationEntityName))
  /// ```
  public func relationships(of entityName: String) -> [RelationshipDescription] {
    hierarchy.index(of: entityName).map(hierarchy.relationships(of:)) ?? []
  }

  /// The table with the entity's rows, which is its root's.
  ///
  /// ```swift
  /// if let table = model.tableName(of: "Quake") {
  ///   let sql = "SELECT count(*) FROM \(table)"  // with rows of other entities of the hierarchy
  /// }
  /// ```
  public func tableName(of entityName: String) -> String? { rootEntity(of: entityName)?.tableName }

  /// The column of an attribute or to-one relationship; `nil` for a transient attribute or a to-many relationship.
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

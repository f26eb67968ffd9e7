// How the entities and properties of one model map to those of another, for migrations.
public import CoreDataModel
internal import Foundation

/// The mapping from a source model to a destination model.
///
/// It is a value, inferred only from the two models, without a store.
///
/// ```swift
/// let mapping = try MappingModel(inferringFrom: firstModel, to: secondModel)
/// for entity in mapping.entityMappings where entity.mappingType == .remove {
///   print("the objects of \(entity.sourceEntityName ?? "") will be deleted")
/// }
/// ```
public struct MappingModel: Sendable, Hashable {
  /// One for each entity of the destination in the order of its model, then one for each source entity that is removed.
  public let entityMappings: [EntityMapping]

  /// Infers the mapping, by Core Data's rules for lightweight migration.
  ///
  /// An entity or a property of the destination maps to the one with the same renaming identifier, else to the one with
  /// its renaming identifier as name, else to the one with the same name. O(properties of both models).
  ///
  /// ```swift
  /// do throws(ObjectGraphError) {
  ///   print(try MappingModel(inferringFrom: firstModel, to: secondModel).entityMappings.count)
  /// } catch {
  ///   print(error)  // every change that cannot be inferred
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/mappingNotInferred(_:)`` with every change that cannot be inferred.
  public init(
    inferringFrom source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(ObjectGraphError) {
    let matching = ModelMatching(from: CompiledModel(source), to: CompiledModel(destination))
    try matching.refuseProblems()
    self.init(matching)
  }

  init(_ matching: ModelMatching) {
    entityMappings =
      matching.destination.layouts.map { EntityMapping($0, in: matching) }
      + matching.source.layouts.filter { matching.destinations[$0.index] == nil }.map {
        EntityMapping(
          mappingType: .remove, sourceEntityName: $0.entity.name, destinationEntityName: nil, attributeMappings: [],
          relationshipMappings: [], removedProperties: [])
      }
  }
}

/// How the objects of one entity are migrated.
///
/// ```swift
/// let mapping = try MappingModel(inferringFrom: firstModel, to: secondModel)
/// let lost = mapping.entityMappings.filter { !$0.removedProperties.isEmpty }
/// ```
public struct EntityMapping: Sendable, Hashable {
  /// The kind of an entity mapping, with Core Data's names.
  ///
  /// ```swift
  /// let mapping = try MappingModel(inferringFrom: firstModel, to: secondModel)
  /// let isUnchanged = mapping.entityMappings.allSatisfy { $0.mappingType == .copy }
  /// ```
  public enum MappingType: String, Sendable, Hashable {
    /// Only the destination has the entity.
    case add
    /// Only the source has the entity: its objects are deleted.
    case remove
    /// Both models have it, with the same version hash.
    case copy
    /// Both models have it, with different version hashes.
    case transform
  }

  /// What happens to the entity.
  public let mappingType: MappingType
  /// The entity's name in the source; `nil` if it is added.
  public let sourceEntityName: String?
  /// The entity's name in the destination; `nil` if it is removed.
  public let destinationEntityName: String?
  /// The attributes of the destination entity by name, including inherited ones, but not transient ones.
  public let attributeMappings: [PropertyMapping]
  /// The relationships of the destination entity by name, including inherited ones.
  public let relationshipMappings: [PropertyMapping]
  /// The attributes and relationships of the source entity that are lost, by name.
  public let removedProperties: [String]
}

/// The source of one property's values.
///
/// ```swift
/// let mapping = try MappingModel(inferringFrom: firstModel, to: secondModel)
/// for property in mapping.entityMappings[0].attributeMappings where property.sourceName == nil {
///   print("\(property.name) is new")
/// }
/// ```
public struct PropertyMapping: Sendable, Hashable {
  /// The property's name in the destination.
  public let name: String
  /// Its name in the source; `nil` if it is added, in which case it starts with its default value.
  public let sourceName: String?
}

/// A model change for which no mapping can be inferred.
///
/// ```swift
/// if case .mappingNotInferred(let problems) = error {
///   for problem in problems { print(problem.entity, problem.property ?? "", problem.rule) }
/// }
/// ```
public struct MappingProblem: Sendable, Hashable, CustomStringConvertible {
  /// The entity of the destination model.
  public let entity: String
  /// The property; `nil` if the entity itself is the problem.
  public let property: String?
  /// What the two models have.
  public let found: String
  /// The rule that forbids the change, and what to do instead.
  public let rule: String

  public var description: String {
    "\(property.map { "\(entity).\($0)" } ?? entity): found \(found); \(rule)"
  }
}

extension EntityMapping {
  fileprivate init(_ layout: EntityLayout, in matching: ModelMatching) {
    let index = layout.index
    let source = matching.sources[index].map { matching.source.layouts[$0] }
    destinationEntityName = layout.entity.name
    sourceEntityName = source?.entity.name
    mappingType =
      source.map {
        matching.source.hashes(of: $0) == matching.destination.hashes(of: layout) ? .copy : .transform
      } ?? .add
    let properties = matching.properties[index]
    attributeMappings = matching.destination.storedAttributes(of: index).map {
      PropertyMapping(name: $0.name, sourceName: properties.attributes[$0.name])
    }
    let hierarchy = matching.destination.model.hierarchy
    relationshipMappings = hierarchy.relationships(of: index).map {
      PropertyMapping(name: $0.name, sourceName: properties.relationships[$0.name])
    }
    let kept = Set(properties.attributes.values).union(properties.relationships.values)
    let names = source.map { source in
      matching.source.storedAttributes(of: source.index).map(\.name)
        + matching.source.model.hierarchy.relationships(of: source.index).map(\.name)
    }
    removedProperties = (names ?? []).filter { !kept.contains($0) }.sorted()
  }
}

extension CompiledModel {
  /// The version hashes of an entity and its super-entities.
  fileprivate func hashes(of layout: EntityLayout) -> [Data] {
    var hashes: [Data] = []
    var next: Int? = layout.index
    while let index = next {
      hashes.append(layouts[index].entity.versionHash)
      next = model.hierarchy.parents[index]
    }
    return hashes
  }
}

// An entity compiled once: which slot each attribute has, which column, what must be there, what it starts with.
internal import Synchronization

/// The compiled form of an entity.
///
/// Slots are in name order, as Core Data counts properties; columns are in the order Core Data creates them.
final class EntityLayout: Sendable {
  /// Unique in the process and never 0, so that typed keys can remember where they were resolved.
  let identity: UInt32
  /// The entity's place in the model, from 0; a store has its own numbers for entities.
  let index: Int
  let entity: EntityDescription
  let tableName: String
  /// Attributes by slot.
  let attributes: [AttributeDescription]
  /// Slots in the order of the table's columns after `Z_PK`, `Z_ENT`, `Z_OPT`.
  let columnOrder: [Int]
  /// Slots that must not be null when a row is stored.
  let requiredSlots: [Int]
  /// The slots of each uniqueness constraint.
  let constraints: [[Int]]
  /// What every new object starts with.
  let defaults: RowSnapshot

  private let names: [String]
  /// Used from 13 attributes on; below that, comparing short names one by one is faster than hashing one.
  private let slotsByName: [String: Int]
  private static let identities = Atomic<UInt32>(1)

  init(_ entity: EntityDescription, index: Int) {
    identity = EntityLayout.identities.add(1, ordering: .relaxed).oldValue
    self.index = index
    self.entity = entity
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let names = attributes.map(\.name)
    self.attributes = attributes
    self.names = names
    slotsByName = names.count > 12 ? Dictionary(uniqueKeysWithValues: zip(names, names.indices)) : [:]
    tableName = entity.tableName
    columnOrder = attributes.indices.sorted {
      (attributes[$0].type.columnBlock, attributes[$0].columnName)
        < (attributes[$1].type.columnBlock, attributes[$1].columnName)
    }
    requiredSlots = attributes.indices.filter { !attributes[$0].isOptional }
    constraints = entity.uniquenessConstraints.map { $0.compactMap(names.firstIndex(of:)) }
    defaults = RowSnapshot(attributes.map { $0.defaultValue.conformed(to: $0.type) ?? .null })
  }

  var slotCount: Int { attributes.count }

  /// The slot of the attribute, nil when there is none; O(1) from 13 attributes on, else O(attributes).
  func slot(named name: String) -> Int? {
    if !slotsByName.isEmpty { return slotsByName[name] }
    for slot in names.indices where names[slot] == name { return slot }
    return nil
  }
}

extension AttributeType {
  /// The block of columns the type is created in, in the order of fresh Core Data stores: integers; dates and
  /// floating point mixed; decimals; strings; URIs; UUIDs; binary data.
  fileprivate var columnBlock: Int {
    switch self {
    case .int16, .int32, .int64, .boolean: 0
    case .date, .float, .double: 1
    case .decimal: 2
    case .string: 3
    case .uri: 4
    case .uuid: 5
    case .binary: 6
    }
  }
}

/// A model compiled for use by a coordinator and its contexts.
final class CompiledModel: Sendable {
  let model: ManagedObjectModel
  /// Layouts in the order of the model's entities.
  let layouts: [EntityLayout]

  init(_ model: ManagedObjectModel) {
    self.model = model
    layouts = model.entities.enumerated().map { EntityLayout($1, index: $0) }
  }

  /// The layout of an entity.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  func layout(named name: String) throws(ObjectGraphError) -> EntityLayout {
    for layout in layouts where layout.entity.name == name { return layout }
    throw .unknownEntity(found: name, expected: layouts.map(\.entity.name))
  }
}

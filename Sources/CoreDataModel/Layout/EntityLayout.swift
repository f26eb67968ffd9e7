// A compiled entity: the slot and column of each property, required properties and default values.
internal import Synchronization

/// The compiled form of an entity, with everything it inherits.
///
/// Slots are in name order, as Core Data counts properties; columns are in the order in which Core Data creates them.
@_documentation(visibility: internal)
public final class EntityLayout: Sendable {
  /// A column of the table that this entity's rows use, and its slot.
  package struct Column: Sendable {
    package let name: String
    package let role: TableColumn.Role
    package let slot: Int
  }

  /// Unique in the process and never 0, so that typed keys can cache the entity they were resolved for.
  package let identity: UInt32
  /// The entity's index in the model, from 0; a store has its own numbers for entities.
  package let index: Int
  /// Whether rows of other entities are in the same table.
  package let sharesTable: Bool
  /// The index of the root entity; its table has the rows, and its number counts their keys.
  package let rootIndex: Int
  /// The indexes of the entity and all of its descendants.
  package let family: Range<Int>
  package let entity: EntityDescription
  package let tableName: String
  /// The attributes and to-one relationships.
  package let slots: [PropertySlot]
  /// Whether any slot belongs to a relationship; most bulk data has none.
  package let hasToOneSlots: Bool
  /// The to-many relationships, in name order.
  package let toManyRelationships: [ToManyLayout]
  /// Attributes by slot.
  ///
  /// A to-one relationship's slot has an integer attribute with the relationship's name, for its key.
  package let attributes: [AttributeDescription]
  /// The types by slot, so that row loops need not copy descriptions or slots.
  package let types: [AttributeType]
  @usableFromInline let toOneSlots: SlotMask
  @usableFromInline let transientMask: SlotMask
  /// All columns after `Z_PK`, `Z_ENT`, `Z_OPT` in the table's order, including the companions of to-one relationships.
  package let columns: [Column]
  /// The table's other columns, which belong to other entities of the hierarchy; they are null in this entity's rows.
  package let foreignColumns: [String]
  /// The slots that have a column, in the order of the table's columns after `Z_PK`, `Z_ENT`, `Z_OPT`.
  package let columnOrder: [Int]
  /// The slots without a column.
  package let transientSlots: [Int]
  /// Slots that must not be null when a row is stored, except those of transient attributes.
  package let requiredSlots: [Int]
  /// The required slots of attributes.
  ///
  /// A batch insert cannot set relationships, so it does not require them.
  package let requiredAttributes: [Int]
  /// The slots of values that history keeps when an object is deleted, in name order.
  package let tombstoneSlots: [Int]
  /// The slots of each uniqueness constraint, including inherited ones.
  package let constraints: [[Int]]
  /// The to-many relationships with a minimum or maximum count.
  package let countedRelationships: [Int]
  /// Whether a relationship may prevent the deletion of its object.
  package let hasDenyRule: Bool
  /// The derivations that this library computes, in slot order.
  package let derivations: [(slot: Int, derivation: Derivation)]
  /// The validation rules of attributes, in slot order.
  package let rules: [(slot: Int, rule: CompiledRule)]
  /// The values of a new object.
  package let defaults: RowSnapshot

  @usableFromInline let names: [String]
  /// Used from 13 slots on; with fewer, comparing short names one by one is faster than hashing.
  @usableFromInline let slotsByName: [String: Int]
  private static let identities = Atomic<UInt32>(1)

  package init(_ index: Int, in hierarchy: EntityHierarchy, table: EntityTable, compiler: LayoutCompiler) {
    identity = EntityLayout.identities.add(1, ordering: .relaxed).oldValue
    self.index = index
    rootIndex = table.root
    sharesTable = hierarchy.family(of: table.root).count > 1
    family = hierarchy.family(of: index)
    entity = hierarchy.entities[index]
    tableName = table.name
    let slots = compiler.slots(of: index)
    let names = slots.map(\.name)
    self.slots = slots
    self.names = names
    slotsByName = names.count > 12 ? Dictionary(zip(names, names.indices)) { first, _ in first } : [:]
    hasToOneSlots = slots.contains { $0.toOne != nil }
    toManyRelationships = compiler.toManyRelationships(of: index)
    attributes = slots.map(\.attribute)
    types = attributes.map(\.type)
    toOneSlots = SlotMask(slots.indices.filter { slots[$0].toOne != nil })
    let lineage = hierarchy.lineage(of: index)
    columns = table.columns.compactMap { column in
      guard lineage.contains(column.entityIndex), let slot = names.firstIndex(of: column.property) else { return nil }
      return Column(name: column.name, role: column.role, slot: slot)
    }
    foreignColumns = table.columns.filter { !lineage.contains($0.entityIndex) }.map(\.name)
    columnOrder = columns.compactMap { $0.role.isProperty ? $0.slot : nil }
    transientSlots = slots.indices.filter { slots[$0].isTransient }
    transientMask = SlotMask(transientSlots)
    requiredSlots = slots.indices.filter { !slots[$0].isOptional && !slots[$0].isTransient }
    requiredAttributes = requiredSlots.filter { slots[$0].toOne == nil }
    tombstoneSlots = slots.indices.filter { [attributes] in
      attributes[$0].preservesValueInHistoryOnDeletion && !slots[$0].isTransient
    }
    constraints = lineage.reversed().flatMap { hierarchy.entities[$0].uniquenessConstraints }
      .map { $0.compactMap(names.firstIndex(of:)) }
    countedRelationships = toManyRelationships.indices.filter { [toManyRelationships] in
      let relationship = toManyRelationships[$0].relationship
      return !relationship.isOptional || relationship.minimumCount > 0 || relationship.maximumCount > 0
    }
    hasDenyRule =
      slots.contains { $0.toOne?.relationship.deleteRule == .deny }
      || toManyRelationships.contains { $0.relationship.deleteRule == .deny }
    derivations = attributes.enumerated().compactMap { [toManyRelationships] slot, attribute in
      attribute.derivationExpression
        .flatMap { Derivation($0, slots: slots, toManyRelationships: toManyRelationships) }.map { (slot, $0) }
    }
    rules = attributes.enumerated().flatMap { slot, attribute in
      attribute.validationRules.compactMap { rule in
        (try? CompiledRule(rule, for: attribute.type)).map { (slot, $0) }
      }
    }
    defaults = RowSnapshot(attributes.map { $0.defaultValue.conformed(to: $0.type) ?? .null })
  }

  package var slotCount: Int { slots.count }

  /// Whether a slot belongs to a to-one relationship.
  @inlinable public func isToOne(_ slot: Int) -> Bool { toOneSlots.contains(slot) }

  /// Whether a slot has no column.
  @inlinable public func isTransient(_ slot: Int) -> Bool { transientMask.contains(slot) }

  package var hasRelationships: Bool { hasToOneSlots || !toManyRelationships.isEmpty }

  /// The row as it is stored, without transient values.
  package func stored(_ row: RowSnapshot) -> RowSnapshot {
    if transientSlots.isEmpty { return row }
    var stored = row
    for slot in transientSlots { stored[slot] = .null }
    return stored
  }

  /// The column of a slot, which must not be a transient attribute's.
  package func columnName(of slot: Int) -> String { slots[slot].columnName ?? attributes[slot].columnName }

  /// The slot of the property; `nil` if there is none.
  ///
  /// O(1) from 13 slots on, else O(slots).
  @inlinable public func slot(named name: String) -> Int? {
    if !slotsByName.isEmpty { return slotsByName[name] }
    for slot in names.indices where names[slot] == name { return slot }
    return nil
  }

  /// The index of a to-many relationship in the entity; O(to-many relationships).
  package func toManyIndex(named name: String) -> Int? {
    for index in toManyRelationships.indices where toManyRelationships[index].relationship.name == name { return index }
    return nil
  }

  /// Whether a property is a relationship.
  package func isRelationship(_ name: String) -> Bool {
    toManyIndex(named: name) != nil || slot(named: name).map { slots[$0].toOne != nil } ?? false
  }

  /// Whether the entity is the other entity or inherits from it.
  package func isKind(of other: EntityLayout) -> Bool { other.family.contains(index) }
}

extension PropertySlot {
  fileprivate var attribute: AttributeDescription {
    switch kind {
    case .attribute(let attribute): attribute
    case .toOne: AttributeDescription(name, .int64, isOptional: isOptional)
    }
  }
}

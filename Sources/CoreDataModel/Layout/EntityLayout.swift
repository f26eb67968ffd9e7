// An entity compiled once: which slot each property has, which column, what must be there, what it starts with.
internal import Synchronization

/// The compiled form of an entity, with all it inherits.
///
/// Slots are in name order, as Core Data counts properties; columns are in the order Core Data creates them.
@_documentation(visibility: internal)
public final class EntityLayout: Sendable {
  /// A column of the table that this entity's rows use, and the slot it belongs to.
  package struct Column: Sendable {
    package let name: String
    package let role: TableColumn.Role
    package let slot: Int
  }

  /// Unique in the process and never 0, so that typed keys can remember where they were resolved.
  package let identity: UInt32
  /// The entity's place in the model, from 0; a store has its own numbers for entities.
  package let index: Int
  /// Whether rows of other entities are in the same table.
  package let sharesTable: Bool
  /// The place of the root, whose table holds the rows and whose number the keys are counted under.
  package let rootIndex: Int
  /// The places of the entity and all that inherit from it.
  package let family: Range<Int>
  package let entity: EntityDescription
  package let tableName: String
  /// The attributes and to-one relationships.
  package let slots: [PropertySlot]
  /// Whether any slot is a relationship's; most entities of bulk data have none.
  package let hasToOneSlots: Bool
  /// The to-many relationships, in name order.
  package let toManyRelationships: [ToManyLayout]
  /// Attributes by slot.
  ///
  /// In the slot of a to-one relationship stands its key, as an integer of its name.
  package let attributes: [AttributeDescription]
  /// Their types by slot: row loops copy neither descriptions nor slots.
  package let types: [AttributeType]
  @usableFromInline let toOneSlots: SlotMask
  @usableFromInline let transientMask: SlotMask
  /// All columns after `Z_PK`, `Z_ENT`, `Z_OPT` in the table's order, companions of to-one relationships among them.
  package let columns: [Column]
  /// The table's other columns, which belong to other entities of the hierarchy and are null in this one's rows.
  package let foreignColumns: [String]
  /// The slots that have a column, in the order of the table's columns after `Z_PK`, `Z_ENT`, `Z_OPT`.
  package let columnOrder: [Int]
  /// The slots without a column.
  package let transientSlots: [Int]
  /// Slots that must not be null when a row is stored, without those of transient attributes.
  package let requiredSlots: [Int]
  /// The required slots of attributes.
  ///
  /// A batch insert cannot set relationships, so it does not require them.
  package let requiredAttributes: [Int]
  /// The slots whose values history keeps of a deleted object, in name order.
  package let tombstoneSlots: [Int]
  /// The slots of each uniqueness constraint, inherited ones among them.
  package let constraints: [[Int]]
  /// The to-many relationships that must hold some objects, or no more than some.
  package let countedRelationships: [Int]
  /// Whether a relationship may forbid the deletion of its object.
  package let hasDenyRule: Bool
  /// What derived attributes are derived from, as far as this library computes it, in slot order.
  package let derivations: [(slot: Int, derivation: Derivation)]
  /// The rules of attributes, in slot order.
  package let rules: [(slot: Int, rule: CompiledRule)]
  /// What every new object starts with.
  package let defaults: RowSnapshot

  @usableFromInline let names: [String]
  /// Used from 13 slots on; below that, comparing short names one by one is faster than hashing one.
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

  /// Whether a slot is a to-one relationship's.
  @inlinable public func isToOne(_ slot: Int) -> Bool { toOneSlots.contains(slot) }

  /// Whether a slot has no column.
  @inlinable public func isTransient(_ slot: Int) -> Bool { transientMask.contains(slot) }

  package var hasRelationships: Bool { hasToOneSlots || !toManyRelationships.isEmpty }

  /// The row without transient values, as it is stored.
  package func stored(_ row: RowSnapshot) -> RowSnapshot {
    if transientSlots.isEmpty { return row }
    var stored = row
    for slot in transientSlots { stored[slot] = .null }
    return stored
  }

  /// The column of a slot, which is not a transient attribute's.
  package func columnName(of slot: Int) -> String { slots[slot].columnName ?? attributes[slot].columnName }

  /// The slot of the property, nil when there is none; O(1) from 13 slots on, else O(slots).
  @inlinable public func slot(named name: String) -> Int? {
    if !slotsByName.isEmpty { return slotsByName[name] }
    for slot in names.indices where names[slot] == name { return slot }
    return nil
  }

  /// The place of a to-many relationship among those of the entity; O(to-many relationships).
  package func toManyIndex(named name: String) -> Int? {
    for index in toManyRelationships.indices where toManyRelationships[index].relationship.name == name { return index }
    return nil
  }

  /// Whether a property is a relationship.
  package func isRelationship(_ name: String) -> Bool {
    toManyIndex(named: name) != nil || slot(named: name).map { slots[$0].toOne != nil } ?? false
  }

  /// Whether the entity is the other one or inherits from it.
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

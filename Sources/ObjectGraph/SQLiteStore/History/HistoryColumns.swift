// The properties that an update changed, as the bitmap in history.
internal import CoreDataModel

/// The positions of an entity's properties in `ZCOLUMNS`.
///
/// Attributes, to-one and to-many relationships are in one list, ordered by name and without transient ones. A to-one
/// relationship with a companion column has two positions. The first position is the highest bit of the first byte.
struct HistoryColumns: Sendable {
  private let byteCount: Int
  /// The property at each position.
  let positions: [String]
  private let slotPositions: [Range<Int>]
  private let toManyPositions: [Range<Int>]

  init(_ layout: EntityLayout) {
    var properties: [(name: String, slot: Int?, toMany: Int?, width: Int)] = []
    for (slot, property) in layout.slots.enumerated() {
      let width = property.isTransient ? 0 : property.toOne?.entityColumn == nil ? 1 : 2
      properties.append((property.name, slot, nil, width))
    }
    for (index, toMany) in layout.toManyRelationships.enumerated() {
      properties.append((toMany.relationship.name, nil, index, 1))
    }
    properties.sort { $0.name < $1.name }
    var names: [String] = []
    var slotPositions = [Range<Int>](repeating: 0..<0, count: layout.slotCount)
    var toManyPositions = [Range<Int>](repeating: 0..<0, count: layout.toManyRelationships.count)
    for property in properties {
      let positions = names.count..<names.count + property.width
      if let slot = property.slot { slotPositions[slot] = positions }
      if let toMany = property.toMany { toManyPositions[toMany] = positions }
      names += Array(repeating: property.name, count: property.width)
    }
    positions = names
    self.slotPositions = slotPositions
    self.toManyPositions = toManyPositions
    byteCount = (names.count + 7) / 8
  }

  /// The bitmap of some slots and to-many relationships.
  func bitmap(_ changes: ChangedProperties) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    func set(_ positions: Range<Int>) {
      for position in positions { bytes[position / 8] |= 0x80 >> UInt8(position % 8) }
    }
    for slot in slotPositions.indices where changes.slots.contains(slot) { set(slotPositions[slot]) }
    for index in toManyPositions.indices where changes.toMany.contains(index) { set(toManyPositions[index]) }
    return bytes
  }

  /// The names of the properties in a bitmap; bits after the last property are ignored.
  func names(in bitmap: UnsafeRawBufferPointer) -> [String] {
    var found: [String] = []
    for (position, name) in positions.enumerated() where position / 8 < bitmap.count {
      if bitmap[position / 8] & (0x80 >> UInt8(position % 8)) != 0, found.last != name { found.append(name) }
    }
    return found
  }
}

/// The properties of an object that an update changes.
struct ChangedProperties: Sendable, Equatable {
  var slots = SlotMask()
  /// To-many relationships by their index in the entity.
  var toMany = SlotMask()
}

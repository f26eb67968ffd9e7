// Single values of faults that a fetch of some properties has read; the rest is read when needed.
internal import CoreDataModel

/// The properties that a fetch of objects reads.
struct PartialProperties: Sendable {
  /// The columns of the properties.
  let columns: Set<String>
  /// The slots of the properties, by each entity's index in the model.
  private let slots: [Int: SlotMask]

  /// Selects the named properties; every entity of the family has those of the first.
  init(_ names: Set<String>, of family: [EntityLayout]) {
    var columns: Set<String> = []
    var slots: [Int: SlotMask] = [:]
    for layout in family {
      let named = layout.slots.indices.filter { names.contains(layout.slots[$0].name) }
      slots[layout.index] = SlotMask(named)
      for slot in named {
        let property = layout.slots[slot]
        columns.formUnion(
          [property.columnName, property.toOne?.entityColumn, property.toOne?.orderColumn].compactMap(\.self))
      }
    }
    self.columns = columns
    self.slots = slots
  }

  func slots(of layout: EntityLayout) -> SlotMask { slots[layout.index] ?? SlotMask() }
}

/// A fetch of objects that reads some of their properties, kept for reading its rows again.
// A class, so that a result has a single reference to it, which is usually `nil`.
final class PartialFetch {
  let properties: PartialProperties
  private let fetch: StoreFetch

  /// - Parameters:
  ///   - fetch: The fetch.
  ///   - properties: The properties that it reads.
  init(_ fetch: StoreFetch, _ properties: PartialProperties) {
    self.properties = properties
    self.fetch = fetch
  }

  /// Reads the same properties again for some of the rows, in the order of the IDs.
  func rows(
    of objectIDs: [ManagedObjectID], in context: ManagedObjectContext
  ) throws(ObjectGraphError) -> PlacedRows { try fetch.rows(of: objectIDs, in: context) }
}

/// A row in which only some slots were read.
struct PartialRow {
  let row: RowSnapshot
  let slots: SlotMask
}

extension ManagedObject {
  /// The value of a slot, if the object is a fault and a fetch has read that value.
  final func partialValue(_ slot: Int) -> AttributeValue? {
    guard row == nil, state == .stored, let partial = links?.partial, partial.slots.contains(slot) else { return nil }
    return partial.row[slot]
  }

  /// The value of a fault's slot; reads the whole row unless a fetch has already read this value.
  @inline(never)
  final func valueOfFault(_ slot: Int) -> AttributeValue { partialValue(slot) ?? values?[slot] ?? .null }
}

extension ManagedObjectContext {
  /// The object of a row in ``FetchResults``.
  ///
  /// A fault gets the properties that were read; an object with values keeps its own.
  func object(for row: StoredRow, since changes: FollowedChanges, _ properties: PartialProperties?) -> ManagedObject {
    guard let properties else { return object(for: row, since: changes) }
    let object = objectOrFault(row.objectID)
    if object.isFault, !changes.contains(row.objectID) {
      object.linksMade().partial = PartialRow(row: row.snapshot, slots: properties.slots(of: row.layout))
    }
    return object
  }
}

// Selects the open stores that a request concerns.
internal import CoreDataModel

/// Selects the stores of a request by their indexes among the open stores.
struct StoreAssignment {
  private let identities: [StoreIdentity]

  init(_ identities: [StoreIdentity]) { self.identities = identities }

  /// The ascending indexes of the stores that have the entity and are among the selected ones, if any are selected.
  ///
  /// - Throws: ``ObjectGraphError/entityInNoStore(_:)``, ``ObjectGraphError/wrongStore(found:expected:)``.
  func positions(
    holding layout: EntityLayout, among wanted: [PersistentStore]?
  ) throws(ObjectGraphError) -> [Int] {
    if let wanted {
      var positions: Set<Int> = []
      for store in wanted { positions.insert(try position(of: store, holding: layout)) }
      if positions.isEmpty { throw refusal("affectedStores without a store", layout) }
      return positions.sorted()
    }
    let positions = identities.indices.filter { identities[$0].holds(layout) }
    if positions.isEmpty { throw .entityInNoStore(layout.entity.name) }
    return positions
  }

  /// The index of a store that the caller selects.
  ///
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``.
  func position(of store: PersistentStore, holding layout: EntityLayout) throws(ObjectGraphError) -> Int {
    guard let position = identities.firstIndex(where: { $0 === store.identity }) else {
      throw refusal("the store \(store), which is not open in this coordinator", layout)
    }
    guard store.identity.holds(layout) else {
      throw refusal("the store \(store), whose configuration does not have \(layout.entity.name)", layout)
    }
    return position
  }

  /// The index of the store for new objects of the entity: the first writable store that has it.
  func placeOfNewObjects(_ layout: EntityLayout) -> Int? {
    identities.firstIndex { !$0.isReadOnly && $0.holds(layout) }
  }

  private func refusal(_ found: String, _ layout: EntityLayout) -> ObjectGraphError {
    let names = identities.filter { $0.holds(layout) }.map(\.path)
    return .wrongStore(
      found: found,
      expected: names.isEmpty
        ? "an open store that holds \(layout.entity.name)" : "one of \(names.joined(separator: ", "))")
  }
}

// Which of the open stores a request is about.
internal import CoreDataModel

/// Chooses the stores of a request by their places among those that are open.
struct StoreAssignment {
  private let identities: [StoreIdentity]

  init(_ identities: [StoreIdentity]) { self.identities = identities }

  /// The places, in ascending order, of the stores that hold the entity, or of those of them that are named.
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

  /// The index of a store that the caller names.
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

  /// The index of the store that new objects of the entity are saved to: the first writable one that holds it.
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

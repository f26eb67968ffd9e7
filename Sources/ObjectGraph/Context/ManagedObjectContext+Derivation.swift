// Derived attributes in a save: computed again for changed objects and the objects linked with them.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ManagedObjectContext {
  /// Sets the derived attributes of pending objects, and of objects that depend on a pending object.
  ///
  /// An attribute derived from another derived attribute may lag by one save, because each is computed only once.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  func derive() throws(ObjectGraphError) {
    let sources = persistentStoreCoordinator.compiledModel.derivationSources
    if !sources.isEmpty {
      for object in pendingUpdates { try deriveDependents(of: object, sources) }
    }
    // Objects that are not written are not derived again.
    for object in pendingInsertions + pendingUpdates
    where !object.layout.derivations.isEmpty && (object.isInserted || object.hasChangesToStore) {
      try object.derive()
    }
  }

  /// Computes the values that depend on an object's changed values.
  ///
  /// A newly linked object is pending itself.
  private func deriveDependents(of object: ManagedObject, _ sources: [DerivationSource]) throws(ObjectGraphError) {
    let layouts = persistentStoreCoordinator.compiledModel.layouts
    for source in sources where layouts[source.entityIndex].family.contains(object.layout.index) {
      guard let slot = object.layout.slot(named: source.attribute), object.changedSlots.contains(slot),
        object.isOtherwise(slot)
      else { continue }
      if let toOne = object.layout.toOneSlot(named: source.inverse) {
        try object.destination(toOne)?.deriveIfAlive()
      } else if let toMany = object.layout.toManyIndex(named: source.inverse) {
        for dependent in try object.members(toMany) { try dependent.deriveIfAlive() }
      }
    }
  }
}

extension ManagedObject {
  fileprivate func deriveIfAlive() throws(ObjectGraphError) { if isAlive { try derive() } }

  /// Computes the derived attributes and sets those that changed.
  fileprivate func derive() throws(ObjectGraphError) {
    for (slot, derivation) in layout.derivations {
      guard let values else { return }
      let computed = try value(of: derivation, for: slot, values)
      if !computed.isStored(as: values[slot]) { write(computed, slot: slot) }
    }
  }

  /// Whether the next save gives the slot's attribute, which may be null now, a value.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  func willDerive(slot: Int) throws(ObjectGraphError) -> Bool {
    guard let values, let (_, derivation) = layout.derivations.first(where: { $0.slot == slot }) else { return false }
    return try !value(of: derivation, for: slot, values).isStoredAsNull
  }

  private func value(
    of derivation: Derivation, for slot: Int, _ values: RowSnapshot
  ) throws(ObjectGraphError) -> AttributeValue {
    try value(of: derivation, values).conformed(to: layout.types[slot]) ?? .null
  }

  private func value(of derivation: Derivation, _ values: RowSnapshot) throws(ObjectGraphError) -> AttributeValue {
    switch derivation {
    case .count(let toMany): return .integer(Int64(try memberCount(toMany)))
    case .aggregate(let aggregate, let toMany, let attribute):
      let values = try members(toMany).compactMap { member in
        member.layout.slot(named: attribute).flatMap { member.values?[$0] }
      }
      return aggregate.of(values.filter { !$0.isStoredAsNull })
    case .value(let slot, let form): return form?.apply(to: values[slot]) ?? values[slot]
    case .destination(let slot, let attribute, let form):
      guard let object = destination(slot), object.isAlive, let other = object.layout.slot(named: attribute),
        let value = object.values?[other]
      else { return .null }
      return form?.apply(to: value) ?? value
    case .now: return .date(Date())
    }
  }
}

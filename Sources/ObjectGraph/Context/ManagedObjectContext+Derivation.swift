// Derived attributes in a save: computed anew for what changed and for what is linked with it.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Sets the derived attributes of pending objects, and of those whose values follow from a pending object's.
  ///
  /// What is derived from another derived attribute may be a save behind: each is computed once.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a relationship cannot be read.
  func derive() throws(ObjectGraphError) {
    let sources = persistentStoreCoordinator.compiledModel.derivationSources
    if !sources.isEmpty {
      for object in pendingUpdates { try deriveDependents(of: object, sources) }
    }
    // What is not written is not derived anew.
    for object in pendingInsertions + pendingUpdates
    where !object.layout.derivations.isEmpty && (object.isInserted || object.hasChangesToStore) {
      try object.derive()
    }
  }

  /// Computes what follows from the changed values of an object.
  ///
  /// An object that was linked anew is pending itself.
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

  /// Computes the derived attributes and sets those that come out otherwise.
  fileprivate func derive() throws(ObjectGraphError) {
    for (slot, derivation) in layout.derivations {
      guard let values else { return }
      let computed = try value(of: derivation, values).conformed(to: layout.attributes[slot].type) ?? .null
      if !computed.isStored(as: values[slot]) { write(computed, slot: slot) }
    }
  }

  private func value(of derivation: Derivation, _ values: RowSnapshot) throws(ObjectGraphError) -> AttributeValue {
    switch derivation {
    case .count(let toMany): return .integer(Int64(try memberCount(toMany)))
    case .sum(let toMany, let attribute): return try sum(of: attribute, members: try members(toMany))
    case .value(let slot, let form): return form?.apply(to: values[slot]) ?? values[slot]
    case .destination(let slot, let attribute, let form):
      guard let object = destination(slot), object.isAlive, let other = object.layout.slot(named: attribute),
        let value = object.values?[other]
      else { return .null }
      return form?.apply(to: value) ?? value
    case .now: return .date(Date())
    }
  }

  /// The sum of the values there are; 0 without any, null where it is no number or more than an integer holds.
  private func sum(of attribute: String, members: [ManagedObject]) throws(ObjectGraphError) -> AttributeValue {
    var integer: Int64 = 0
    var real = 0.0
    var decimal = Decimal(0)
    var isReal = false
    var isDecimal = false
    for member in members {
      guard let slot = member.layout.slot(named: attribute), let value = member.values?[slot] else { continue }
      switch value {
      case .integer(let number):
        let (total, overflow) = integer.addingReportingOverflow(number)
        if overflow { return .null }
        integer = total
      case .real(let number):
        real += number
        isReal = true
      case .decimal(let number):
        decimal += number
        isDecimal = true
      case .null: continue
      default: return .null
      }
    }
    return isDecimal ? .decimal(decimal) : isReal ? .real(real) : .integer(integer)
  }
}

// Reading and writing an object's values, by typed key and by name.

extension ManagedObject {
  /// The value under a typed key; nil when absent.
  ///
  /// Setting a value that the attribute cannot hold is reported by the save or batch insert that would store it.
  /// O(1).
  @inlinable
  public subscript<Value>(key: AttributeKey<Value>) -> Value? {
    get { Value(attributeValue: value(key.resolver)) }
    set { set(newValue?.attributeValue ?? .null, key.resolver) }
  }

  @usableFromInline
  func value(_ key: SlotResolver) -> AttributeValue {
    owner?.check()
    return key.slot(in: layout).map { snapshot[$0] } ?? .null
  }

  @usableFromInline
  func set(_ value: AttributeValue, _ key: SlotResolver) {
    guard let slot = key.slot(in: layout) else { return noteUnknown(key.name) }
    set(value, slot: slot)
  }

  /// The value of the attribute; null when absent or when there is no such attribute.
  ///
  /// Setting a value that the attribute cannot hold is reported by the save or batch insert that would store it.
  public subscript(name: String) -> AttributeValue {
    get {
      owner?.check()
      return layout.slot(named: name).map { snapshot[$0] } ?? .null
    }
    set {
      guard let slot = layout.slot(named: name) else { return noteUnknown(name) }
      set(newValue, slot: slot)
    }
  }

  /// The value of the attribute.
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)``.
  public func value(forKey key: String) throws(ObjectGraphError) -> AttributeValue {
    owner?.check()
    guard let slot = layout.slot(named: key) else { throw layout.unknownAttribute(key) }
    return snapshot[slot]
  }

  /// Sets the attribute, or throws at once when it cannot.
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)`` or
  ///   ``ObjectGraphError/wrongType(entity:key:found:expected:row:)``.
  public func setValue(_ value: AttributeValue, forKey key: String) throws(ObjectGraphError) {
    guard let slot = layout.slot(named: key) else { throw layout.unknownAttribute(key) }
    guard value.conformed(to: layout.attributes[slot].type) != nil else {
      throw layout.wrongType(value, slot: slot)
    }
    set(value, slot: slot)
  }

  @inline(__always)
  func set(_ value: AttributeValue, slot: Int) {
    owner?.check()
    let type = layout.attributes[slot].type
    if value.isOfKind(type) {
      write(value, slot: slot)
    } else if let conformed = value.conformed(to: type) {
      write(conformed, slot: slot)
    } else {
      note(Defect(key: layout.attributes[slot].name, found: value.typeName, expected: type.expectation))
    }
  }

  @inline(__always)
  private func write(_ value: AttributeValue, slot: Int) {
    if state == .stored, changedSlots.isEmpty { context?.noteChange(of: self) }
    snapshot[slot] = value
    changedSlots.insert(slot)
  }

  @inline(never)
  private func noteUnknown(_ name: String) {
    owner?.check()
    note(
      Defect(
        key: name, found: "no such attribute",
        expected: "one of " + layout.attributes.map(\.name).joined(separator: ", ")))
  }

  private func note(_ defect: Defect) {
    if state == .stored, changedSlots.isEmpty { context?.noteChange(of: self) }
    if self.defect == nil { self.defect = defect }
  }
}

extension EntityLayout {
  func unknownAttribute(_ key: String, row: Int? = nil) -> ObjectGraphError {
    .unknownAttribute(entity: entity.name, key: key, expected: attributes.map(\.name), row: row)
  }

  func wrongType(_ value: AttributeValue, slot: Int, row: Int? = nil) -> ObjectGraphError {
    .wrongType(
      entity: entity.name, key: attributes[slot].name, found: value.typeName,
      expected: attributes[slot].type.expectation, row: row)
  }
}

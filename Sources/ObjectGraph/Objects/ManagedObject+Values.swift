// Reads and writes an object's values, by typed key and by name.
public import CoreDataModel

extension ManagedObject {
  /// The value for a typed key; `nil` if it is null.
  ///
  /// If you set an invalid value, the save or batch insert that would store it reports the error, unless another value
  /// was set by then. The same applies to a key with the wrong type, which reads as `nil`; ``value(for:)`` throws an
  /// error at once. A fault reads its row first; if the row is gone, every value is null. O(1).
  ///
  /// ```swift
  /// quake[Quake.magnitude] = 4.6
  /// quake[Quake.felt] = (quake[Quake.felt] ?? 0) + 1
  /// quake[Quake.place] = nil
  /// ```
  @inlinable
  public subscript<Value>(key: AttributeKey<Value>) -> Value? {
    get { Value(attributeValue: value(key.resolver)) }
    set { set(newValue?.attributeValue ?? .null, key.resolver) }
  }

  @usableFromInline
  func value(_ key: SlotResolver) -> AttributeValue {
    owner?.check()
    guard let slot = key.slot(in: layout) else {
      noteUnfit(key)
      return .null
    }
    if let row { return row[slot] }
    return valueOfFault(slot)
  }

  @usableFromInline
  func set(_ value: consuming AttributeValue, _ key: SlotResolver) {
    guard let slot = key.slot(in: layout) else { return noteUnfit(key) }
    set(value, slot: slot)
  }

  /// The value for a typed key; `nil` if it is null.
  ///
  /// ```swift
  /// let magnitude = try quake.value(for: Quake.magnitude) ?? 0
  /// let place = try quake.value(for: Quake.place) ?? "somewhere"
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)``,
  ///   ``ObjectGraphError/wrongType(entity:key:found:expected:row:)`` for a key with the wrong type,
  ///   ``ObjectGraphError/missingObject(_:)`` for a fault without a row, ``ObjectGraphError/store(_:during:)`` if it
  ///   cannot be read.
  public func value<Value>(for key: AttributeKey<Value>) throws(ObjectGraphError) -> Value? {
    owner?.check()
    guard let slot = key.resolver.slot(in: layout) else { throw unfit(key.resolver) }
    if let value = partialValue(slot) { return Value(attributeValue: value) }
    return Value(attributeValue: try filled()[slot])
  }

  /// The value of the attribute; also null if there is no such attribute.
  ///
  /// If you set an invalid value, the save or batch insert that would store it reports the error.
  ///
  /// ```swift
  /// quake["code"] = "us1000ep7p"
  /// if case .date(let time) = quake["time"] { print(time) }
  /// ```
  public subscript(name: String) -> AttributeValue {
    get {
      owner?.check()
      guard let slot = layout.slot(named: name) else { return .null }
      if let row { return row[slot] }
      return valueOfFault(slot)
    }
    set {
      guard let slot = layout.slot(named: name) else { return noteUnknown(name) }
      set(newValue, slot: slot)
    }
  }

  /// The value of the attribute, or of the class's own ``accessorValue(forKey:)``.
  ///
  /// ```swift
  /// for attribute in quake.entity.attributes {
  ///   print(attribute.name, try quake.value(forKey: attribute.name))
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)``, ``ObjectGraphError/missingObject(_:)``
  ///   for a fault without a row, ``ObjectGraphError/store(_:during:)`` if it cannot be read.
  public func value(forKey key: String) throws(ObjectGraphError) -> AttributeValue {
    owner?.check()
    if let value = accessorValue(forKey: key) { return value }
    return try primitiveValue(forKey: key)
  }

  /// The value of the attribute itself, without ``accessorValue(forKey:)``.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func accessorValue(forKey key: String) -> AttributeValue? {
  ///     guard key == "name", case .string(let name)? = try? primitiveValue(forKey: key) else { return nil }
  ///     return .string(name.uppercased())
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: The same errors as ``value(forKey:)``.
  public final func primitiveValue(forKey key: String) throws(ObjectGraphError) -> AttributeValue {
    owner?.check()
    guard let slot = layout.slot(named: key) else { throw layout.unknownAttribute(key) }
    if let value = partialValue(slot) { return value }
    return try filled()[slot]
  }

  /// Sets the attribute, or throws at once if the value is invalid.
  ///
  /// ```swift
  /// let row: [String: AttributeValue] = ["code": "us1000ep7p", "magnitude": 4.6]
  /// for (key, value) in row { try quake.setValue(value, forKey: key) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)`` or
  ///   ``ObjectGraphError/wrongType(entity:key:found:expected:row:)``.
  public func setValue(_ value: AttributeValue, forKey key: String) throws(ObjectGraphError) {
    let (slot, value) = try checked(value, forKey: key)
    set(value, slot: slot)
  }

  /// Sets the attribute without making it a change: it does not cause a save or run callbacks.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func awakeFromFetch() {
  ///     try? setPrimitiveValue(.date(Date()), forKey: "readAt")
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: The same errors as ``setValue(_:forKey:)``.
  public func setPrimitiveValue(_ value: AttributeValue, forKey key: String) throws(ObjectGraphError) {
    owner?.check()
    let (slot, value) = try checked(value, forKey: key)
    guard values != nil else { return }
    writePrimitive(value, slot: slot)
  }

  func checked(
    _ value: AttributeValue, forKey key: String
  ) throws(ObjectGraphError) -> (slot: Int, value: AttributeValue) {
    guard let slot = layout.slot(named: key), !layout.isToOne(slot) else {
      throw layout.unknownAttribute(key)
    }
    guard let value = value.conformed(to: layout.types[slot]) else {
      throw layout.wrongType(value, slot: slot)
    }
    return (slot, value)
  }

  /// Records the use of a typed key for an unknown attribute, or one of another type.
  @inline(never)
  private func noteUnfit(_ key: SlotResolver) {
    guard case .wrongType(_, _, let found, let expected, _) = unfit(key) else { return noteUnknown(key.name) }
    owner?.check()
    note(InvalidAssignment(key: key.name, found: found, expected: expected))
  }

  private func unfit(_ key: SlotResolver) -> ObjectGraphError {
    guard let slot = layout.slot(named: key.name) else { return layout.unknownAttribute(key.name) }
    return .wrongType(
      entity: layout.entity.name, key: key.name, found: "a key of the type \(key.valueType)",
      expected: !layout.isToOne(slot)
        ? "a key of a type that reads \(layout.types[slot].expectation)"
        : "a ToOneKey, because it is a relationship",
      row: nil)
  }

  @inline(never)
  private func noteUnknown(_ name: String) {
    owner?.check()
    note(
      InvalidAssignment(
        key: name, found: "no such attribute",
        expected: "one of " + layout.slots.filter { $0.toOne == nil }.map(\.name).joined(separator: ", ")))
  }
}

extension EntityLayout {
  func unknownAttribute(_ key: String, row: Int? = nil) -> ObjectGraphError {
    .unknownAttribute(entity: entity.name, key: key, expected: slots.filter { $0.toOne == nil }.map(\.name), row: row)
  }

  func wrongType(_ value: AttributeValue, slot: Int, row: Int? = nil) -> ObjectGraphError {
    .wrongType(
      entity: entity.name, key: attributes[slot].name, found: value.typeName,
      expected: attributes[slot].type.expectation, row: row)
  }
}

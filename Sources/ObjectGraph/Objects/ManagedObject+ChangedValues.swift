// Changes of an object since it was read or saved, and its former values.
public import CoreDataModel

extension ManagedObject {
  /// The values changed since the object was last read or saved, by property name; for a new object, all values that
  /// were set.
  ///
  /// A changed relationship has its present destinations; ``changedRelationships`` lists the to-many ones that count as
  /// changed. Transient attributes are omitted, as are values that were set to their former value, and to-many
  /// relationships that cannot be read now. O(properties + objects of changed relationships).
  ///
  /// ```swift
  /// quake[Quake.magnitude] = 4.7
  /// quake[Quake.region] = region
  /// quake.changedValues()["magnitude"]       // .value(.real(4.7))
  /// quake.changedValues()["region"]?.object  // region
  /// region.changedValues()["quakes"]         // all quakes of the region, because the other end changed too
  /// ```
  public final func changedValues() -> [String: PropertyValue] {
    owner?.check()
    var values: [String: PropertyValue] = [:]
    if let row {
      for slot in layout.columnOrder
      where state == .inserted ? isSet(slot) : changedSlots.contains(slot) && isOtherwise(slot) {
        values[layout.slots[slot].name] = propertyValue(slot, of: row)
      }
    }
    guard let links else { return values }
    for index in links.lists.indices where links.lists[index].isChanged {
      guard let objects = try? members(index) else { continue }
      // Reading it may show that the store has the same objects by now.
      guard links.lists[index].isChanged else { continue }
      values[layout.toManyRelationships[index].relationship.name] = .objects(objects)
    }
    return values
  }

  /// The values that the object last read or saved, including relationships.
  ///
  /// Unknown keys are omitted, as are transient attributes, and relationships that cannot be read now. To-many
  /// relationships are read from the store if necessary. A new object has no values.
  ///
  /// ```swift
  /// quake[Quake.magnitude] = 4.7
  /// quake[Quake.region] = region
  /// let before = quake.committedValues(forKeys: ["magnitude", "region"])
  /// print(before["magnitude"]?.value ?? .null, before["region"]?.object?.objectID.uriRepresentation() ?? "none")
  /// ```
  public final func committedValues(forKeys keys: [String]) -> [String: PropertyValue] {
    owner?.check()
    guard state != .inserted, let row = committed ?? values else { return [:] }
    var values: [String: PropertyValue] = [:]
    for key in keys {
      if let slot = layout.slot(named: key) {
        if !layout.isTransient(slot) { values[key] = propertyValue(slot, of: row) }
      } else if let index = layout.toManyIndex(named: key) {
        values[key] = committedObjects(index).map { .objects($0) }
      }
    }
    return values
  }

  /// The value of the slot in a row; `nil` for a relationship if there is no context to find its object.
  private final func propertyValue(_ slot: Int, of row: RowSnapshot) -> PropertyValue? {
    guard layout.isToOne(slot) else { return .value(row[slot]) }
    guard let reference = row[slot].reference else { return .object(nil) }
    return context.map { .object($0.object(reference, from: self)) }
  }

  /// The stored objects of a to-many relationship; `nil` if they cannot be read.
  private final func committedObjects(_ index: Int) -> [ManagedObject]? {
    guard let context, let stored = try? storedMembers(index) else { return nil }
    return stored.map { context.objectOrFault($0.objectID) }
  }
}

/// The value of an attribute, or the destinations of a relationship.
///
/// Literals become attribute values. Objects belong to a context, so a property value must stay on that context's
/// queue.
///
/// ```swift
/// for (key, value) in quake.changedValues() {
///   switch value {
///   case .value(let value): print(key, value)
///   case .object(let object): print(key, object?.objectID.uriRepresentation() ?? "none")
///   case .objects(let objects): print(key, objects.count)
///   }
/// }
/// ```
public enum PropertyValue: Hashable {
  /// An attribute's value, or its absence.
  case value(AttributeValue)
  /// The object of a to-one relationship; `nil` if there is none.
  case object(ManagedObject?)
  /// The objects of a to-many relationship, in the order of ``ManagedObject/objects(forKey:)``.
  case objects([ManagedObject])

  /// The value of an attribute; `nil` for a relationship.
  ///
  /// ```swift
  /// let magnitude = quake.changedValues()["magnitude"]?.value
  /// ```
  public var value: AttributeValue? { if case .value(let value) = self { value } else { nil } }

  /// The object of a to-one relationship; `nil` if there is none, and for other properties.
  ///
  /// ```swift
  /// let formerRegion = quake.committedValues(forKeys: ["region"])["region"]?.object
  /// ```
  public var object: ManagedObject? { if case .object(let object) = self { object } else { nil } }

  /// The objects of a to-many relationship; `nil` for other properties.
  ///
  /// ```swift
  /// let formerQuakes = region.committedValues(forKeys: ["quakes"])["quakes"]?.objects ?? []
  /// let newQuakes = Set(region[Region.quakes]).subtracting(formerQuakes)
  /// ```
  public var objects: [ManagedObject]? { if case .objects(let objects) = self { objects } else { nil } }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
}

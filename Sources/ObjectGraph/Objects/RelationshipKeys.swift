// Typed keys of relationships: the name, and the class of the destination objects.

/// The key of a to-one relationship: `static let region = ToOneKey<Region>("region")`.
///
/// ```swift
/// final class Aftershock: ManagedObject {
///   static let mainShock = ToOneKey<Quake>("mainShock")
///   var mainShock: Quake? {
///     get { self[Aftershock.mainShock] }
///     set { self[Aftershock.mainShock] = newValue }
///   }
/// }
/// ```
public struct ToOneKey<Destination: ManagedObject>: Sendable {
  public let name: String

  /// Creates a key for the relationship with this name; whether the relationship exists is checked on first use.
  public init(_ name: String) { self.name = name }
}

/// The key of a to-many relationship: `static let quakes = ToManyKey<Quake>("quakes")`.
///
/// ```swift
/// let quakes = ToManyKey<Quake>("quakes")
/// for quake in region[quakes] { print(quake[Quake.place] ?? "") }
/// ```
public struct ToManyKey<Destination: ManagedObject>: Sendable {
  public let name: String

  /// Creates a key for the relationship with this name; whether the relationship exists is checked on first use.
  public init(_ name: String) { self.name = name }
}

extension ManagedObject {
  /// The object of a to-one relationship; `nil` if there is none or it cannot be read.
  ///
  /// If you set an object that does not fit the relationship, the save that would store it reports the error, unless
  /// another object was set by then. The same applies to a key with an unknown relationship or a wrong class, which
  /// reads as `nil`.
  ///
  /// ```swift
  /// quake[Quake.region] = region
  /// let name = quake[Quake.region]?[Region.name]
  /// ```
  public final subscript<Destination>(key: ToOneKey<Destination>) -> Destination? {
    get {
      do throws(ObjectGraphError) {
        guard let object = try object(forKey: key.name) else { return nil }
        if let object = object as? Destination { return object }
        noteClass(object, key.name, Destination.self)
      } catch {
        noteUnknown(key.name, error)
      }
      return nil
    }
    set {
      noting(key.name, .object(newValue)) { () throws(ObjectGraphError) in try setObject(newValue, forKey: key.name) }
    }
  }

  /// The objects of a to-many relationship; empty if they cannot be read.
  ///
  /// If it is not ordered, stored ones come first, by key.
  ///
  /// If you set objects that do not fit the relationship, the save that would store them reports the error, unless
  /// others were set by then. The same applies to a key with an unknown relationship or a wrong class; objects of other
  /// classes are omitted.
  ///
  /// ```swift
  /// region[Region.quakes].append(quake)
  /// region[Region.quakes].removeAll { $0[Quake.magnitude] == nil }
  /// ```
  public final subscript<Destination>(key: ToManyKey<Destination>) -> [Destination] {
    get {
      do throws(ObjectGraphError) {
        return try objects(forKey: key.name).compactMap { object in
          if let object = object as? Destination { return object }
          noteClass(object, key.name, Destination.self)
          return nil
        }
      } catch {
        noteUnknown(key.name, error)
        return []
      }
    }
    set {
      noting(key.name, .objects(newValue)) { () throws(ObjectGraphError) in try setObjects(newValue, forKey: key.name) }
    }
  }

  /// Keeps errors that a subscript cannot throw, so that the save tries again and reports them.
  private final func noting(
    _ key: String, _ assignment: InvalidAssignment.Assignment, _ body: () throws(ObjectGraphError) -> Void
  ) {
    do throws(ObjectGraphError) {
      try body()
    } catch {
      note(
        InvalidAssignment(
          key: key, found: "\(error)", expected: "an object the relationship can hold", assignment: assignment))
    }
  }

  @inline(never)
  private final func noteClass(_ object: ManagedObject, _ key: String, _ destination: ManagedObject.Type) {
    note(
      InvalidAssignment(
        key: key, found: "a key of \(destination) for \(object.objectID), which is a \(type(of: object))",
        expected: "a key of the class that the coordinator was given for the entity"))
  }

  /// Records an unknown key; a relationship that cannot be read does not mean that the key is wrong.
  @inline(never)
  private final func noteUnknown(_ key: String, _ error: ObjectGraphError) {
    guard case .unknownRelationship = error else { return }
    note(InvalidAssignment(key: key, found: "\(error)", expected: "a key of a relationship"))
  }
}

// Typed keys of relationships: the name, and the class of the objects at the other end.

/// Names a to-one relationship: `static let region = ToOneKey<Region>("region")`.
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

  /// A key for the relationship of that name; whether the relationship exists is checked on first use.
  public init(_ name: String) { self.name = name }
}

/// Names a to-many relationship: `static let quakes = ToManyKey<Quake>("quakes")`.
///
/// ```swift
/// let quakes = ToManyKey<Quake>("quakes")
/// for quake in region[quakes] { print(quake[Quake.place] ?? "") }
/// ```
public struct ToManyKey<Destination: ManagedObject>: Sendable {
  public let name: String

  /// A key for the relationship of that name; whether the relationship exists is checked on first use.
  public init(_ name: String) { self.name = name }
}

extension ManagedObject {
  /// The object of a to-one relationship; nil when there is none or it cannot be read.
  ///
  /// Setting an object that the relationship cannot hold is reported by the save that would store it, unless another one
  /// was set by then. So is the use of a key that names no such relationship or another class, which reads as nil.
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

  /// The objects of a to-many relationship: in their order where it is ordered, else stored ones by key and then new
  /// ones; none when they cannot be read.
  ///
  /// Setting objects that the relationship cannot hold is reported by the save that would store them, unless others were
  /// set by then. So is the use of a key that names no such relationship or another class, whose objects are left out.
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

  /// Keeps what a subscript cannot throw for the save to try again, and to report.
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

  /// A relationship that cannot be read is nothing wrong with the key.
  @inline(never)
  private final func noteUnknown(_ key: String, _ error: ObjectGraphError) {
    guard case .unknownRelationship = error else { return }
    note(InvalidAssignment(key: key, found: "\(error)", expected: "a key of a relationship"))
  }
}

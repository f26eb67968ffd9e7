// Typed keys of relationships: the name, and the class of the objects at the other end.

/// Names a to-one relationship: `static let region = ToOneKey<Region>("region")`.
public struct ToOneKey<Destination: ManagedObject>: Sendable {
  public let name: String

  public init(_ name: String) { self.name = name }
}

/// Names a to-many relationship: `static let quakes = ToManyKey<Quake>("quakes")`.
public struct ToManyKey<Destination: ManagedObject>: Sendable {
  public let name: String

  public init(_ name: String) { self.name = name }
}

extension ManagedObject {
  /// The object of a to-one relationship; nil when there is none or it cannot be read.
  ///
  /// Setting an object that the relationship cannot hold is reported by the save that would store it.
  public final subscript<Destination>(key: ToOneKey<Destination>) -> Destination? {
    get { (try? object(forKey: key.name)) as? Destination }
    set { noting(key.name) { () throws(ObjectGraphError) in try setObject(newValue, forKey: key.name) } }
  }

  /// The objects of a to-many relationship: in their order where it is ordered, else stored ones by key and then new
  /// ones; none when they cannot be read.
  ///
  /// Setting objects that the relationship cannot hold is reported by the save that would store them.
  public final subscript<Destination>(key: ToManyKey<Destination>) -> [Destination] {
    get { ((try? objects(forKey: key.name)) ?? []).compactMap { $0 as? Destination } }
    set { noting(key.name) { () throws(ObjectGraphError) in try setObjects(newValue, forKey: key.name) } }
  }

  /// Keeps what a subscript cannot throw for the save to report.
  private final func noting(_ key: String, _ body: () throws(ObjectGraphError) -> Void) {
    do throws(ObjectGraphError) {
      try body()
    } catch {
      note(Defect(key: key, found: "\(error)", expected: "an object the relationship can hold"))
    }
  }
}

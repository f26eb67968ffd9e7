// The answer to a fetch: a collection that makes an object only when it is looked at.

/// The objects a fetch found.
///
/// It belongs to its context and is used on that context's queue. O(1) access.
public struct FetchResults: RandomAccessCollection {
  let context: ManagedObjectContext
  let found: [FoundObject]
  /// When the rows were read.
  let read = ContinuousClock.now

  public var startIndex: Int { 0 }
  public var endIndex: Int { found.count }

  public subscript(position: Int) -> ManagedObject {
    precondition(indices.contains(position), "index \(position) of a result of \(count) objects")
    switch found[position] {
    case .object(let object): return object
    case .row(let row): return context.object(for: row, read: read)
    }
  }

  /// The IDs of the objects, without making them.
  public var objectIDs: [ManagedObjectID] { found.map(\.predicateObjectID) }
}

/// What a fetch found: a stored row, or an object whose unsaved values decided.
enum FoundObject {
  case row(StoredRow)
  case object(ManagedObject)
}

/// A row as the store has it.
struct StoredRow: Sendable {
  let objectID: ManagedObjectID
  let layout: EntityLayout
  let snapshot: RowSnapshot
}

extension FoundObject: PredicateSubject {
  var predicateObjectID: ManagedObjectID {
    switch self {
    case .row(let row): row.objectID
    case .object(let object): object.objectID
    }
  }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    switch self {
    case .row(let row): try row.layout.predicateValue(of: row.snapshot, key)
    case .object(let object): try object.predicateValue(forKey: key)
    }
  }
}

extension ManagedObject: PredicateSubject {
  public var predicateObjectID: ManagedObjectID { objectID }

  /// The value of an attribute, or the object or objects of a relationship.
  ///
  /// - Throws: ``FetchPredicateError/unknownKey(entity:key:expected:suggestion:)``, ``ObjectGraphError/store(_:during:)``
  ///   when a relationship cannot be read.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    owner?.check()
    if let index = layout.toManyIndex(named: key) { return .objects(try members(index)) }
    guard let values else { return .attribute(.null) }
    if let slot = layout.toOneSlot(named: key) { return .object(destination(slot)) }
    return try layout.predicateValue(of: values, key)
  }
}

extension EntityLayout {
  fileprivate func predicateValue(of row: RowSnapshot, _ key: String) throws(FetchPredicateError) -> PredicateValue {
    if isRelationship(key) {
      throw .unsupported(
        in: key, reason: "relationships are followed in the store only; save or leave out the pending changes first")
    }
    guard let slot = slot(named: key) else {
      throw .unknownKey(entity: entity.name, key: key, expected: slots.map(\.name), suggestion: nil)
    }
    return .attribute(row[slot])
  }
}

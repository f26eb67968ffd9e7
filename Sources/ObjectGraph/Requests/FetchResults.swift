// The answer to a fetch: a collection that makes an object only when it is looked at.
internal import CoreDataModel

/// The objects a fetch found, as the class that its request names.
///
/// It belongs to its context and is used on that context's queue. O(1) access.
///
/// An object is made when it is looked at. When its row was written since by this context, or by another whose changes
/// were merged, or was refreshed, the row is read again; when it was deleted, the object is one that is deleted: it is in
/// no context and has the values that were fetched. With a batch size, rows are read when one of their batch is looked
/// at, and an object whose row was deleted by then has no values: ``ManagedObject/value(forKey:)`` throws
/// ``ObjectGraphError/missingObject(_:)``.
///
/// While a result without batches is held, its context notes the IDs of the rows it changes, deletes and refreshes,
/// 24 bytes each.
///
/// ```swift
/// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake"))
/// let firstPlaces = quakes.prefix(10).map { $0[Quake.place] ?? "" }  // makes ten objects
/// ```
public struct FetchResults<ResultType: ManagedObject>: RandomAccessCollection {
  @usableFromInline let objects: FoundObjects

  /// - Parameter objects: All of `ResultType`, which the fetch has made sure of: their entities are of that class.
  init(_ objects: FoundObjects) { self.objects = objects }

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { objects.count }

  // Safe by proof: the fetch that makes a result checks the classes of the entities that it may have objects of.
  @inlinable public subscript(position: Int) -> ResultType { unsafeDowncast(objects[position], to: ResultType.self) }

  /// The IDs of the objects, without making them.
  ///
  /// ```swift
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake"))
  /// let isAmongThem = quakes.objectIDs.contains(quakeID)
  /// ```
  public var objectIDs: [ManagedObjectID] { objects.objectIDs }
}

/// What a fetch found, whatever its class.
// A class: out of a structure of that size each look at an element would count references to its parts.
@usableFromInline
final class FoundObjects {
  let context: ManagedObjectContext
  /// What the store found, where no unsaved change had a say; else empty.
  private let rows: StoredRows
  /// Empty where there are rows or batches.
  let found: [FoundObject]
  /// Where the objects come from.
  private let origin: Origin
  /// What was read along relationships, held so that it stays read.
  let prefetched: [ManagedObject]
  /// The fetch, where not all properties were read.
  private let partial: PartialFetch?

  private enum Origin {
    /// What was read at once, and what was written since.
    case read(FollowedChanges)
    /// The part that has only keys, and follows what is written.
    case batches(FetchedBatches)
  }

  /// Rows that were read, and what is written from then on.
  init(
    context: ManagedObjectContext, rows: StoredRows, changes: FollowedChanges, partial: PartialFetch? = nil
  ) {
    self.partial = partial
    self.context = context
    self.rows = rows
    origin = .read(changes)
    prefetched = []
    found = []
  }

  /// Rows and objects with unsaved changes among them, and what is written from then on.
  init(
    context: ManagedObjectContext, found: [FoundObject], changes: FollowedChanges, prefetched: [ManagedObject] = [],
    partial: PartialFetch? = nil
  ) {
    self.partial = partial
    self.prefetched = prefetched
    self.context = context
    self.found = found
    rows = StoredRows()
    origin = .read(changes)
  }

  /// Keys, whose rows are read in batches; objects are faults where the size is 0.
  init(context: ManagedObjectContext, keys: FetchedKeys, of fetch: StoreFetch, batchSize: Int) {
    self.context = context
    partial = nil
    prefetched = []
    rows = StoredRows()
    found = []
    origin = .batches(FetchedBatches(keys, of: fetch, size: batchSize, context: context))
  }

  /// What was found where it was read at once.
  var contents: [FoundObject] { rows.isEmpty ? found : rows.map(FoundObject.row) }

  @usableFromInline var count: Int {
    if case .batches(let batches) = origin { batches.keys.count } else { rows.count + found.count }
  }

  @usableFromInline subscript(position: Int) -> ManagedObject {
    precondition((0..<count).contains(position), "index \(position) of a result of \(count) objects")
    switch origin {
    case .batches(let batches): return batches.object(at: position)
    case .read(let changes):
      if !rows.isEmpty { return context.object(at: position, of: rows, since: changes, partial) }
      switch found[position] {
      case .object(let object): return object
      case .row(let row): return context.object(for: row, since: changes, partial?.properties)
      }
    }
  }

  var objectIDs: [ManagedObjectID] {
    if case .batches(let batches) = origin { return (0..<batches.keys.count).map { batches.keys[$0] } }
    return rows.map(\.objectID) + found.map(\.predicateObjectID)
  }
}

/// What a fetch found: a stored row, or an object whose unsaved values decided.
enum FoundObject {
  case row(StoredRow)
  case object(ManagedObject)
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
  /// ```swift
  /// if case .objects(let quakes) = try region.predicateValue(forKey: "quakes") {
  ///   print("\(quakes.count) quakes")
  /// }
  /// ```
  ///
  /// - Throws: ``FetchPredicateError/unknownKey(entity:key:expected:suggestion:)``, ``ObjectGraphError/store(_:during:)``
  ///   when a relationship cannot be read.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    owner?.check()
    if let index = layout.toManyIndex(named: key) { return .objects(try members(index)) }
    // A row that is gone has neither values nor an object at the other end, as in SQL.
    let values = values
    if let slot = layout.toOneSlot(named: key) { return .object(destination(slot)) }
    guard let values else { return .attribute(.null) }
    if layout.slot(named: key) == nil, let value = accessorValue(forKey: key) { return .attribute(value) }
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

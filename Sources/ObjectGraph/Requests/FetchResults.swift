// The result of a fetch: a collection that creates objects on first use.
internal import CoreDataModel

/// The objects that a fetch found, with the class of its request.
///
/// Use it on its context's queue. Access takes O(1).
///
/// An object is created on first use. If its row was since changed by this context or by a merge, or was refreshed, it
/// is read again. If the row was deleted, you get a deleted object: it is in no context and has the values that were
/// fetched. With a batch size, rows are read when a row of their batch is used; an object without a row by then has no
/// values: ``ManagedObject/value(forKey:)`` throws ``ObjectGraphError/missingObject(_:)``.
///
/// While a result without batches is in use, its context records the IDs of rows that it changes, deletes and
/// refreshes, 24 bytes each.
///
/// ```swift
/// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake"))
/// let firstPlaces = quakes.prefix(10).map { $0[Quake.place] ?? "" }  // makes ten objects
/// ```
public struct FetchResults<ResultType: ManagedObject>: RandomAccessCollection {
  @usableFromInline let objects: FoundObjects

  /// - Parameter objects: Objects of type `ResultType`; the fetch has checked the classes of their entities.
  init(_ objects: FoundObjects) { self.objects = objects }

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { objects.count }

  // Safe by proof: the fetch checks the classes of all entities that may be in the result.
  @inlinable public subscript(position: Int) -> ResultType { unsafeDowncast(objects[position], to: ResultType.self) }

  /// The IDs of the objects, without creating them.
  ///
  /// ```swift
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake"))
  /// let isAmongThem = quakes.objectIDs.contains(quakeID)
  /// ```
  public var objectIDs: [ManagedObjectID] { objects.objectIDs }
}

/// The objects that a fetch found, of any class.
// A class: in a structure of this size, each access to an element would retain its parts.
@usableFromInline
final class FoundObjects {
  let context: ManagedObjectContext
  /// The rows from the store if no unsaved changes mattered; otherwise empty.
  private let rows: StoredRows
  /// Empty if there are rows or batches.
  let found: [FoundObject]
  /// The source of the objects.
  private let origin: Origin
  /// The objects read along relationships, retained so that they stay in memory.
  let prefetched: [ManagedObject]
  /// The fetch, if not all properties were read.
  private let partial: PartialFetch?

  private enum Origin {
    /// Rows that were read at once, with the changes since then.
    case read(FollowedChanges)
    /// Keys only; this part follows changes itself.
    case batches(FetchedBatches)
  }

  /// Creates a result of rows that were read, with the changes from then on.
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

  /// Creates a result of rows and objects with unsaved changes, with the changes from then on.
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

  /// Creates a result of keys with rows that are read in batches; with a size of 0, objects are faults.
  init(context: ManagedObjectContext, keys: FetchedKeys, of fetch: StoreFetch, batchSize: Int) {
    self.context = context
    partial = nil
    prefetched = []
    rows = StoredRows()
    found = []
    origin = .batches(FetchedBatches(keys, of: fetch, size: batchSize, context: context))
  }

  /// The contents, if they were read at once.
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

/// An item that a fetch found: a stored row, or an object with unsaved values that mattered.
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
  /// - Throws: ``FetchPredicateError/unknownKey(entity:key:expected:suggestion:)``,
  ///   ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    owner?.check()
    if let index = layout.toManyIndex(named: key) { return .objects(try members(index)) }
    // As in SQL, a missing row has neither values nor destinations.
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

// The results of batch requests.

/// What the result of a batch request contains.
///
/// ```swift
/// var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "unknown"])
/// request.resultType = .objectIDs
/// ```
public enum BatchResultType: Sendable, Hashable {
  /// Only that it was executed.
  case statusOnly
  /// The number of rows.
  case count
  /// The IDs of the rows.
  case objectIDs
  /// The rows by kind of change, ready to be merged into contexts.
  ///
  /// Core Data has no such type: there, a caller builds the dictionary of changes from the object IDs, which omits the
  /// rows that a deletion removed from relationships.
  case changes
}

/// The result of a batch request, in the requested form.
///
/// ```swift
/// switch try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows)) {
/// case .count(let count): print("\(count) rows")
/// case .objectIDs(let objectIDs): print("\(objectIDs.count) rows")
/// case .changes(let changes): print("\(changes.inserted.count) new rows")
/// case .statusOnly: print("done")
/// }
/// ```
public enum BatchResult: Sendable, Hashable {
  /// The request was executed.
  case statusOnly(Bool)
  /// The number of rows that were inserted, overwritten, updated or deleted, including those deleted by cascades.
  ///
  /// Rows that an insert skipped because their unique values were taken do not count; a row that it wrote several times
  /// counts each time.
  case count(Int)
  /// The rows that ``count(_:)`` counts, each once: for an insert in the order of the request, otherwise in key order.
  case objectIDs([ManagedObjectID])
  /// The rows for ``ManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``, each once.
  ///
  /// A row that an insert overwrote after inserting it counts as inserted. For a deletion, `updated` contains the rows
  /// that lost their key to a deleted one.
  case changes(ChangedObjectIDs)
}

extension BatchResult {
  /// The number of rows; `nil` for a request with another result type.
  ///
  /// ```swift
  /// BatchResult.count(3).count          // 3
  /// BatchResult.statusOnly(true).count  // nil
  /// ```
  public var count: Int? { if case .count(let count) = self { count } else { nil } }

  /// The IDs of the rows; `nil` for a request with another result type.
  public var objectIDs: [ManagedObjectID]? { if case .objectIDs(let objectIDs) = self { objectIDs } else { nil } }

  /// The changes to merge; `nil` for a request with another result type.
  ///
  /// ```swift
  /// var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: Quake.magnitude < 1))
  /// request.resultType = .changes
  /// if let changes = try context.execute(request).changes { try context.mergeChanges(fromContextDidSave: changes) }
  /// ```
  public var changes: ChangedObjectIDs? { if case .changes(let changes) = self { changes } else { nil } }
}

/// Core Data's name for the result of a ``BatchInsertRequest``.
public typealias BatchInsertResult = BatchResult
/// Core Data's name for the result of a ``BatchUpdateRequest``.
public typealias BatchUpdateResult = BatchResult
/// Core Data's name for the result of a ``BatchDeleteRequest``.
public typealias BatchDeleteResult = BatchResult

/// What a batch request has done so far, as far as its result contains it.
struct BatchTally {
  let resultType: BatchResultType
  var count = 0
  var changes = ChangedObjectIDs()

  var namesRows: Bool { resultType == .objectIDs || resultType == .changes }

  var result: BatchResult {
    switch resultType {
    case .statusOnly: .statusOnly(true)
    case .count: .count(count)
    case .objectIDs: .objectIDs(changes.inserted + changes.updated + changes.deleted)
    case .changes: .changes(changes)
    }
  }
}

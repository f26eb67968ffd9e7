// A request for inserting many rows without objects, in three styles.
public import CoreDataModel

/// Inserts rows directly into the store, in one transaction, one row in memory at a time.
///
/// If a row's unique values are taken, the context's merge policy decides whether the row is skipped or overwrites the
/// stored row's attributes; relationships stay. A row that has the unique values of two stored rows cannot overwrite
/// both: the request fails and reports them.
///
/// From 500 rows in a transaction on, if the process may run on two processors, a separate thread makes SQLite store
/// rows while the handler prepares the next ones. The handler is still called on the caller's thread, the rows are
/// stored in its order, and the errors are the same. Before an error is reported, the handler may be called for a few
/// hundred more rows. The rows in transit take about 100 KiB. One thread does everything in these cases:
/// ``walSizeLimit``, ``validatesRules`` or ``updatesSuppliedKeysOnly`` is set; the entity has several constraints; it
/// has one, and history is kept or more than a status is requested; there is a tracer.
///
/// Unlike saving objects, it validates only types and required values, runs no callbacks, posts no notifications and
/// cannot set relationships, and contexts do not see the insertion.
///
/// ```swift
/// var request = BatchInsertRequest(entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.6]])
/// request.resultType = .objectIDs
/// let quakeIDs = try context.execute(request).objectIDs ?? []
/// ```
public struct BatchInsertRequest {
  /// Fills the dictionary with one row's values, or returns true to end the request.
  ///
  /// The dictionary is empty at each call.
  public typealias DictionaryHandler = (inout [String: AttributeValue]) -> Bool
  /// Sets one row's values on the object, or returns true to end the request.
  ///
  /// Each call gets the same object with its defaults restored; it belongs to no context.
  public typealias ManagedObjectHandler = (ManagedObject) -> Bool

  public typealias ResultType = BatchResultType

  enum Source {
    case dictionaries([[String: AttributeValue]])
    case rows([RowDictionary])
    case dictionaryHandler(DictionaryHandler)
    case managedObjectHandler(ManagedObjectHandler)
  }

  /// The entity of every row, which must not be abstract.
  public let entityName: String
  /// The first of these stores gets the rows; `nil` for the first writable store that has the entity.
  public var affectedStores: [PersistentStore]?
  /// What the result contains; by default, only a status.
  public var resultType = ResultType.statusOnly
  /// Whether a row that overwrites a stored one keeps the stored values of attributes that it was not given.
  ///
  /// Core Data has no such option: there, as here by default, a missing attribute is reset to its default or to null.
  /// With this option, a required attribute may be missing in rows that overwrite a stored one. A stored row of another
  /// entity in the same hierarchy is overwritten completely.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.7]])
  /// request.updatesSuppliedKeysOnly = true  // a stored quake keeps its place and time
  /// context.mergePolicy = .mergeByPropertyObjectTrump
  /// ```
  public var updatesSuppliedKeysOnly = false
  /// Whether to check the model's validation rules; Core Data never does.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.validatesRules = true  // else a magnitude of 112 is stored
  /// ```
  public var validatesRules = false
  /// Whether new rows may have empty required relationships, which a batch insert cannot set; the caller must set them
  /// afterwards.
  ///
  /// Until then the store breaks a rule that ``StoreIntegrity`` checks. Without this option, such a row fails the
  /// request.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.leavesRequiredRelationshipsEmpty = true
  /// try context.execute(request)  // then fetch the quakes and set their regions
  /// ```
  public var leavesRequiredRelationshipsEmpty = false
  /// The most rows in one transaction, to limit the write-ahead log; 0 for all rows in one, as in Core Data.
  ///
  /// With a size, the request is no longer all or nothing: if it fails, earlier transactions stay, and
  /// ``ObjectGraphError/partlyStored(entity:rows:result:because:)`` contains their rows. Others may write between two
  /// transactions.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.transactionSize = 50_000
  /// do { try context.execute(request) } catch .partlyStored(_, let rows, _, _) { print("\(rows) rows are stored") }
  /// ```
  public var transactionSize = 0
  /// The size limit of the write-ahead log's file in bytes; 0 for as much as one transaction needs, as in Core Data.
  ///
  /// With a limit, the request uses several transactions, each with as many rows as fit, and empties the log before
  /// each one. Failures and writes by others work as described for ``transactionSize``. If both are set, a transaction
  /// ends at whichever limit comes first. The library counts pages, so rows may differ in size. A row that does not fit
  /// is stored anyway, and the log exceeds the limit by at most that row, or by the page cache if rows overwrite much
  /// longer ones. Concurrent writes by others come on top.
  ///
  /// While a reader needs pages in the log, the log cannot be emptied. The request waits for the reader once, up to
  /// ``PersistentStoreDescription/busyTimeout``. Then it continues with transactions that are each as long as the log
  /// is by then, and the log grows. ``walReportHandler`` receives a report about this.
  ///
  /// Each transaction rewrites the index pages that it touches. Unsorted unique values touch most of them, so the
  /// smaller the limit is compared with the indexes, the longer such an import takes; sorted values cost nothing extra.
  /// If the whole file takes less than three quarters of the limit, no page is written twice.
  ///
  /// A store in another journal mode has no such log, so the limit has no effect.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.walSizeLimit = 16 << 20  // 16 MiB
  /// ```
  public var walSizeLimit = 0
  /// Called once when a request with a ``walSizeLimit`` ends, even if it failed, on the thread that executes it.
  ///
  /// If the log grew beyond its limit because of a reader, the store's ``SQLTrace`` also records that.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.walSizeLimit = 16 << 20
  /// request.walReportHandler = { report in
  ///   if report.isStarved { print(report) }
  /// }
  /// ```
  public var walReportHandler: ((WriteAheadLogReport) -> Void)?
  /// The author of the request; set by the context that executes it.
  var origin = RequestOrigin()
  /// Its tracer; `nil` for none.
  var tracer: (any BatchInsertTracer)?
  let source: Source

  /// Inserts one row for each dictionary.
  ///
  /// Missing keys get their defaults. ``init(entityName:rows:)`` takes half the memory for many rows.
  ///
  /// ```swift
  /// let request = BatchInsertRequest(
  ///   entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.6], ["code": "us1000ep5z"]])
  /// ```
  public init(entityName: String, objects: [[String: AttributeValue]]) {
    self.entityName = entityName
    source = .dictionaries(objects)
  }

  /// Inserts one row for each dictionary, of a type that takes about half the memory of Swift's own.
  ///
  /// Missing keys get their defaults.
  ///
  /// ```swift
  /// let rows: [RowDictionary] = [["code": "us1000ep7p", "magnitude": 4.6], ["code": "us1000ep5z"]]
  /// try context.execute(BatchInsertRequest(entityName: "Quake", rows: rows))
  /// ```
  public init(entityName: String, rows: [RowDictionary]) {
    self.entityName = entityName
    source = .rows(rows)
  }

  /// Calls the handler for each row until it returns true; that last call inserts no row.
  ///
  /// ```swift
  /// var codes = ["us1000ep7p", "us1000ep5z"].makeIterator()
  /// let request = BatchInsertRequest(
  ///   entityName: "Quake",
  ///   dictionaryHandler: { row in
  ///     row["code"] = codes.next().map { .string($0) }
  ///     return row.isEmpty
  ///   })
  /// ```
  public init(entityName: String, dictionaryHandler: @escaping DictionaryHandler) {
    self.entityName = entityName
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Calls the handler for each row until it returns true; that last call inserts no row.
  ///
  /// ```swift
  /// var codes = ["us1000ep7p", "us1000ep5z"].makeIterator()
  /// let request = BatchInsertRequest(entityName: "Quake") { (quake: ManagedObject) in
  ///   guard let code = codes.next() else { return true }
  ///   quake[Quake.code] = code
  ///   return false
  /// }
  /// ```
  public init(entityName: String, managedObjectHandler: @escaping ManagedObjectHandler) {
    self.entityName = entityName
    source = .managedObjectHandler(managedObjectHandler)
  }

  /// Inserts one row for each dictionary.
  ///
  /// ```swift
  /// if let entity = model["Quake"] {
  ///   try context.execute(BatchInsertRequest(entity: entity, objects: rows))
  /// }
  /// ```
  public init(entity: EntityDescription, objects: [[String: AttributeValue]]) {
    self.init(entityName: entity.name, objects: objects)
  }

  /// Inserts one row for each dictionary, of a type that takes about half the memory of Swift's own.
  public init(entity: EntityDescription, rows: [RowDictionary]) {
    self.init(entityName: entity.name, rows: rows)
  }

  /// Calls the handler for each row until it returns true; that last call inserts no row.
  public init(entity: EntityDescription, dictionaryHandler: @escaping DictionaryHandler) {
    self.init(entityName: entity.name, dictionaryHandler: dictionaryHandler)
  }

  /// Calls the handler for each row until it returns true; that last call inserts no row.
  public init(entity: EntityDescription, managedObjectHandler: @escaping ManagedObjectHandler) {
    self.init(entityName: entity.name, managedObjectHandler: managedObjectHandler)
  }
}

// Inserting many rows without objects: the request, its three styles, and its result.
public import CoreDataModel

/// Inserts rows directly into the store, in one transaction, one row in memory at a time.
///
/// The context's merge policy decides whether a row whose unique values are taken is skipped, or overwrites the stored row:
/// all attributes, while relationships stay. A row that has the unique values of two stored rows cannot overwrite both:
/// the request fails and names them.
///
/// From 500 rows in a transaction on, if the process may run on two processors, a separate thread makes SQLite store rows
/// while the handler makes the next ones. The handler is still called on the caller's thread, the rows are stored in its
/// order, and the errors are the same. Before an error is reported, the handler may be called for some hundred more rows.
/// The rows in transit take about 100 KiB. One thread does everything if ``walSizeLimit``, ``validatesRules`` or
/// ``updatesSuppliedKeysOnly`` is set, if the entity has several constraints, if it has one and history is kept or more than
/// a status is requested, and if there is a tracer.
///
/// Compared with saving objects, there is no validation beyond types and required values, there are no callbacks,
/// notifications or relationships, and contexts do not see the insertion.
///
/// ```swift
/// var request = BatchInsertRequest(entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.6]])
/// request.resultType = .objectIDs
/// let quakeIDs = try context.execute(request).objectIDs ?? []
/// ```
public struct BatchInsertRequest {
  /// Fills the dictionary with one row's values, or answers true to end the request.
  ///
  /// It is empty at each call.
  public typealias DictionaryHandler = (inout [String: AttributeValue]) -> Bool
  /// Sets one row's values on the object, or answers true to end the request.
  ///
  /// It is the same object at each call, with its defaults restored, and belongs to no context.
  public typealias ManagedObjectHandler = (ManagedObject) -> Bool

  public typealias ResultType = BatchResultType

  enum Source {
    case dictionaries([[String: AttributeValue]])
    case rows([RowDictionary])
    case dictionaryHandler(DictionaryHandler)
    case managedObjectHandler(ManagedObjectHandler)
  }

  /// The entity of every row, which is not abstract.
  public let entityName: String
  /// The rows are stored in the first of these stores; nil for the first writable store that holds the entity.
  public var affectedStores: [PersistentStore]?
  /// What the result has; a status unless you choose otherwise.
  public var resultType = ResultType.statusOnly
  /// Whether a row that is written over a stored one leaves the attributes alone that it was not given.
  ///
  /// Core Data has no such choice: there, as here by default, an absent attribute is reset to its default or to null. A
  /// required attribute may then be absent from rows that meet a stored one. A stored row of another entity of the same
  /// hierarchy is written over whole.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.7]])
  /// request.updatesSuppliedKeysOnly = true  // a stored quake keeps its place and time
  /// context.mergePolicy = .mergeByPropertyObjectTrump
  /// ```
  public var updatesSuppliedKeysOnly = false
  /// Whether the values must keep the model's validation rules; Core Data never asks.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.validatesRules = true  // else a magnitude of 112 is stored
  /// ```
  public var validatesRules = false
  /// Whether new rows may be without the objects of required relationships, which a batch insert cannot set: the caller
  /// relates them right after.
  ///
  /// Until then the store breaks a rule that ``StoreIntegrity`` checks. Without it such a row fails the request.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.leavesRequiredRelationshipsEmpty = true
  /// try context.execute(request)  // then fetch the quakes and set their regions
  /// ```
  public var leavesRequiredRelationshipsEmpty = false
  /// How many rows at most one transaction takes, to bound the write-ahead log; 0 for all rows in one, as in Core Data.
  ///
  /// With a size the request is no longer all or nothing: when it fails, the transactions before stay, and
  /// ``ObjectGraphError/partlyStored(entity:rows:result:because:)`` says which rows that are. Others may write between
  /// two transactions.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.transactionSize = 50_000
  /// do { try context.execute(request) } catch .partlyStored(_, let rows, _, _) { print("\(rows) rows are stored") }
  /// ```
  public var transactionSize = 0
  /// How large the write-ahead log's file may become, in bytes; 0 for as large as one transaction needs, as in Core Data.
  ///
  /// With a limit, the request uses several transactions, each with as many rows as fit, and empties the log before each one.
  /// What ``transactionSize`` says about failures and about others applies here too. If both are set, a transaction ends at
  /// whichever comes first. The library counts pages, so rows may differ in size. A row that does not fit is stored anyway,
  /// and the log is longer by at most that row, or by the page cache if rows overwrite much longer ones. What others write
  /// meanwhile is added to that.
  ///
  /// While a reader needs what is in the log, the log cannot be emptied. The request waits for the reader once, for as long as
  /// ``PersistentStoreDescription/busyTimeout``. Then it continues with transactions that are each as long as the log is by
  /// then, and the log grows. ``walReportHandler`` receives a report about it.
  ///
  /// Each transaction rewrites the pages of indexes that it touches. Unique values in no order touch most of them, so the
  /// smaller the limit is against the indexes, the longer such an import takes; values in their order cost nothing more.
  /// Where the whole file takes less than three quarters of the limit, no page is written twice.
  ///
  /// A store in another journal mode has no such log, so the limit has no effect.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.walSizeLimit = 16 << 20  // 16 MiB
  /// ```
  public var walSizeLimit = 0
  /// Called once when a request with a ``walSizeLimit`` is over, also when it failed, on the thread that executes it.
  ///
  /// A log that grew beyond its limit because of a reader is written to the store's ``SQLTrace`` too.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.walSizeLimit = 16 << 20
  /// request.walReportHandler = { report in
  ///   if report.isStarved { print(report) }
  /// }
  /// ```
  public var walReportHandler: ((WriteAheadLogReport) -> Void)?
  /// Who asks; the context that executes the request says so.
  var origin = RequestOrigin()
  /// Its tracer; nil for none.
  var tracer: (any BatchInsertTracer)?
  let source: Source

  /// Inserts one row a dictionary.
  ///
  /// Absent keys take their defaults. Many rows take half the memory as ``init(entityName:rows:)``.
  ///
  /// ```swift
  /// let request = BatchInsertRequest(
  ///   entityName: "Quake", objects: [["code": "us1000ep7p", "magnitude": 4.6], ["code": "us1000ep5z"]])
  /// ```
  public init(entityName: String, objects: [[String: AttributeValue]]) {
    self.entityName = entityName
    source = .dictionaries(objects)
  }

  /// Inserts one row a dictionary, of a kind that takes about half of the memory of Swift's own.
  ///
  /// Absent keys take their defaults.
  ///
  /// ```swift
  /// let rows: [RowDictionary] = [["code": "us1000ep7p", "magnitude": 4.6], ["code": "us1000ep5z"]]
  /// try context.execute(BatchInsertRequest(entityName: "Quake", rows: rows))
  /// ```
  public init(entityName: String, rows: [RowDictionary]) {
    self.entityName = entityName
    source = .rows(rows)
  }

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
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

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
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

  /// Inserts one row a dictionary.
  ///
  /// ```swift
  /// if let entity = model["Quake"] {
  ///   try context.execute(BatchInsertRequest(entity: entity, objects: rows))
  /// }
  /// ```
  public init(entity: EntityDescription, objects: [[String: AttributeValue]]) {
    self.init(entityName: entity.name, objects: objects)
  }

  /// Inserts one row a dictionary, of a kind that takes about half of the memory of Swift's own.
  public init(entity: EntityDescription, rows: [RowDictionary]) {
    self.init(entityName: entity.name, rows: rows)
  }

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
  public init(entity: EntityDescription, dictionaryHandler: @escaping DictionaryHandler) {
    self.init(entityName: entity.name, dictionaryHandler: dictionaryHandler)
  }

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
  public init(entity: EntityDescription, managedObjectHandler: @escaping ManagedObjectHandler) {
    self.init(entityName: entity.name, managedObjectHandler: managedObjectHandler)
  }
}

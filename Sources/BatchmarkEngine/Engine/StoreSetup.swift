// The store a session works on, and what it is to do with it.
public import CoreDataModel
public import ObjectGraph

/// The store a session works on.
///
/// ```swift
/// let setup = StoreSetup(
///   path: "quakes.sqlite", model: model, entityName: "Quake", pragmas: [StorePragma("synchronous", "FULL")],
///   mergePolicy: .mergeByPropertyObjectTrump)
/// try setup.createStore()
/// ```
public struct StoreSetup: Sendable {
  /// Where the store is, or is created; its directory exists.
  public var path: String
  public var model: ManagedObjectModel
  /// The entities whose rows are stored, at least one.
  public var entityNames: [String]
  public var pragmas: [StorePragma]
  /// How an insert resolves conflicts of unique values.
  public var mergePolicy: MergePolicy
  /// What every row is linked to when it is inserted, and every object that a row names made; empty for rows that
  /// stand alone.
  public var links: [Link] = []
  /// The list that an observing context shows; nil where no cell has one.
  public var list: ListDescription?
  /// Whether the rows come with relationships among themselves, as those of a store do.
  public var hasRelatedRows = false
  /// How the rows are related where they are trees, whose delete rule a deletion follows; nil for other rows.
  public var tree: TreeRelationship?
  /// The observer of the stages of the engine's work, so that a profile can show where time is spent; nil for none.
  ///
  /// Check it once per request, not once per row.
  public var stages: (any StageObserver)?
  /// Times the single requests of the engine's work, through ``request(_:)``; nil if nothing needs their times.
  public var requests: (any RequestTimer)?

  /// What a process is started with that does the work in this one's place; nil where nothing looks into it.
  package var processMetering: ProcessMetering?

  /// A store of rows of one entity that stand alone.
  public init(
    path: String, model: ManagedObjectModel, entityName: String, pragmas: [StorePragma], mergePolicy: MergePolicy
  ) {
    self.path = path
    self.model = model
    entityNames = [entityName]
    self.pragmas = pragmas
    self.mergePolicy = mergePolicy
  }
}

/// Follows the stages of an engine's work: its own, and those of saves and batch inserts.
public protocol StageObserver: SaveTracer, BatchInsertTracer {
  /// A stage of the engine's own begins; the one before it is over.
  func began(_ stage: String)
  /// The last stage is over, and no other has begun.
  func ended()
}

/// Times the requests that a session's work is made of.
///
/// The harness gives one to sessions whose times are taken, and has percentiles of it: how long the longest save of an import
/// took, which held a user up, is not in the time of the whole.
public protocol RequestTimer: Sendable {
  /// Carries a request out, and notes how long it took where it did not fail.
  func time<Result>(_ request: () throws -> Result) rethrows -> Result
}

extension StoreSetup {
  /// Carries out one of several requests that a session's work is made of, such as a save.
  ///
  /// ```swift
  /// func store(_ pieces: [String], _ setup: StoreSetup, with connection: Connection) throws {
  ///   for sql in pieces { try setup.request { try connection.execute(sql) } }
  /// }
  /// ```
  public func request<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let requests else { return try body() }
    return try requests.time(body)
  }
}

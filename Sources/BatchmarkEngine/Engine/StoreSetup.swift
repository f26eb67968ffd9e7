// The store of a session, and how to use it.
public import CoreDataModel
public import ObjectGraph

/// The store of a session, with its settings.
///
/// ```swift
/// let setup = StoreSetup(
///   path: "quakes.sqlite", model: model, entityName: "Quake", pragmas: [StorePragma("synchronous", "FULL")],
///   mergePolicy: .mergeByPropertyObjectTrump)
/// try setup.createStore()
/// ```
public struct StoreSetup: Sendable {
  /// The path of the store, or where to create it; its directory exists.
  public var path: String
  public var model: ManagedObjectModel
  /// The entities of the stored rows, at least one.
  public var entityNames: [String]
  public var pragmas: [StorePragma]
  /// How an insert resolves conflicts of unique values.
  public var mergePolicy: MergePolicy
  /// The links of every row on insertion.
  ///
  /// Every object that a row names must be created. Empty for rows without links.
  public var links: [Link] = []
  /// The list that an observing context shows; `nil` if no cell has one.
  public var list: ListDescription?
  /// Whether the rows are related to each other, like those of a store.
  public var hasRelatedRows = false
  /// How the rows are related if they are trees; a deletion follows the delete rule.
  ///
  /// `nil` for other rows.
  public var tree: TreeRelationship?
  /// The observer of the stages of the engine's work, so that a profile can show where time is spent; `nil` for none.
  ///
  /// Check it once per request, not once per row.
  public var stages: (any StageObserver)?
  /// Measures single requests of the engine's work through ``request(_:)``; `nil` if nothing needs their times.
  public var requests: (any RequestTimer)?

  /// How to start another process that does the work; `nil` if nothing measures it.
  package var processMetering: ProcessMetering?

  /// A store for unlinked rows of one entity.
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

/// Observes the stages of an engine's work: its own, and those of saves and batch inserts.
public protocol StageObserver: SaveTracer, BatchInsertTracer {
  /// Begins one of the engine's own stages, and ends the previous one.
  func began(_ stage: String)
  /// Ends the last stage without beginning another.
  func ended()
}

/// Measures the requests that make up a session's work.
///
/// The harness passes one to timed sessions and computes percentiles. The total time does not show, for example, how
/// long the longest save of an import blocked the user.
public protocol RequestTimer: Sendable {
  /// Performs a request, and records its time if it did not fail.
  func time<Result>(_ request: () throws -> Result) rethrows -> Result
}

extension StoreSetup {
  /// Performs one of the requests that make up a session's work, such as a save.
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

// Asynchronous fetches: the rows are read outside the context's queue, and the fetch can be observed and canceled.
internal import Support
internal import Synchronization

/// A fetch that delivers its result later, on its context's queue.
///
/// ```swift
/// let quakes = FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)])
/// try context.execute(
///   AsynchronousFetchRequest(quakes) { result in
///     if let first = result.finalResult?.first { print(first[Quake.place] ?? "") }
///   })
/// ```
public struct AsynchronousFetchRequest<ResultType: ManagedObject>: Sendable {
  /// What to fetch; dictionaries are not supported.
  public var fetchRequest: FetchRequest<ResultType>
  /// The expected number of objects, for progress; `nil` if unknown.
  public var estimatedResultCount: Int?
  let rowHandler: (@Sendable (AsynchronousFetchResult<ResultType>) -> Void)?
  let completion: @Sendable (AsynchronousFetchResult<ResultType>) -> Void

  /// Creates a request with handlers for its progress and completion.
  ///
  /// ```swift
  /// let request = AsynchronousFetchRequest(
  ///   FetchRequest<Quake>(entityName: "Quake"), estimatedResultCount: 100_000,
  ///   rowHandler: { fetch in if fetch.completedUnitCount >= 100_000 { fetch.cancel() } },
  ///   completion: { result in print(result.finalResult?.count ?? 0) })
  /// ```
  ///
  /// - Parameters:
  ///   - fetchRequest: What to fetch.
  ///   - estimatedResultCount: The expected number of objects.
  ///   - rowHandler: Called after each row on the reading thread; it may show progress by
  ///     ``AsynchronousFetchResult/completedUnitCount``, or cancel the fetch.
  ///   - completion: Called once on the context's queue, never before `execute(_:)` returns, with the same result that
  ///     it returns.
  public init(
    _ fetchRequest: FetchRequest<ResultType>, estimatedResultCount: Int? = nil,
    rowHandler: (@Sendable (AsynchronousFetchResult<ResultType>) -> Void)? = nil,
    completion: @escaping @Sendable (AsynchronousFetchResult<ResultType>) -> Void
  ) {
    self.fetchRequest = fetchRequest
    self.estimatedResultCount = estimatedResultCount
    self.rowHandler = rowHandler
    self.completion = completion
  }
}

/// The progress of a fetch.
private struct FetchProgress {
  var rowsRead = 0
  var isCancelled = false
  var isFinished = false
  var error: ObjectGraphError?
}

/// A running fetch and its result.
///
/// ```swift
/// let fetch = try context.execute(
///   AsynchronousFetchRequest(FetchRequest<Quake>(entityName: "Quake")) { result in
///     if let error = result.operationError { print(error) }
///   })
/// if fetch.completedUnitCount > 1_000_000 { fetch.cancel() }
/// ```
// Sendable by proof: state that any thread may read is constant or behind the mutex; `results` and `followed` are only
// used on the context's queue, which every access checks, and by deinit.
public final class AsynchronousFetchResult<ResultType: ManagedObject>: @unchecked Sendable {
  private let state = Lock(FetchProgress())
  private var results: FoundObjects?
  /// Changes that were stored since the fetch began.
  private let followed: FollowedChanges
  private let context: ManagedObjectContext
  /// The number of objects that the request expected; `nil` if unknown.
  public let estimatedResultCount: Int?

  init(context: ManagedObjectContext, changes: FollowedChanges, estimatedResultCount: Int?) {
    self.context = context
    followed = changes
    self.estimatedResultCount = estimatedResultCount
  }

  /// Stops the fetch at its next row; as in Core Data, the completion gets an empty result and no error.
  ///
  /// A fetch that has not started reading does not start.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether ``cancel()`` was called, even if every row had already been read.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether there is a result or an error; the completion is called next.
  public var isFinished: Bool { state.withLock { $0.isFinished } }
  /// Rows read so far.
  public var completedUnitCount: Int { state.withLock { $0.rowsRead } }
  /// The error that prevented a result.
  public var operationError: ObjectGraphError? { state.withLock { $0.error } }

  /// The objects, once available; use them on the context's queue.
  public var finalResult: FetchResults<ResultType>? {
    context.queue.check()
    return results.map { FetchResults($0) }
  }

  var changes: FollowedChanges {
    context.queue.check()
    return followed
  }

  func countRow() { state.withLock { $0.rowsRead += 1 } }

  func finish(_ results: FoundObjects?, error: ObjectGraphError?) {
    context.queue.check()
    self.results = results
    state.withLock { state in
      state.isFinished = true
      state.error = error
    }
  }
}

/// The fetch that a task waits for, and whether it was canceled before the fetch existed.
final class PendingFetch<ResultType: ManagedObject>: Sendable {
  private let state = Lock<(result: AsynchronousFetchResult<ResultType>?, isCancelled: Bool)>((nil, false))

  func set(_ result: AsynchronousFetchResult<ResultType>) {
    let isCancelled = state.withLock { state in
      state.result = result
      return state.isCancelled
    }
    if isCancelled { result.cancel() }
  }

  func cancel() {
    let result = state.withLock { state in
      state.isCancelled = true
      return state.result
    }
    result?.cancel()
  }
}

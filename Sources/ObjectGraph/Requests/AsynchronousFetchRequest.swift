// Fetching without waiting: the rows are read beside the context's queue, in pieces that can be followed and stopped.
internal import Support
internal import Synchronization

/// A fetch whose answer comes later, on its context's queue.
///
/// ```swift
/// let quakes = FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)])
/// try context.execute(
///   AsynchronousFetchRequest(quakes) { result in
///     if let first = result.finalResult?.first { print(first[Quake.place] ?? "") }
///   })
/// ```
public struct AsynchronousFetchRequest<ResultType: ManagedObject>: Sendable {
  /// What to fetch; dictionaries cannot be asked for.
  public var fetchRequest: FetchRequest<ResultType>
  /// How many objects the caller expects, for the progress; nil if unknown.
  public var estimatedResultCount: Int?
  let rowHandler: (@Sendable (AsynchronousFetchResult<ResultType>) -> Void)?
  let completion: @Sendable (AsynchronousFetchResult<ResultType>) -> Void

  /// A fetch, and what happens while it runs and when it ends.
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
  ///   - estimatedResultCount: How many objects are expected.
  ///   - rowHandler: Called after each row that was read, on the thread that reads: shows progress by
  ///     ``AsynchronousFetchResult/completedUnitCount``, or cancels.
  ///   - completion: Called once on the context's queue, never before the request was handed back; the result is the
  ///     same that was handed back.
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

/// A fetch under way, and what came of it.
///
/// ```swift
/// let fetch = try context.execute(
///   AsynchronousFetchRequest(FetchRequest<Quake>(entityName: "Quake")) { result in
///     if let error = result.operationError { print(error) }
///   })
/// if fetch.completedUnitCount > 1_000_000 { fetch.cancel() }
/// ```
// Sendable by proof: what any thread may ask for is inside the mutex or constant; `results` and `followed` are touched on the
// context's queue alone, which every access checks, and by deinit.
public final class AsynchronousFetchResult<ResultType: ManagedObject>: @unchecked Sendable {
  private let state = Lock(FetchProgress())
  private var results: FoundObjects?
  /// What was stored since the fetch began.
  private let followed: FollowedChanges
  private let context: ManagedObjectContext
  /// What the request expected; nil when it did not say.
  public let estimatedResultCount: Int?

  init(context: ManagedObjectContext, changes: FollowedChanges, estimatedResultCount: Int?) {
    self.context = context
    followed = changes
    self.estimatedResultCount = estimatedResultCount
  }

  /// Stops the fetch at its next row; its completion is called with an empty result and no error, as in Core Data.
  ///
  /// A fetch that has not begun to read does not begin.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether ``cancel()`` was called, also when every row had been read by then.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether there is a result or an error; the completion is called next.
  public var isFinished: Bool { state.withLock { $0.isFinished } }
  /// Rows read so far.
  public var completedUnitCount: Int { state.withLock { $0.rowsRead } }
  /// What kept the fetch from being answered.
  public var operationError: ObjectGraphError? { state.withLock { $0.error } }

  /// The objects, once there are any; to be used on the context's queue.
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

/// The fetch that a task waits for, and whether it was cancelled before there was one.
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

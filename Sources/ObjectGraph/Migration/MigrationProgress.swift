// The progress of a migration, and canceling it.
internal import Support
internal import Synchronization

/// Observes and cancels the migration of a store.
///
/// Set it in ``PersistentStoreDescription/migrationProgress``. Opening a store blocks its thread, so read the progress
/// on another one, or pass a handler.
///
/// ```swift
/// var description = PersistentStoreDescription(path: "quakes.sqlite")
/// description.migrationProgress = MigrationProgress { progress in
///   print("\(Int(progress.fractionCompleted * 100)) %")
/// }
/// try coordinator.addPersistentStore(description)
/// ```
public final class MigrationProgress: Sendable, Hashable {
  private struct State {
    var steps = 1
    var step = 0
    var total: Int64 = 0
    var completed: Int64 = 0
    /// Rows of the previous steps.
    var before: Int64 = 0
    var isCancelled = false
    var isFinished = false
    var reported = 0.0

    var fraction: Double {
      if isFinished { return 1 }
      let part = total == 0 ? 0 : Double(completed) / Double(total)
      return min(1, (Double(step) + part) / Double(max(1, steps)))
    }
  }

  private let state = Lock(State())
  private let handler: (@Sendable (MigrationProgress) -> Void)?

  /// Creates a progress for one migration.
  ///
  /// - Parameter handler: Called on the migrating thread, at the end and whenever another hundredth is done.
  public init(handler: (@Sendable (MigrationProgress) -> Void)? = nil) { self.handler = handler }

  /// Stops the migration, which then throws ``ObjectGraphError/migrationCancelled(path:)``.
  ///
  /// The store is as it was before, or as the last completed stage left it. After the last commit it has no effect.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// Whether the store was opened, whether it was migrated or not.
  public var isFinished: Bool { state.withLock { $0.isFinished } }
  /// Rows that were rewritten; an in-place migration rewrites none.
  public var completedUnitCount: Int64 { state.withLock { $0.before + $0.completed } }
  /// Rows to rewrite, of all stages that have begun.
  public var totalUnitCount: Int64 { state.withLock { $0.before + $0.total } }
  /// From 0 to 1: completed stages, plus the completed part of the running stage's rows.
  public var fractionCompleted: Double { state.withLock { $0.fraction } }

  // MARK: - What migrates

  func begin(step: Int, of steps: Int) {
    state.withLock { state in
      state.before += state.completed
      (state.step, state.steps, state.total, state.completed) = (step, steps, 0, 0)
    }
  }

  func expect(rows: Int64) { state.withLock { $0.total = rows } }

  func advance(to rows: Int64) {
    report { $0.completed = max($0.completed, min(rows, $0.total)) }
  }

  func finish() {
    report { state in
      state.isFinished = true
      state.reported = -1
    }
  }

  private func report(_ change: (inout State) -> Void) {
    let isNews = state.withLock { state in
      change(&state)
      guard state.fraction - state.reported >= 0.01 else { return false }
      state.reported = state.fraction
      return true
    }
    if isNews { handler?(self) }
  }

  /// Two values are equal if they are identical.
  public static func == (one: MigrationProgress, other: MigrationProgress) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

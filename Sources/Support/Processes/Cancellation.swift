// Cancellation without a task, a queue or a thread: a flag, and actions that end a wait.
internal import Synchronization

/// Asks work to end early; it cannot be reset.
package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the work should end.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Asks the work to end.
  ///
  /// Any thread may call it.
  package func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      let actions = Array(state.actions.values)
      state.actions = [:]
      return actions
    }
    for action in actions { action() }
  }

  /// Runs the body, and calls `action` once if the work is canceled before or during it.
  ///
  /// The action runs on the thread that cancels, and may still run just after the body has ended.
  package func watched<Result, Failure: Error>(
    by action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let number: Int? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
    guard let number else {
      action()
      return try body()
    }
    defer { state.withLock { $0.actions[number] = nil } }
    return try body()
  }

  /// - Throws: `CancellationError` if the work should end.
  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}

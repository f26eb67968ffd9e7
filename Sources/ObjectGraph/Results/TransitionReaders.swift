// The readers of a controller's transitions.
internal import Support
internal import Synchronization

/// Streams of a controller's transitions, which end with it.
final class TransitionReaders<Item: Sendable & Hashable>: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<FetchedTransition<Item>>.Continuation] = [:]
  }
  private let state = Lock(State())

  deinit { for continuation in current { continuation.finish() } }

  private var current: [AsyncStream<FetchedTransition<Item>>.Continuation] {
    state.withLock { Array($0.continuations.values) }
  }

  func send(_ transition: FetchedTransition<Item>) {
    for continuation in current { continuation.yield(transition) }
  }

  /// What is sent from now on; none of it is dropped while it is not being read.
  func stream() -> AsyncStream<FetchedTransition<Item>> {
    AsyncStream { continuation in
      let id = state.withLock { state in
        state.next += 1
        state.continuations[state.next] = continuation
        return state.next
      }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
      }
    }
  }
}

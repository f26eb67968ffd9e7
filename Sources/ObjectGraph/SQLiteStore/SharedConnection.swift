// One connection for all work of a store, inside a transaction that the store does not own.
internal import Dispatch
internal import SQLiteDriver
internal import Synchronization

/// The connection of a store that is opened inside an open transaction: what the store commits is part of that
/// transaction.
///
/// The thread that uses the connection may use it again, for example in a handler that reads during an insert; other
/// threads wait.
// Sendable by proof: the connection is only used inside `use`, by one thread at a time, and before and after that by
// the thread that opened the transaction.
final class SharedConnection: @unchecked Sendable {
  let connection: Connection
  private let semaphore = DispatchSemaphore(value: 1)
  private let holder = Atomic<UInt>(0)
  /// Whether the store is closed, so that later callers get an error.
  private var isEnded = false

  init(_ connection: Connection) { self.connection = connection }

  /// Runs the body while no other thread uses the connection.
  ///
  /// - Throws: What the body throws; ``ObjectGraphError/noStore`` once the store is closed.
  func use<T>(_ body: () throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    let me = currentThread()
    if holder.load(ordering: .relaxed) == me { return try body() }
    semaphore.wait()
    holder.store(me, ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      semaphore.signal()
    }
    if isEnded { throw .noStore }
    return try body()
  }

  /// Waits for the current user of the connection, and never lends it again.
  func end() {
    if holder.load(ordering: .relaxed) == currentThread() { return isEnded = true }
    semaphore.wait()
    isEnded = true
    semaphore.signal()
  }
}

// One writer at a time, and a clear error instead of a deadlock when the writer calls itself.
internal import Dispatch
internal import SQLiteDriver
internal import Synchronization

/// A lock over a store's writing connection, held while a request is carried out on the caller's thread.
final class WriterLock: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  private let holder = Atomic<UInt>(0)

  /// Whether the calling thread holds the lock.
  var isHeldByCaller: Bool { holder.load(ordering: .relaxed) == currentThread() }

  /// Runs the body while no other request writes.
  /// - Throws: ``ObjectGraphError/reentrantRequest`` when the calling thread holds the lock already.
  func withLock<T>(_ body: () throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    let me = currentThread()
    if holder.load(ordering: .relaxed) == me { throw .reentrantRequest }
    semaphore.wait()
    holder.store(me, ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      semaphore.signal()
    }
    return try body()
  }
}

/// Runs SQLite work and says what was being done when it fails.
func during<T>(_ action: String, _ body: () throws(SQLiteError) -> T) throws(ObjectGraphError) -> T {
  do { return try body() } catch { throw .store(error, during: action) }
}

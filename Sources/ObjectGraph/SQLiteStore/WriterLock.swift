// Allows one writer at a time, and reports a clear error instead of a deadlock if the writer calls itself.
internal import Dispatch
internal import SQLiteDriver
internal import Support
internal import Synchronization
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A value that one request at a time uses on its caller's thread, such as a store's writing connection.
// Sendable by proof: the creator sends the value here, and only `withLock`, on one thread at a time, and deinit reach
// it.
final class WriterLock<Value>: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  private let holder = Atomic<UInt>(0)
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Whether the calling thread holds the lock.
  var isHeldByCaller: Bool { holder.load(ordering: .relaxed) == currentThread() }

  /// Runs the body with the value while no other request has it.
  ///
  /// - Throws: ``ObjectGraphError/reentrantRequest`` if the calling thread already holds the lock.
  func withLock<T>(_ body: (inout Value) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    let me = currentThread()
    if holder.load(ordering: .relaxed) == me { throw .reentrantRequest }
    semaphore.wait()
    holder.store(me, ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      semaphore.signal()
    }
    return try body(&value)
  }
}

/// Runs SQLite work; an error contains the step that failed.
func during<T>(_ action: @autoclosure () -> String, _ body: () throws(SQLiteError) -> T) throws(ObjectGraphError) -> T {
  do { return try body() } catch { throw .store(error, during: action()) }
}

/// The calling thread's identity; never 0.
@inline(__always)
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

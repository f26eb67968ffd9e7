// The mutex of this package: Synchronization's own, or one that the thread sanitizer understands. The sanitizer cannot
// see how Synchronization's mutex orders memory, because it uses futexes inside a library that is not instrumented.
#if BATCHMARK_SANITIZE
  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Darwin)
    private import Darwin
  #endif

  /// A value that one thread at a time may use; builds for the thread sanitizer guard it with a pthread mutex.
  // Sendable by proof: only `withLock` reaches the value, on one thread at a time.
  package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      lock = .allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      // Safe by proof: it points to the value that the lock held here guards.
      nonisolated(unsafe) let value = value
      return try body(&value.pointee)
    }
  }
#else
  package import Synchronization

  /// A value that one thread at a time may use.
  package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif

// The mutex of builds for the thread sanitizer, which cannot see that Synchronization's own orders memory: that one works
// on futexes, inside a library that is not instrumented. A pthread mutex is known to the sanitizer.
#if BATCHMARK_SANITIZE
  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Darwin)
    private import Darwin
  #endif

  /// Stands in for `Synchronization.Mutex`: a module's own type goes before an imported one. The other modules have a
  /// link to this file.
  // Sendable by proof: the value is reached through `withLock` alone, by one thread at a time.
  struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    init(_ initialValue: consuming sending Value) {
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

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      // Safe by proof: it points to the value that the lock, held here, guards.
      nonisolated(unsafe) let value = value
      return try body(&value.pointee)
    }
  }
#endif

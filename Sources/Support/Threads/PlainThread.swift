// A thread without a run loop, a task or a pool: nothing else schedules it, and it may block for any time.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A thread of the process; join it exactly once.
// Safe by proof: the only member is the system's thread identifier, which any thread may use and none changes.
package struct PlainThread: @unchecked Sendable {
  private let identifier: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of its stack; `nil` for the system's default, which is the limit of the main thread's
  ///     stack.
  ///   - body: What it does.
  /// - Throws: ``SystemError``: `EAGAIN` if the process may have no more threads.
  package init(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let work = Unmanaged.passRetained(Work(body))
    #if os(Linux)
      var identifier = pthread_t()
      let error = pthread_create(&identifier, &attributes, { Work.run($0) }, work.toOpaque())
      guard error == 0 else {
        work.release()
        throw SystemError(error)
      }
    #else
      var started: pthread_t?
      let error = pthread_create(&started, &attributes, { Work.run($0) }, work.toOpaque())
      guard error == 0, let identifier = started else {
        work.release()
        throw SystemError(error)
      }
    #endif
    self.identifier = identifier
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(identifier, nil) }

  /// Lets other threads run.
  package static func yield() { sched_yield() }

  /// Sleeps; a signal may end the sleep early.
  package static func sleep(nanoseconds: Int) {
    var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    nanosleep(&time, nil)
  }

  private final class Work {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let work else { return nil }
      Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }
  }
}

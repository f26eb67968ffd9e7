// A thread without a run loop, a task or a pool: a sampler needs one that nothing else schedules.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A thread of the process; to be joined exactly once.
// Safe by proof: the only member is the system's identifier of the thread, which any thread may use and nobody changes.
struct PlainThread: @unchecked Sendable {
  private let identifier: pthread_t

  /// Starts a thread.
  ///
  /// - Throws: ``InstrumentError/threadNotStarted(errorNumber:)``
  init(_ body: @escaping @Sendable () -> Void) throws(InstrumentError) {
    let work = Unmanaged.passRetained(Work(body))
    #if os(Linux)
      var identifier = pthread_t()
      let error = pthread_create(&identifier, nil, { Work.run($0) }, work.toOpaque())
      guard error == 0 else {
        work.release()
        throw .threadNotStarted(errorNumber: error)
      }
    #else
      var started: pthread_t?
      let error = pthread_create(&started, nil, { Work.run($0) }, work.toOpaque())
      guard error == 0, let identifier = started else {
        work.release()
        throw .threadNotStarted(errorNumber: error)
      }
    #endif
    self.identifier = identifier
  }

  /// Waits until the thread has ended.
  func join() { pthread_join(identifier, nil) }

  /// Lets other threads run.
  static func yield() { sched_yield() }

  /// Sleeps; a signal may end the sleep early.
  static func sleep(nanoseconds: Int) {
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

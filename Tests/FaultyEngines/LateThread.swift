// Work on a thread that only begins after the harness has measured it.
import Foundation

/// A thread that waits until its work is requested.
// Sendable by proof: one thread at a time has the work and its error, which the semaphores hand over.
final class LateThread: @unchecked Sendable {
  private let work: () throws -> Void
  private var error: (any Error)?
  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init(_ work: @escaping () throws -> Void) {
    self.work = work
    Thread.detachNewThread { [self] in
      wanted.wait()
      do { try self.work() } catch { self.error = error }
      done.signal()
    }
  }

  /// Starts the thread's work and returns when it is done.
  func finish() throws {
    wanted.signal()
    done.wait()
    if let error { throw error }
    // It is done at the next checkpoint.
    done.signal()
  }
}

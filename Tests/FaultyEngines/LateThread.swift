// Work on a thread that begins only when the harness has measured it.
import Foundation

/// A thread that waits until its work is asked for.
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

  /// Lets the thread do its work, and returns when it is done.
  func finish() throws {
    wanted.signal()
    done.wait()
    if let error { throw error }
    // The next checkpoint finds it done.
    done.signal()
  }
}

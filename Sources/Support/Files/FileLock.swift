// Locks on folders and files. The system releases them however the process ends.
internal import Foundation

/// A file lock, released when the value is deallocated.
package final class FileLock: Sendable {
  package enum Kind {
    /// No other process has the lock, shared or not.
    case alone
    /// Others may share it.
    case shared
  }

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Locks the file or folder at a path.
  ///
  /// - Parameters:
  ///   - path: A folder or file that can be read.
  ///   - kind: Whether others may share the lock.
  ///   - waiting: Called before waiting for other holders; `nil` to return at once instead.
  /// - Returns: `nil` if another holder has the lock and `waiting` is `nil`, or if the path cannot be locked.
  package static func take(_ path: String, _ kind: Kind, waiting: (() -> Void)? = nil) -> FileLock? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = FileLock(descriptor)
    let operation = kind == .alone ? LOCK_EX : LOCK_SH
    // A newly started process shares all descriptors until its exec, so a released lock may stay taken a moment longer.
    for _ in 1...10 {
      if flock(descriptor, operation | LOCK_NB) == 0 { return lock }
      guard errno == EWOULDBLOCK else { return nil }
      usleep(5_000)
    }
    guard let waiting else { return nil }
    waiting()
    while flock(descriptor, operation) != 0 {
      guard errno == EINTR else { return nil }
    }
    return lock
  }

  /// Whether the file at a path can be locked at all; not every file system supports locks.
  package static func works(on path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK
  }
}

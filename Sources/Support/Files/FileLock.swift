// Locks on folders and files. The system releases them however a process ends.
internal import Foundation

/// A file lock, released with the value.
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

  /// Takes the lock of what is at a path.
  ///
  /// - Parameters:
  ///   - path: A folder or file that can be read.
  ///   - kind: Whether others may share it.
  ///   - waiting: What to do before it waits for others; nil not to wait.
  /// - Returns: Nil when others have it and it does not wait, and where nothing can be locked.
  package static func take(_ path: String, _ kind: Kind, waiting: (() -> Void)? = nil) -> FileLock? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = FileLock(descriptor)
    let operation = kind == .alone ? LOCK_EX : LOCK_SH
    // A process that was just started shares all descriptors between its fork and its exec, so a released lock may be
    // held for a moment longer.
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

  /// Whether the file at a path can be locked at all; not every file system has locks.
  package static func works(on path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK
  }
}

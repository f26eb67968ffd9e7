// Makes the kernel kill a group of processes when this process ends, however it ends.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Kills a group of processes when this process ends.
///
/// When the last writer closes a pipe, the kernel sends a signal to the processes that the reader has chosen: here SIGKILL
/// to the group. Both ends are in this process, and kernels differ in the order in which they close them as it ends. So
/// there are two pipes, one for each order.
struct ProcessLeash {
  private let descriptors: [Int32]

  /// Nil where the system has no such thing.
  init?(group: pid_t) {
    #if os(Linux)
      var descriptors: [Int32] = []
      for isReversed in [false, true] {
        guard let ends = try? Channel.pipe() else { break }
        var (read, write) = ends
        if (read < write) == isReversed {
          let other = fcntl(read, F_DUPFD_CLOEXEC, isReversed ? write + 1 : 0)
          close(read)
          read = other
          if !isReversed, read > write {
            let other = fcntl(write, F_DUPFD_CLOEXEC, read + 1)
            close(write)
            write = other
          }
        }
        descriptors += [read, write]
        // F_SETSIG and its kin are in <fcntl.h> for _GNU_SOURCE alone.
        _ = fcntl(read, 10, SIGKILL)
        _ = fcntl(read, F_SETOWN, -group)
        _ = fcntl(read, F_SETFL, fcntl(read, F_GETFL) | O_ASYNC)
      }
      self.descriptors = descriptors
    #else
      return nil
    #endif
  }

  /// Releases the group; another one may get its number from now on.
  func release() {
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETOWN, 0) }
    for descriptor in descriptors { close(descriptor) }
  }
}

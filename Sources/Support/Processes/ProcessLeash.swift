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
/// When the last writer closes a pipe, the kernel sends a signal to the processes that the reader has chosen: here
/// SIGKILL to the group. This process holds both ends, and kernels differ in the order in which they close them at its
/// end. So there are two pipes, one for each order.
struct ProcessLeash {
  private let descriptors: [Int32]

  /// `nil` if the system does not support this.
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
        // <fcntl.h> declares F_SETSIG only for _GNU_SOURCE.
        _ = fcntl(read, 10, SIGKILL)
        _ = fcntl(read, F_SETOWN, -group)
        _ = fcntl(read, F_SETFL, fcntl(read, F_GETFL) | O_ASYNC)
      }
      self.descriptors = descriptors
    #else
      return nil
    #endif
  }

  /// Releases the group; its number may be reused from now on.
  func release() {
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETOWN, 0) }
    for descriptor in descriptors { close(descriptor) }
  }
}

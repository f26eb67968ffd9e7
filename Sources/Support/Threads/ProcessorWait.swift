// How long a thread waited for a processor. On a busy machine, a second thread may cost more than it gains.
#if os(Linux)
  private import Glibc
#endif

/// The time that a runnable thread has waited for a processor, if the system reports it.
package struct ProcessorWait: ~Copyable {
  #if os(Linux)
    private let file: Int32

    /// The waiting time of the calling thread; `nil` if the system does not report it.
    package init?() {
      file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
      if file < 0 { return nil }
    }

    deinit { close(file) }

    /// Nanoseconds since the thread began; `nil` if the system does not report them.
    ///
    /// It takes a few microseconds and reads the second of three numbers (Linux,
    /// Documentation/scheduler/sched-stats.rst).
    package func nanoseconds() -> UInt64? {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { text in
        let count = pread(file, text.baseAddress, text.count, 0)
        if count <= 0 { return nil }
        let words = text[..<count].split(separator: UInt8(ascii: " "))
        return words.count > 1 ? UInt64(String(decoding: words[1], as: UTF8.self)) : nil
      }
    }
  #else
    // Untested: the system does not report this.
    package init?() { return nil }
    package func nanoseconds() -> UInt64? { nil }
  #endif
}

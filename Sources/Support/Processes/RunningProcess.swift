// A process between its start and its end. Any thread may kill it, and one thread waits for it.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A child process in its own group.
final class RunningProcess: Sendable {
  /// The process ID, which is also its group's.
  let number: pid_t
  /// Whether its end was seen; from then on another process may have the ID.
  private let isOver = Mutex(false)

  private static let all = Mutex<[pid_t: RunningProcess]>([:])

  init(_ number: pid_t) {
    self.number = number
    RunningProcess.all.withLock { $0[number] = self }
  }

  /// Kills the process and all of its group, unless it has ended.
  func kill() {
    isOver.withLock { if !$0 { _ = killpg(number, SIGKILL) } }
  }

  /// Kills every process that has not ended, because this one will not wait for them.
  static func killAll() {
    for process in all.withLock({ Array($0.values) }) { process.kill() }
  }

  /// Makes the kernel kill it first when memory is short: a sample can be repeated, but the results in this process
  /// cannot.
  func isEndedFirst() {
    #if os(Linux)
      let file = open("/proc/\(number)/oom_score_adj", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, "1000", 4)
      close(file)
    #endif
  }

  /// Waits for the process to end, and kills the group when the time runs out.
  ///
  /// A process has usually ended when its streams have, so polling takes little time.
  ///
  /// - Parameters:
  ///   - deadline: When to kill it.
  ///   - takesGroupAlong: Whether to kill the rest of its group when it has ended.
  /// - Returns: How it ended, and whether its time ran out.
  func wait(
    until deadline: Deadline, takesGroupAlong: Bool
  ) -> (status: ChildProcess.ExitStatus, isLate: Bool) {
    var isLate = false
    var pause: Int = 100_000
    while true {
      // Kill before reaping: until then no other group can have its ID.
      if takesGroupAlong && hasEnded { kill() }
      if let status = endStatus() { return (status, isLate) }
      if !isLate && deadline.isOver {
        isLate = true
        kill()
      }
      var time = timespec(tv_sec: 0, tv_nsec: pause)
      nanosleep(&time, nil)
      pause = min(pause * 2, 20_000_000)
    }
  }

  /// Whether it has ended; does not reap it, which ``wait(until:takesGroupAlong:)`` does.
  var hasEnded: Bool {
    isOver.withLock { isOver in
      var information = siginfo_t()
      if isOver { return true }
      return waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        && information.si_signo == SIGCHLD
    }
  }

  /// How it ended; `nil` while it runs.
  private func endStatus() -> ChildProcess.ExitStatus? {
    var status: Int32 = 0
    let hasEnded = isOver.withLock { isOver in
      let found = waitpid(number, &status, WNOHANG)
      // Other code may have reaped it; then its status is unknown.
      if found < 0 && errno == EINTR || found == 0 { return false }
      if found < 0 { status = -1 }
      isOver = true
      return true
    }
    guard hasEnded else { return nil }
    RunningProcess.all.withLock { if $0[number] === self { $0[number] = nil } }
    // Decode as the macros of <sys/wait.h> do, which Swift does not import.
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}

/// A moment on the monotonic clock.
struct Deadline: Sendable {
  private let moment: Double

  /// A deadline this many seconds from now; infinity for none.
  init(seconds: Double) { moment = Deadline.now() + seconds }

  var isOver: Bool { secondsLeft <= 0 }

  var secondsLeft: Double { moment - Deadline.now() }

  /// The timeout for poll, at most an hour.
  ///
  /// It is rounded up, so that the deadline is over when poll times out.
  var millisecondsLeft: Int32 { Int32(max(0, min(3_600_000, (secondsLeft * 1_000).rounded(.up)))) }

  private static func now() -> Double { Double(MonotonicClock.now()) / 1e9 }
}

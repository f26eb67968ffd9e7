// A timer that signals only the thread that set it.
#if os(Linux)
  internal import Glibc

  extension OperatingSystem {
    /// Sends SIGALRM to this thread at every interval, starting one interval from now; 0 microseconds stop it.
    ///
    /// - Returns: Whether the system set the timer; if not, `errno` says why.
    static func signalThread(everyMicroseconds microseconds: Int) -> Bool {
      guard threadTimer.isMade || makeTimer() else { return false }
      let interval = timespec(tv_sec: 0, tv_nsec: microseconds * 1_000)
      var times = itimerspec(it_interval: interval, it_value: interval)
      return timer_settime(threadTimer.identifier, 0, &times, nil) == 0
    }

    /// Removes the timer; another thread may then set one.
    static func endSignals() {
      guard threadTimer.isMade else { return }
      timer_delete(threadTimer.identifier)
      threadTimer.isMade = false
    }

    private static func makeTimer() -> Bool {
      guard let thread = threadNumber() else { return false }
      var event = sigevent()
      event.sigev_notify = signalsOneThread
      event.sigev_signo = SIGALRM
      event._sigev_un._tid = thread
      // Unblock the signal: threads of a pool block signals.
      var alarm = sigset_t()
      sigemptyset(&alarm)
      sigaddset(&alarm, SIGALRM)
      pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
      threadTimer.isMade = timer_create(CLOCK_MONOTONIC, &event, &threadTimer.identifier) == 0
      return threadTimer.isMade
    }

    /// The kernel's ID of this thread, from `/proc/thread-self`, which links to "PID/task/TID".
    private static func threadNumber() -> pid_t? {
      var target = [CChar](repeating: 0, count: 64)
      let length = readlink("/proc/thread-self", &target, target.count)
      guard length > 0 else { return nil }
      let text = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return text.split(separator: "/").last.flatMap { pid_t($0) }
    }

    /// `SIGEV_THREAD_ID`, a macro that Swift does not import (timer_create(2)).
    private static let signalsOneThread: Int32 = 4
  }

  private struct ThreadTimer {
    var isMade = false
    /// The kernel's number as a pointer; that of the first timer is null.
    var identifier: timer_t?
  }

  // Safe by proof: only the thread that probes creates and deletes it, and there is only one such thread at a time
  // (``SpeedProbe``).
  nonisolated(unsafe) private var threadTimer = ThreadTimer()
#endif

// Handles Ctrl-C, Ctrl-\, TERM and the end of the terminal in a thread that waits for them from the start of the
// program. Unlike a signal handler, it can run ordinary code, and it needs no resources that might be unavailable
// later.
internal import Analysis
internal import Foundation
internal import Harness
internal import Support
internal import Synchronization

/// The handling of SIGINT, SIGTERM, SIGHUP and SIGQUIT.
///
/// They end the program immediately, and it leaves nothing behind except its outputs. During a measurement, the first
/// signal ends it cleanly (TERM and QUIT allow only a moment for that), and the second one immediately.
enum Interrupts {
  private static let measuring = Mutex<(cancellation: Cancellation, advice: String?)?>(nil)

  /// The time limits in seconds.
  ///
  /// After TERM there are 2 seconds in total; after other signals, removing files may take as long as it needs, within
  /// reason.
  private static let patience = (inGoodOrder: 1.4, removing: 1.5, removingLate: 0.3, removingAtLeisure: 10.0)

  /// Begins to wait for the signals.
  ///
  /// Call it while the program has only one thread.
  ///
  /// If no thread can be started, signals have their default effect and end the program immediately.
  static func watch() {
    var signals = sigset_t()
    sigemptyset(&signals)
    // Under nohup, the end of the terminal must not end the program, and a background process ignores the keyboard.
    // TERM always ends it.
    for number in [SIGINT, SIGHUP, SIGQUIT] where !isIgnored(number) { sigaddset(&signals, number) }
    for number in [SIGTERM, SIGALRM] {
      signal(number, SIG_DFL)
      sigaddset(&signals, number)
    }
    // Later threads inherit the mask, so only this thread receives the signals.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watched = signals
    do {
      _ = try PlainThread(stackBytes: 512 * 1024) { wait(for: watched) }
    } catch {
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Measures something that the first signal cancels.
  ///
  /// - Parameters:
  ///   - cancellation: The cancellation for the first signal.
  ///   - advice: The message if there was no time for a clean end.
  ///   - measure: Measures and reports.
  /// - Returns: The result of `measure`.
  static func cancelling<Result>(
    _ cancellation: Cancellation = Cancellation(), advice: String? = nil, _ measure: (Cancellation) throws -> Result
  ) rethrows -> Result {
    measuring.withLock { $0 = (cancellation, advice) }
    defer { measuring.withLock { $0 = nil } }
    return try measure(cancellation)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if os(Linux)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether the sender of the signal waits only briefly.
  private static func isUrgent(_ number: Int32) -> Bool { number == SIGTERM || number == SIGQUIT }

  private static func wait(for signals: sigset_t) {
    var signals = signals
    var count = 0
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      count += 1
      let measured = measuring.withLock { $0 }
      guard count == 1, number != SIGALRM, let measured else {
        let isUrgent = isUrgent(number) || number == SIGALRM
        let seconds = isUrgent ? (count > 1 ? patience.removingLate : patience.removing) : patience.removingAtLeisure
        endNow(advice: measured?.advice, within: seconds)
      }
      if isUrgent(number) { alarm(after: patience.inGoodOrder) }
      measured.cancellation.cancel()
    }
  }

  /// Ends the program and its child processes, and removes temporary files.
  private static func endNow(advice: String?, within seconds: Double) -> Never {
    // Removing files may take too long, for example for a folder with a build. The next program removes the rest.
    signal(SIGALRM) { _ in _exit(CommandStatus.interrupted.rawValue) }
    var alarms = sigset_t()
    sigemptyset(&alarms)
    sigaddset(&alarms, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    alarm(after: seconds)
    if let advice { Console.complain(advice) }
    ChildProcess.killAll()
    Leftovers.removeAndEnd { _exit(CommandStatus.interrupted.rawValue) }
  }

  private static func alarm(after seconds: Double) {
    var time = itimerval()
    time.it_value.tv_sec = Int(seconds)
    time.it_value.tv_usec = .init((seconds - seconds.rounded(.down)) * 1e6)
    #if os(Linux)
      setitimer(__itimer_which_t(0), &time, nil)
    #else
      setitimer(ITIMER_REAL, &time, nil)
    #endif
  }
}

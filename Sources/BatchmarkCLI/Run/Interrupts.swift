// Ctrl-C, Ctrl-\, TERM and the end of the terminal: a thread that was made when the program began waits for them. What it does
// then is plain code, which a handler could not do, and needs nothing that might not be had at that moment.
internal import Analysis
internal import Foundation
internal import Harness
internal import Support
internal import Synchronization

/// What SIGINT, SIGTERM, SIGHUP and SIGQUIT do.
///
/// They end the program at once; nothing of it is left outside of its outputs. While something is measured, the first one
/// ends it in good order, for which TERM and QUIT give it a moment, and the second at once.
enum Interrupts {
  private static let measuring = Mutex<(cancellation: Cancellation, advice: String?)?>(nil)

  /// How TERM's 2 seconds are spent, and how long removing may take: after the other signals as long as it needs, within
  /// reason.
  private static let patience = (inGoodOrder: 1.4, removing: 1.5, removingLate: 0.3, removingAtLeisure: 10.0)

  /// Begins to wait for the signals; call it while the program has one thread.
  ///
  /// If no thread can be started, signals have their default effect: they end the program at once.
  static func watch() {
    var signals = sigset_t()
    sigemptyset(&signals)
    // Under nohup the end of the terminal is not a reason to end, and a background process ignores the keyboard.
    // TERM always ends the program.
    for number in [SIGINT, SIGHUP, SIGQUIT] where !isIgnored(number) { sigaddset(&signals, number) }
    for number in [SIGTERM, SIGALRM] {
      signal(number, SIG_DFL)
      sigaddset(&signals, number)
    }
    // Every later thread inherits it, so that no other gets them.
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
  ///   - cancellation: What the signal cancels.
  ///   - advice: What is said when there was no time for the good order.
  ///   - measure: Measures, and reports.
  /// - Returns: What it returns.
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

  /// Whether the sender of the signal waits only for a moment.
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

  /// Ends the program, and with it its processes and what must not be left behind.
  private static func endNow(advice: String?, within seconds: Double) -> Never {
    // Removing may take long too, as of a folder with a build in it: the next program sweeps the rest.
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

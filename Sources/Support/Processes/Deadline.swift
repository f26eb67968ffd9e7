// The moment by which something must be done.

/// A moment on the monotonic clock.
struct Deadline: Sendable {
  private let moment: Double

  /// So many seconds from now; infinity for never.
  init(seconds: Double) { moment = Deadline.now() + seconds }

  var isOver: Bool { secondsLeft <= 0 }

  var secondsLeft: Double { moment - Deadline.now() }

  /// For poll, rounded up, so that it is over when poll says so; an hour at most.
  var millisecondsLeft: Int32 { Int32(max(0, min(3_600_000, (secondsLeft * 1_000).rounded(.up)))) }

  private static func now() -> Double { Double(MonotonicClock.now()) / 1e9 }
}

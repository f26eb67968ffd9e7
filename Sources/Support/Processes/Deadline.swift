// A deadline on the monotonic clock.

/// A moment on the monotonic clock.
struct Deadline: Sendable {
  private let moment: Double

  /// A deadline in so many seconds from now; infinity for none.
  init(seconds: Double) { moment = Deadline.now() + seconds }

  var isOver: Bool { secondsLeft <= 0 }

  var secondsLeft: Double { moment - Deadline.now() }

  /// The timeout for poll, at most an hour.
  ///
  /// It is rounded up, so that the deadline is over when poll times out.
  var millisecondsLeft: Int32 { Int32(max(0, min(3_600_000, (secondsLeft * 1_000).rounded(.up)))) }

  private static func now() -> Double { Double(MonotonicClock.now()) / 1e9 }
}

// Runs operations at a fixed rate and measures each one from its intended start. An operation that waits for a slow one
// before it is delayed too; without that delay the average would look too good (coordinated omission).
internal import Statistics

/// The loop's clock: the system's, or a fake one in tests.
package protocol OperationClock {
  /// Nanoseconds since a fixed moment.
  func now() -> UInt64
  /// Returns at about that moment; it may return early.
  func sleep(until moment: UInt64)
}

/// The result of one attempt.
package enum OperationAttempt: Sendable, Hashable {
  case done
  /// Another connection holds a lock; the value is the name of SQLite's code.
  case refused(String)
}

/// The schedule of the operations.
package struct FixedRateLoop: Sendable {
  /// When the first operation begins, in nanoseconds.
  package let begin: UInt64
  /// Operations per second, above 0.
  package let rate: Int

  /// The nanoseconds after the end during which due operations still run.
  ///
  /// The rest are abandoned.
  private static let grace: UInt64 = 2_000_000_000
  /// Nanoseconds before a refused operation is tried again.
  private static let pause: UInt64 = 1_000_000
  /// Nanoseconds after which a wait checks for the end.
  private static let longestSleep: UInt64 = 10_000_000

  package init(begin: UInt64, rate: Int) {
    self.begin = begin
    self.rate = max(rate, 1)
  }

  /// The intended start of an operation, counted from 0, whatever the operations before it did.
  package func intendedStart(of number: Int) -> UInt64 {
    let (seconds, rest) = number.quotientAndRemainder(dividingBy: rate)
    return begin + UInt64(seconds) * 1_000_000_000 + UInt64(rest) * 1_000_000_000 / UInt64(rate)
  }

  /// Runs every operation that is due before the end.
  ///
  /// - Parameters:
  ///   - clock: The time.
  ///   - note: Receives, for each operation, its intended start and its latency in nanoseconds.
  ///   - end: Returns the moment after which no operation is due; `nil` while unknown. It is called between attempts.
  ///   - attempt: Tries the operation with that number once.
  /// - Returns: Their results.
  /// - Throws: What an attempt or `end` throws.
  package func run(
    _ clock: some OperationClock, noting note: (_ intended: UInt64, _ nanoseconds: UInt64) -> Void = { _, _ in },
    until end: () throws -> UInt64?, _ attempt: (Int) throws -> OperationAttempt
  ) throws -> OperationTally {
    var tally = OperationTally()
    var known: UInt64?
    func currentEnd() throws -> UInt64? {
      if known == nil { known = try end() }
      return known
    }
    func isGivenUp() throws -> Bool {
      try currentEnd().map { clock.now() > $0 + FixedRateLoop.grace } ?? false
    }
    while true {
      let intended = intendedStart(of: tally.due)
      while clock.now() < intended, try currentEnd().map({ intended < $0 }) ?? true {
        clock.sleep(until: min(intended, clock.now() + FixedRateLoop.longestSleep))
      }
      if let end = try currentEnd(), intended >= end { return tally }
      let isLate = clock.now() >= intendedStart(of: tally.due + 1)
      let isDone = try !isGivenUp() && carryOut(tally.due, clock, &tally, isGivenUp, attempt)
      let latency = clock.now() - intended
      tally.latency.record(latency)
      note(intended, latency)
      tally.due += 1
      if isDone { tally.done += 1 }
      if isLate || !isDone { tally.late += 1 }
    }
  }

  /// Tries an operation until it is done or abandoned.
  private func carryOut(
    _ number: Int, _ clock: some OperationClock, _ tally: inout OperationTally, _ isGivenUp: () throws -> Bool,
    _ attempt: (Int) throws -> OperationAttempt
  ) throws -> Bool {
    var firstRefused: UInt64?
    while true {
      let began = clock.now()
      switch try attempt(number) {
      case .done:
        tally.busySeconds += Double(began - (firstRefused ?? began)) / 1e9
        return true
      case .refused(let code):
        tally.refusals[code, default: 0] += 1
        firstRefused = firstRefused ?? began
        clock.sleep(until: clock.now() + FixedRateLoop.pause)
        if try isGivenUp() {
          tally.busySeconds += Double(clock.now() - (firstRefused ?? began)) / 1e9
          return false
        }
        tally.retries += 1
      }
    }
  }
}

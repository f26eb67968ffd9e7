// The time at which a row was read, in a small type because every cached row has one.

/// An instant on the continuous clock, in eight bytes with a layout that the compiler knows.
struct ReadTime: Sendable, Comparable {
  private static let start = ContinuousClock.now

  private let nanoseconds: Int64

  /// Before every other.
  static let distantPast = ReadTime(nanoseconds: .min)

  static var now: ReadTime { ReadTime(nanoseconds: start.duration(to: .now).nanoseconds) }

  static func < (left: ReadTime, right: ReadTime) -> Bool { left.nanoseconds < right.nanoseconds }

  func earlier(bySeconds seconds: Double) -> ReadTime {
    ReadTime(nanoseconds: nanoseconds &- (Int64(exactly: (seconds * 1e9).rounded()) ?? .max))
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

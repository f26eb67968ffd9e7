// What the command line asks for beside a scenario's number of rounds.

/// How many timed rounds cells have, and when they have enough.
package struct RoundRules: Codable, Sendable, Hashable {
  /// What the whole run may take, in seconds, shared among the cells; nil for any time.
  package var maxSeconds: Double?
  /// The rounds that every cell has, whatever else would stop it; nil for one.
  package var minRounds: Int?
  /// How far the interval of a cell's time may reach to either side when it has rounds enough, as a share of the time;
  /// nil where the rounds are counted.
  package var until: Double?

  package init(maxSeconds: Double? = nil, minRounds: Int? = nil, until: Double? = nil) {
    self.maxSeconds = maxSeconds
    self.minRounds = minRounds
    self.until = until
  }

  /// The rounds after which a cell is left as it is, however wide its interval.
  package static let mostRounds = 100

  /// The rounds at which an interval is looked at: 6, 8, 11, 15, 20, each a third more than the last.
  ///
  /// Six rounds are the fewest that an interval of 95 % can be made of. Each look is a chance to stop at one that is narrow
  /// by luck, so they are few.
  static func looks(upTo rounds: Int) -> [Int] {
    Array(sequence(first: 6) { ($0 * 4 + 2) / 3 }.prefix { $0 <= rounds })
  }
}

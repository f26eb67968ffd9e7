// How often and how long a scenario is measured: what its key `measure` says.

/// How often and how long a scenario is measured.
package struct MeasureSettings: Sendable, Hashable {
  /// Timed samples of each cell.
  package var rounds = 10
  /// How many of its rows a worker stores and forgets before it measures; all of them where it is more than there are.
  ///
  /// What a worker does once, whatever the rows, is done after a thousand.
  package var warmUpRows = 1_000
  /// The longest a sample may take, in seconds, before its worker is stopped.
  package var sampleLimit = 600.0
  /// How long a cell's timed samples may take together, in seconds, before its other rounds are left out; nil for any
  /// time.
  package var cellLimit: Double?

  package init(rounds: Int = 10, sampleLimit: Double = 600) {
    self.rounds = rounds
    self.sampleLimit = sampleLimit
  }
}

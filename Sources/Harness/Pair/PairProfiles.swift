// What profiles of both sides of a comparison saw of the operation's phase, as it is kept: the causes of a change are worked
// out of it.
internal import Instruments

/// Profiles of both sides, taken one after the other in turns.
package struct PairProfiles: Codable, Sendable, Hashable {
  package var base: [ProfiledTrial]
  package var head: [ProfiledTrial]
  /// What one of the sides could not give, one sentence each.
  package var gaps: [String]
  /// What taking them took.
  package var seconds: Double

  package init(base: [ProfiledTrial] = [], head: [ProfiledTrial] = [], gaps: [String] = [], seconds: Double = 0) {
    self.base = base
    self.head = head
    self.gaps = gaps
    self.seconds = seconds
  }
}

/// What one worker of a profile saw of the operation's phase.
package struct ProfiledTrial: Codable, Sendable, Hashable {
  package var instrument: ProfileInstrument
  package var phase: PhaseMeasurement

  package init(_ instrument: ProfileInstrument, _ phase: PhaseMeasurement) {
    self.instrument = instrument
    self.phase = phase
  }
}

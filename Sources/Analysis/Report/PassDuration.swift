// How long the samples of a cell took, from the start of a worker to its end, as an estimate for another run.
internal import Harness
internal import Instruments
package import BatchmarkEngine

/// The samples of one pass.
package struct PassDuration: Codable, Sendable, Hashable {
  package var pass: Pass
  /// The number of successful samples.
  package var samples: Int
  /// Their total time, in seconds.
  package var seconds: Double

  package init(pass: Pass, samples: Int, seconds: Double) {
    self.pass = pass
    self.samples = samples
    self.seconds = seconds
  }

  /// The mean of one sample, in seconds.
  package var mean: Double { samples > 0 ? seconds / Double(samples) : 0 }

  /// The durations of a cell's passes; `nil` if the journal does not have them.
  static func all(of cell: Cell, in ledger: RunLedger) -> [PassDuration]? {
    let found = Pass.allCases.compactMap { pass -> PassDuration? in
      let keys = ledger.samples.filter { $0.cell == cell.id && $0.pass == pass }.map(\.key)
      let seconds = keys.compactMap { ledger.seconds[$0] }
      guard !keys.isEmpty, seconds.count == keys.count else { return nil }
      return PassDuration(pass: pass, samples: keys.count, seconds: seconds.reduce(0, +))
    }
    return found.isEmpty ? nil : found
  }
}

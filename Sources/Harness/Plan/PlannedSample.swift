// One planned sample of a run, and the key that identifies it in the journal and the results.
internal import Instruments
package import BatchmarkEngine

/// A sample of the plan.
package struct PlannedSample: Sendable, Hashable {
  package var cell: Cell
  package var pass: Pass
  /// Counted from 1 within the pass.
  package var round: Int

  package init(cell: Cell, pass: Pass, round: Int) {
    self.cell = cell
    self.pass = pass
    self.round = round
  }

  /// What identifies it among the plan's samples.
  package var key: SampleKey { SampleKey(cell: cell.id, pass: pass, round: round) }
}

/// What identifies a sample of a run.
package struct SampleKey: Sendable, Hashable {
  /// The cell's id.
  package var cell: String
  package var pass: Pass
  package var round: Int

  package init(cell: String, pass: Pass, round: Int) {
    self.cell = cell
    self.pass = pass
    self.round = round
  }
}

extension Sample {
  /// The planned sample this one answers.
  package var key: SampleKey { SampleKey(cell: cell, pass: pass, round: round) }
}

extension FailedSample {
  /// The planned sample that failed.
  package var key: SampleKey { SampleKey(cell: cell, pass: pass, round: round) }
}

// One sample a run means to take, and the name by which journal and results know it again.
public import Instruments
public import Scenarios
public import Workloads

/// A sample of the plan.
public struct PlannedSample: Sendable, Hashable {
  public var cell: Cell
  public var pass: Pass
  /// Counted from 1 within the pass.
  public var round: Int

  public init(cell: Cell, pass: Pass, round: Int) {
    self.cell = cell
    self.pass = pass
    self.round = round
  }

  /// What tells it from the plan's other samples.
  public var key: SampleKey { SampleKey(cell: cell.id, pass: pass, round: round) }
}

/// What tells one sample of a run from another.
public struct SampleKey: Sendable, Hashable {
  /// The cell's id.
  public var cell: String
  public var pass: Pass
  public var round: Int

  public init(cell: String, pass: Pass, round: Int) {
    self.cell = cell
    self.pass = pass
    self.round = round
  }
}

extension Sample {
  /// The planned sample this one answers.
  public var key: SampleKey { SampleKey(cell: cell, pass: pass, round: round) }
}

extension FailedSample {
  /// The planned sample that failed.
  public var key: SampleKey { SampleKey(cell: cell, pass: pass, round: round) }
}

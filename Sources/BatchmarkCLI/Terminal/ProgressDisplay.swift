// How far the run is: one line that is written over on a terminal, a line a sample anywhere else.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import BatchmarkEngine

/// Shows the events of a run.
struct ProgressDisplay {
  private var line: OverwrittenLine
  private let rounds: (PlannedSample) -> Int
  private var estimate: TimeEstimate
  private var done = 0
  private var total = 0

  /// Shows the progress of the samples to take; `rounds` gives the number of rounds of a sample's pass.
  init(
    remaining: [PlannedSample], line: OverwrittenLine = OverwrittenLine(), rounds: @escaping (PlannedSample) -> Int
  ) {
    self.line = line
    self.rounds = rounds
    estimate = TimeEstimate(remaining: remaining)
  }

  mutating func show(_ event: RunEvent) {
    switch event {
    case .began(let sample, let done, let total):
      (self.done, self.total) = (done, total)
      let progress = ProgressLine(
        done: done, total: total, sample: sample, rounds: rounds(sample), secondsLeft: estimate.secondsLeft)
      line.rewrite(progress.selections)
    case .measured(let sample, let seconds):
      estimate.took(seconds, sample)
      if !line.isTerminal { line.say("[\(done + 1)/\(total)] \(name(sample)): \(DurationText.words(seconds))") }
    case .failed(let failure):
      estimate.failed(failure.key)
      line.say("\(failure.cell), \(failure.pass.rawValue) round \(failure.round): failed: \(failure.reason)")
    case .gaveUp(let sample, let failures):
      estimate.leaveOut(sample.cell)
      line.say("\(sample.cell.id): failed \(failures) times in a row; its other samples are left out")
    case .stoppedEarly(let cell, let round, let reason):
      estimate.leaveOut(cell)
      line.say("\(cell.id): \(reason.words) its rounds after \(round) are left out")
    case .kept(let sample, let path):
      line.say("\(sample.cell.id): its store is \(path)")
    }
  }

  /// Leaves a clean line behind.
  mutating func end() { line.clear() }

  private func name(_ sample: PlannedSample) -> String {
    "\(sample.cell.id) · \(sample.pass.rawValue) round \(sample.round)/\(rounds(sample))"
  }
}

extension EarlyStop {
  /// The reason, as the beginning of a sentence on what is left out.
  fileprivate var words: String {
    switch self {
    case .slow: "each of its rounds took more than \(DurationText.words(EarlyStop.slowSeconds));"
    case .limit(let seconds): "its rounds took more than \(DurationText.words(seconds));"
    case .timeShare(let seconds): "its share of the time is \(DurationText.words(seconds));"
    case .narrow: "its time is known as well as was asked;"
    }
  }
}

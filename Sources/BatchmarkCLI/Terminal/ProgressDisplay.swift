// The progress of a run: one line that is overwritten on a terminal, otherwise a line per sample.
internal import Analysis
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports

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
      if !line.isTerminal { line.say("[\(done + 1)/\(total)] \(name(sample)): \(HumanUnits.duration(seconds))") }
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

  /// Clears the line.
  mutating func end() { line.clear() }

  private func name(_ sample: PlannedSample) -> String {
    "\(sample.cell.id) · \(sample.pass.rawValue) round \(sample.round)/\(rounds(sample))"
  }
}

extension EarlyStop {
  /// The reason, as the beginning of a sentence about skipped rounds.
  fileprivate var words: String {
    switch self {
    case .slow: "each of its rounds took more than \(HumanUnits.duration(EarlyStop.slowSeconds));"
    case .limit(let seconds): "its rounds took more than \(HumanUnits.duration(seconds));"
    case .timeShare(let seconds): "its share of the time is \(HumanUnits.duration(seconds));"
    case .narrow: "its time is known as well as was asked;"
    }
  }
}

/// The progress line of the current sample.
struct ProgressLine {
  /// The number of finished samples, and of all samples.
  let done: Int
  let total: Int
  let sample: PlannedSample
  /// The rounds of the sample's pass.
  let rounds: Int
  /// `nil` until it can be estimated.
  let secondsLeft: Double?

  /// `██████░░░░░░░░░░ 25/64 · quakes/objectgraph/save · timing round 3/8 · about 2 min left`, and shorter forms.
  ///
  /// Parts that do not fit are dropped in this order: pass and round, the scenario, the bar, the engine, the cell, the
  /// time left.
  var selections: [[String?]] {
    let cell = sample.cell
    let strategy = cell.parametersText.isEmpty ? cell.strategy : "\(cell.strategy)[\(cell.parametersText)]"
    let round = "\(sample.pass.rawValue) round \(sample.round)/\(rounds)"
    let withoutScenario = "\(cell.engine)/\(strategy)".onOneLine
    let count = "\(done + 1)/\(total)"
    let share = "\(OverwrittenLine.bar(done, of: total)) \(count)"
    let left = secondsLeft.map { $0 < 1 ? "under 1 s left" : "about \(HumanUnits.duration($0)) left" }
    let id = cell.id.onOneLine
    return [
      [share, id, round, left], [share, id, left], [share, withoutScenario, left], [count, withoutScenario, left],
      [count, strategy.onOneLine, left], [count, left], [count],
    ]
  }
}

/// A time estimate, available once the first sample is finished.
struct TimeEstimate {
  private var remaining: [PlannedSample]
  private var seconds: [Kind: (sum: Double, count: Int)] = [:]

  /// Each pass has its own speed, because instruments cost time.
  private struct Kind: Hashable {
    var cell: Cell
    var pass: Pass
  }

  init(remaining: [PlannedSample]) { self.remaining = remaining }

  mutating func took(_ time: Double, _ sample: PlannedSample) {
    remaining.removeAll { $0 == sample }
    let old = seconds[Kind(cell: sample.cell, pass: sample.pass), default: (0, 0)]
    seconds[Kind(cell: sample.cell, pass: sample.pass)] = (old.sum + time, old.count + 1)
  }

  mutating func failed(_ key: SampleKey) { remaining.removeAll { $0.key == key } }

  mutating func leaveOut(_ cell: Cell) { remaining.removeAll { $0.cell == cell } }

  /// `nil` until something has been measured.
  var secondsLeft: Double? {
    let known = seconds.values.reduce((sum: 0.0, count: 0)) { ($0.sum + $1.sum, $0.count + $1.count) }
    guard known.count > 0 else { return nil }
    return remaining.reduce(0) { left, sample in
      left + (mean(of: sample) ?? known.sum / Double(known.count))
    }
  }

  /// The cell's own mean in this pass, or else in any pass.
  private func mean(of sample: PlannedSample) -> Double? {
    if let own = seconds[Kind(cell: sample.cell, pass: sample.pass)] { return own.sum / Double(own.count) }
    let passes = Pass.allCases.compactMap { seconds[Kind(cell: sample.cell, pass: $0)] }
    let count = passes.reduce(0) { $0 + $1.count }
    return count == 0 ? nil : passes.reduce(0) { $0 + $1.sum } / Double(count)
  }
}

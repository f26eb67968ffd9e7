// How long the rest of a run will take, from what the same cells took before.
internal import Analysis
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// An estimate that begins when the first sample is done.
struct TimeEstimate {
  private var remaining: [PlannedSample]
  private var seconds: [Kind: (sum: Double, count: Int)] = [:]

  /// A pass has its own pace: instruments cost time.
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

  /// Nil until something was measured.
  var secondsLeft: Double? {
    let known = seconds.values.reduce((sum: 0.0, count: 0)) { ($0.sum + $1.sum, $0.count + $1.count) }
    guard known.count > 0 else { return nil }
    return remaining.reduce(0) { left, sample in
      left + (mean(of: sample) ?? known.sum / Double(known.count))
    }
  }

  /// The cell's own mean in this pass, else in any.
  private func mean(of sample: PlannedSample) -> Double? {
    if let own = seconds[Kind(cell: sample.cell, pass: sample.pass)] { return own.sum / Double(own.count) }
    let passes = Pass.allCases.compactMap { seconds[Kind(cell: sample.cell, pass: $0)] }
    let count = passes.reduce(0) { $0 + $1.count }
    return count == 0 ? nil : passes.reduce(0) { $0 + $1.sum } / Double(count)
  }
}

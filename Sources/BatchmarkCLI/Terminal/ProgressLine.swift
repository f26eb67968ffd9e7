// The line that shows how far a run is, within the columns that the terminal has at this moment.
internal import Harness
internal import Instruments
internal import Reports
internal import BatchmarkEngine

/// What is to be said of a sample that is being taken.
struct ProgressLine {
  /// Samples that are done, and all.
  let done: Int
  let total: Int
  let sample: PlannedSample
  /// The rounds of the sample's pass.
  let rounds: Int
  /// Nil until it can be estimated.
  let secondsLeft: Double?

  /// `██████░░░░░░░░░░ 25/64 · quakes/objectgraph/save · timing round 3/8 · about 2 min left`, and shorter ones.
  ///
  /// What there is no room for is left out whole: first pass and round, then the scenario, the bar, the engine, the cell,
  /// and the time left.
  var selections: [[String?]] {
    let cell = sample.cell
    let strategy = cell.parametersText.isEmpty ? cell.strategy : "\(cell.strategy)[\(cell.parametersText)]"
    let round = "\(sample.pass.rawValue) round \(sample.round)/\(rounds)"
    let withoutScenario = "\(cell.engine)/\(strategy)".onOneLine
    let count = "\(done + 1)/\(total)"
    let share = "\(OverwrittenLine.bar(done, of: total)) \(count)"
    let left = secondsLeft.map { $0 < 1 ? "under 1 s left" : "about \(DurationText.words($0)) left" }
    let id = cell.id.onOneLine
    return [
      [share, id, round, left], [share, id, left], [share, withoutScenario, left], [count, withoutScenario, left],
      [count, strategy.onOneLine, left], [count, left], [count],
    ]
  }
}

// Which rounds of a slow cell are not taken. The rule looks at what was measured and at no clock, so that a run that is
// continued ends as one that was never interrupted.
internal import Instruments
public import Scenarios
internal import Workloads

/// Why a cell has fewer timed rounds than its scenario asks for.
public enum EarlyStop: Codable, Sendable, Hashable {
  /// Each of its first rounds was slow, and nobody asked for so many rounds on the command line.
  case slow
  /// Its samples took longer than the scenario gives a cell, in seconds.
  case limit(seconds: Double)

  /// From how many seconds of its main phase on a round is slow.
  public static let slowSeconds = 2.0
  /// The rounds that a slow cell has.
  public static let slowRounds = 3
}

extension RunPlan {
  /// After which round a cell is to stop, and why; nil for one that goes on as far as is known.
  ///
  /// O(samples).
  public func earlyStop(of cell: Cell, in ledger: RunLedger) -> (round: Int, reason: EarlyStop)? {
    guard !isQuick, let planned = scenario(named: cell.scenario) else { return nil }
    let samples = ledger.samples.filter { $0.pass == .timing && $0.cell == cell.id }.sorted { $0.round < $1.round }
    var stops: [(round: Int, reason: EarlyStop)] = []
    if let limit = planned.scenario.cellLimit {
      var seconds = 0.0
      for sample in samples {
        seconds += sample.phases.reduce(0) { $0 + ($1.wallSeconds ?? 0) }
        guard seconds > limit else { continue }
        stops.append((sample.round, .limit(seconds: limit)))
        break
      }
    }
    let first = samples.prefix { $0.round <= EarlyStop.slowRounds }
    let isSlow =
      first.count == EarlyStop.slowRounds
      && first.allSatisfy { sample in
        let main = sample.phases.first { $0.phase == cell.operation.phase }?.wallSeconds
        return main.map { $0 > EarlyStop.slowSeconds } ?? false
      }
    if isSlow && !planned.overrides.contains(where: { $0.key == "rounds" }) {
      stops.append((EarlyStop.slowRounds, .slow))
    }
    return stops.min { $0.round < $1.round }.flatMap { $0.round < planned.scenario.rounds ? $0 : nil }
  }

  /// Whether a sample is of a round after the last one that its cell takes.
  public func isLeftOut(_ sample: PlannedSample, in ledger: RunLedger) -> Bool {
    guard sample.pass == .timing, let stop = earlyStop(of: sample.cell, in: ledger) else { return false }
    return sample.round > stop.round
  }
}

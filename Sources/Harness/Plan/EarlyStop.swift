// Decides which rounds of a cell are skipped. The rules use only the journal and no clock, so that a resumed run ends
// as an uninterrupted one would.
internal import Scenarios
internal import Instruments
internal import BatchmarkEngine
internal import Statistics

/// Why a cell has fewer timed rounds than were planned.
package enum EarlyStop: Codable, Sendable, Hashable {
  /// Each of its first rounds was slow, and the command line did not set the number of rounds.
  case slow
  /// Its samples took longer than the scenario's time limit for a cell, in seconds.
  case limit(seconds: Double)
  /// Another round would exceed its share of the run's time, in seconds.
  case timeShare(seconds: Double)
  /// The confidence interval of its time is as narrow as requested: this half-width, as a share of the time.
  case narrow(halfWidth: Double)

  /// A round is slow if its main phase takes at least this many seconds.
  package static let slowSeconds = 2.0
  /// The number of rounds of a slow cell.
  package static let slowRounds = 3
}

/// The last timed round that a cell takes.
package struct RoundEnd: Sendable, Hashable {
  package var round: Int
  package var reason: EarlyStop
}

extension RunPlan {
  /// The cells known to stop before their last planned round, by id.
  ///
  /// A round is complete once each of its cells has taken it. O(samples + cells · rounds).
  package func earlyStops(of planned: PlannedScenario, in ledger: RunLedger) -> [String: RoundEnd] {
    guard !isQuick else { return [:] }
    let timed = Dictionary(grouping: ledger.samples.lazy.filter { $0.pass == .timing }, by: \.cell)
    var ends: [String: RoundEnd] = [:]
    for cell in planned.scenario.cells {
      let samples = (timed[cell.id] ?? []).sorted { $0.round < $1.round }
      let found = [
        limit(of: planned.scenario, samples), slow(planned, cell, samples), narrow(cell, samples),
      ]
      ends[cell.id] = found.compactMap(\.self).min { $0.round < $1.round }
    }
    if let shares = TimeShares(of: self, planned, ledger) { ends = shares.ends(beside: ends) }
    let total = rounds(of: .timing, in: planned)
    return ends.filter { $0.value.round < total }
  }

  /// The minimum number of rounds.
  var minRounds: Int { rules.minRounds ?? 1 }

  private func limit(of scenario: Scenario, _ samples: [Sample]) -> RoundEnd? {
    guard let limit = scenario.measure.cellLimit else { return nil }
    var seconds = 0.0
    for sample in samples {
      seconds += sample.phases.reduce(0) { $0 + ($1.wallSeconds ?? 0) }
      if seconds > limit, sample.round >= minRounds {
        return RoundEnd(round: sample.round, reason: .limit(seconds: limit))
      }
    }
    return nil
  }

  /// Whether slow cells get fewer rounds.
  ///
  /// A user who sets the number of rounds or the time has decided that already.
  package func endsSlowCells(of planned: PlannedScenario) -> Bool {
    !isQuick && rules.until == nil && rules.maxSeconds == nil && !planned.hasRoundsAskedFor
  }

  private func slow(_ planned: PlannedScenario, _ cell: Cell, _ samples: [Sample]) -> RoundEnd? {
    guard endsSlowCells(of: planned) else { return nil }
    let first = samples.prefix { $0.round <= EarlyStop.slowRounds }
    let isSlow = first.allSatisfy { ($0.mainSeconds(of: cell) ?? 0) > EarlyStop.slowSeconds }
    return first.count == EarlyStop.slowRounds && isSlow
      ? RoundEnd(round: max(EarlyStop.slowRounds, minRounds), reason: .slow) : nil
  }

  private func narrow(_ cell: Cell, _ samples: [Sample]) -> RoundEnd? {
    guard let until = rules.until else { return nil }
    for look in RoundRules.looks(upTo: samples.last?.round ?? 0) where look >= minRounds {
      let seconds = samples.prefix { $0.round <= look }.compactMap { $0.mainSeconds(of: cell) }
      guard let halfWidth = relativeHalfWidth(seconds), halfWidth <= until else { continue }
      return RoundEnd(round: look, reason: .narrow(halfWidth: halfWidth))
    }
    return nil
  }

  private func relativeHalfWidth(_ seconds: [Double]) -> Double? {
    guard let interval = medianInterval(seconds, confidence: 0.95), let median = median(seconds), median > 0 else {
      return nil
    }
    return (interval.upperBound - interval.lowerBound) / 2 / median
  }
}

extension PlannedScenario {
  /// Whether the command line sets the number of rounds.
  var hasRoundsAskedFor: Bool { overrides.contains { $0.key == "rounds" } }
}

extension Sample {
  /// The time of the cell's main phase, in seconds.
  fileprivate func mainSeconds(of cell: Cell) -> Double? {
    phases.first { $0.phase == cell.operation.phase }?.wallSeconds
  }
}

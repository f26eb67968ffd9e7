// Finds the warnings for the reader from the results alone. All limits are defined here.
internal import Harness
internal import Instruments
internal import BatchmarkEngine
internal import Statistics

/// The limits for warnings.
package enum WarningLimits {
  /// The half-width of a time's interval, as a share of its median.
  package static let halfWidth = 0.1
  /// The first round's time as a multiple of the median; it must also be the longest.
  package static let firstRound = 1.5
  /// The share of its time that a sample may lose to other processes.
  package static let disturbance = 0.05
  /// The share of a time that may be missing by the clock of the process that does the work.
  package static let ownClock = 0.02
  /// The share of a cell's samples that may be disturbed.
  package static let disturbedSamples = 0.1
  /// The shortest time that a single interrupt does not dominate, in seconds.
  package static let shortest = 0.001
  /// A good time for a phase, in seconds.
  package static let aim = 0.03
  /// The median of a sync, in seconds.
  package static let sync = 0.005
  /// The bytes written with a limit of the WAL, as a multiple of the database's size.
  ///
  /// Without a limit each page is written twice, into the WAL and into the database.
  package static let bytesWritten = 8.0
  /// The share of concurrent operations that may begin after the next one is due.
  package static let lateOperations = 0.1
}

extension Report {
  /// All warnings: those about the run first, then cell by cell.
  package var foundWarnings: [RunWarning] {
    var found: [RunWarning] = []
    if !run.isComparable { found.append(.debugBuild) }
    if run.isQuick { found.append(.quickRun) }
    let leftOut = scenarios.map(\.leftOut).reduce(0, +)
    if leftOut > 0 { found.append(.leftOutCells(leftOut)) }
    for engine in scenarios.flatMap({ $0.absentEngines ?? [] }) where !found.contains(.absentEngine(engine)) {
      found.append(.absentEngine(engine))
    }
    let samples = scenarios.flatMap(\.cells).flatMap(\.samples)
    let isMemoryTried =
      samples.contains { $0.pass == .memory }
      || scenarios.flatMap(\.cells).flatMap(\.failures).contains { $0.pass == .memory }
    // Cells with concurrent operations have no exact passes.
    let hasAlone = samples.contains { $0.concurrent == nil }
    if hasAlone && !isMemoryTried && !run.isInterrupted { found.append(.noMemoryPass) }
    if let seconds = run.syncSeconds, seconds > WarningLimits.sync { found.append(.slowSyncs(seconds: seconds)) }
    return found
      + scenarios.flatMap { $0.warnings(isQuick: run.isQuick, aim: run.rounds?.until ?? WarningLimits.halfWidth) }
  }
}

extension ScenarioReport {
  fileprivate func warnings(isQuick: Bool, aim: Double) -> [RunWarning] {
    let failedRounds = setAside
    return cells.flatMap { cell -> [RunWarning] in
      let timed = cell.timed(without: failedRounds)
      return cell.losses(roundsSetAside: failedRounds.rounds.count) + cell.disagreements + cell.earlyStop(of: rounds)
        + cell.walLimitWarnings + cell.concurrencyWarnings + cell.timeWarnings(of: timed, isQuick: isQuick, aim: aim)
        + cell.clockWarnings(setAside: failedRounds)
    }
  }
}

extension ScenarioReport {
  /// Whether other processes took so much time from some cell that its processor time says more about its work.
  package var hasDisturbedTimes: Bool {
    let failedRounds = setAside
    return cells.contains { cell in
      cell.cell.role != .harnessCost
        && CellReport.disturbed(cell.measurements(of: cell.timed(without: failedRounds))) != nil
    }
  }
}

extension CellReport {
  /// The timed samples with valid times.
  fileprivate func timed(without setAside: SetAsideRounds) -> [Sample] {
    samples.filter { $0.pass == .timing && !setAside.contains($0) }
  }

  /// The samples' measurements of the main phase, round by round.
  fileprivate func measurements(of timed: [Sample]) -> [PhaseMeasurement] {
    timed.sorted { $0.round < $1.round }.compactMap { sample in
      sample.phases.first { $0.phase == cell.operation.phase && $0.wallSeconds != nil }
    }
  }

  /// The number of measurements that lost too much time to other processes; `nil` if it is too small for a warning.
  fileprivate static func disturbed(_ measurements: [PhaseMeasurement]) -> Int? {
    let disturbed = measurements.count { $0.disturbedSeconds > WarningLimits.disturbance * ($0.wallSeconds ?? 0) }
    return Double(disturbed) > WarningLimits.disturbedSamples * Double(measurements.count) ? disturbed : nil
  }

  fileprivate func losses(roundsSetAside: Int) -> [RunWarning] {
    let planned = samples.count + failures.count + missing
    var found: [RunWarning] = []
    if missing > 0 { found.append(.missingSamples(cell: cell, missing: missing, planned: planned)) }
    if !failures.isEmpty {
      found.append(
        .failedSamples(cell: cell, failed: failures.count, planned: planned, roundsSetAside: roundsSetAside))
    }
    return found
  }

  fileprivate func earlyStop(of rounds: Int) -> [RunWarning] {
    let taken = samples.count { $0.pass == .timing }
    if case .narrow = stop { return [] }
    return stop.map { [.stoppedEarly(cell: cell, rounds: taken, planned: rounds, reason: $0)] } ?? []
  }

  fileprivate var disagreements: [RunWarning] {
    phases.flatMap { summary in
      MetricID.allCases.compactMap { metric in
        summary.disagreements[metric].map {
          .differingFigure(cell: cell, phase: summary.phase, metric: metric, values: $0)
        }
      }
    }
  }

  /// Warnings about limits of the WAL that make pages of indexes be written repeatedly.
  fileprivate var walLimitWarnings: [RunWarning] {
    guard cell[.walLimit].bytes != nil, let main = summary(of: cell.operation.phase),
      let written = main.metrics[.bytesWritten], let database = databaseBytes.figure, database > 0
    else { return [] }
    let times = Double(written) / Double(database)
    guard times > WarningLimits.bytesWritten else { return [] }
    return [.smallWALLimit(cell: cell, timesDatabase: times, databaseBytes: database)]
  }

  /// Warnings about a process's clock that shows less time than Batchmark's, in the median or in single samples.
  fileprivate func clockWarnings(setAside: SetAsideRounds) -> [RunWarning] {
    let timed = samples.filter { $0.pass == .timing }
    let phases = timed.compactMap(\.mainPhase).filter { $0.ownSeconds != nil }
    guard let wall = median(phases.compactMap(\.wallSeconds)), let own = median(phases.compactMap(\.ownSeconds)) else {
      return []
    }
    let longer = timed.count { setAside.isDisturbed($0) }
    guard longer > 0 || wall - own > WarningLimits.ownClock * wall else { return [] }
    return [.ownClock(cell: cell, own: own, wall: wall, setAside: longer, samples: timed.count)]
  }

  /// Warnings if concurrent readers and writers did not have a processor each, or did not keep their rate.
  fileprivate var concurrencyWarnings: [RunWarning] {
    let latencies = latencies ?? []
    let processes = latencies.reduce(1) { $0 + $1.processes }
    var found: [RunWarning] = []
    if let processors = latencies.compactMap(\.processors).max(), processes > processors {
      found.append(.fewProcessors(cell: cell, processes: processes, processors: processors))
    }
    return found
      + latencies.compactMap { latency in
        let (late, due) = (latency.tally.late, latency.tally.due)
        guard Double(late) > WarningLimits.lateOperations * Double(due) else { return nil }
        return .unkeptRate(cell: cell, operations: latency.name, late: late, due: due)
      }
  }

  /// Warnings about the times of the main phase.
  fileprivate func timeWarnings(of timed: [Sample], isQuick: Bool, aim: Double) -> [RunWarning] {
    let measurements = measurements(of: timed)
    guard let wall = main.wall.figure, wall.median > 0, !measurements.isEmpty else { return [] }
    let count = measurements.count
    var found: [RunWarning] = []
    if let low = wall.low, let high = wall.high {
      let halfWidth = (high - low) / 2 / wall.median
      if halfWidth > aim {
        found.append(.noisyTime(cell: cell, halfWidth: halfWidth, aim: aim, samples: count))
      }
    } else if !isQuick && stop == nil {
      found.append(.fewRounds(cell: cell, samples: count))
    }
    let walls = measurements.compactMap(\.wallSeconds)
    if let first = walls.first, walls.count > 2, first == walls.max(), first > WarningLimits.firstRound * wall.median {
      found.append(.slowFirstRound(cell: cell, timesMedian: first / wall.median))
    }
    // A phase without work needs no warning.
    if cell.role == .harnessCost { return [] }
    if wall.median < WarningLimits.shortest {
      found.append(.shortTime(cell: cell, seconds: wall.median, rows: measurements[0].rows))
    }
    if let disturbed = CellReport.disturbed(measurements) {
      found.append(.disturbedSamples(cell: cell, disturbed: disturbed, samples: count))
    }
    let pressed = measurements.count { ($0.interference?.majorFaults ?? 0) > 0 }
    if pressed > 0 { found.append(.memoryPressure(cell: cell, pressed: pressed, samples: count)) }
    return found
  }
}

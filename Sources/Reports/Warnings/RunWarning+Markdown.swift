// The texts of warnings: what was detected, and what to do next.
package import Analysis

extension RunWarning.Kind {
  /// The title of warnings of this kind.
  var title: String {
    switch self {
    case .debugBuild: "Debug build"
    case .quickRun: "Quick run"
    case .leftOutCells: "Cells left out"
    case .absentEngine: "Engines left out"
    case .noMemoryPass: "No memory pass"
    case .missingSamples: "Samples not taken"
    case .failedSamples: "Failed samples"
    case .differingFigure: "Exact figures that differ"
    case .stoppedEarly: "Slow cells"
    case .fewRounds: "Few rounds"
    case .shortTime: "Very short times"
    case .noisyTime: "Noisy times"
    case .slowFirstRound: "A slow first round"
    case .disturbedSamples: "Disturbed samples"
    case .ownClock: "Time outside of the work"
    case .memoryPressure: "Pages read from a device"
    case .slowSyncs: "Slow syncs"
    case .smallWALLimit: "A small limit of the WAL"
    case .fewProcessors: "More processes than processors"
    case .unkeptRate: "A rate that was not kept"
    }
  }
}

extension RunWarning {
  /// What was detected, as a clause.
  package var seen: String {
    switch self {
    case .debugBuild: "the executable was built without optimization, so its figures mean nothing"
    case .quickRun: "one round was taken, so times are a first impression; exact counters are as in any run"
    case .leftOutCells(let count):
      "\(HumanUnits.counted(count, "cell")) with more than \(Digits.grouped(RunPlan.quickRows)) rows "
        + (count == 1 ? "was left out" : "were left out")
    case .absentEngine(let engine): "\(engine.name): \(engine.reason)"
    case .noMemoryPass: "this build has no jemalloc, as with sanitizers, so nothing was measured of the heap"
    case .slowSyncs(let seconds):
      "a sync of 4 KiB takes \(HumanUnits.time(seconds)), so that durable commits are mostly waiting for the disk"
    case .missingSamples(_, let missing, let planned):
      "\(Digits.grouped(missing)) of \(HumanUnits.counted(planned, "sample")) not taken"
    case .failedSamples(_, let failed, let planned, let rounds):
      "\(Digits.grouped(failed)) of \(HumanUnits.counted(planned, "sample")) failed"
        + (rounds > 0 ? ", and the times of \(HumanUnits.counted(rounds, "round")) are set aside for every cell" : "")
    case .differingFigure(_, let phase, let metric, let values):
      "\(metric.rawValue) of \(phase.rawValue) was \(HumanUnits.list(values.map { Digits.grouped($0) })) in samples that "
        + "should agree to the bit"
    case .stoppedEarly(_, let rounds, let planned, let reason):
      switch reason {
      case .slow:
        "cells over \(Digits.fixed(EarlyStop.slowSeconds, decimals: 0)) s get \(EarlyStop.slowRounds) rounds, so it has "
          + "\(Digits.grouped(rounds)) of \(HumanUnits.counted(planned, "round"))"
      case .limit(let seconds):
        "its samples took more than the \(HumanUnits.time(seconds)) that a cell has, so \(Digits.grouped(rounds)) of "
          + "\(HumanUnits.counted(planned, "round")) \(rounds == 1 ? "was" : "were") taken"
      case .timeShare(let seconds):
        "its share of the run's time was \(HumanUnits.time(seconds)), so \(Digits.grouped(rounds)) of "
          + "\(HumanUnits.counted(planned, "round")) \(rounds == 1 ? "was" : "were") taken"
      case .narrow(let halfWidth):
        "its time was known to \(Digits.short(100 * halfWidth)) % after \(HumanUnits.counted(rounds, "round"))"
      }
    case .fewRounds(_, let samples):
      "\(HumanUnits.counted(samples, "timed sample")) \(samples == 1 ? "is" : "are") too few for an interval, so any order "
        + "of cells may be chance"
    case .noisyTime(_, let halfWidth, _, let samples):
      "the interval reaches \(Digits.short(100 * halfWidth)) % to either side after "
        + HumanUnits.counted(samples, "round")
    case .slowFirstRound(_, let times):
      "the first round took \(Digits.short(times)) times as long as the median, longer than all others"
    case .disturbedSamples(_, let disturbed, let samples):
      "\(Digits.grouped(disturbed)) of \(HumanUnits.counted(samples, "sample")) waited for a processor, or lost it to the "
        + "machine's host, for more than \(Digits.fixed(100 * WarningLimits.disturbance, decimals: 0)) % of their time"
    case .ownClock(_, let own, let wall, let setAside, let samples):
      "its own clock says \(HumanUnits.time(own)) of \(HumanUnits.time(wall))"
        + (setAside > 0
          ? "; \(Digits.grouped(setAside)) of \(HumanUnits.counted(samples, "sample")) took over 2 % and 2 ms longer than it "
            + "says, and are set aside" : "")
    case .memoryPressure(_, let pressed, let samples):
      "\(Digits.grouped(pressed)) of \(HumanUnits.counted(samples, "sample")) had pages read from a device while their time "
        + "was taken"
    case .shortTime(_, let seconds, let rows):
      "\(HumanUnits.time(seconds)) for \(HumanUnits.counted(rows, "row")) is so short that a single interrupt shows"
    case .smallWALLimit(_, let times, let bytes):
      "\(Digits.short(times)) times the bytes of the database (\(HumanUnits.bytes(bytes))) were written: each transaction that "
        + "the limit ends writes the pages of indexes again that the next one changes"
    case .fewProcessors(_, let processes, let processors):
      "it and the readers and writers beside it, \(Digits.grouped(processes)) together, share "
        + "\(HumanUnits.counted(processors, "processor")), so that latencies have waits for a processor in them"
    case .unkeptRate(_, let operations, let late, let due):
      "\(Digits.grouped(late)) of \(HumanUnits.counted(due, operations.rawValue)) started only when the next was due"
    }
  }

  /// More rounds than this are never advised.
  private static let mostAdvisedRounds = 200

  /// What to do next, as a sentence without its full stop.
  package var advice: String {
    switch self {
    case .debugBuild: "Build with swift build -c release, or use scripts/bench"
    case .quickRun: "Leave out --quick for times to rely on"
    case .leftOutCells: "Leave out --quick, or choose the rows with --set rows"
    case .absentEngine: "Install it, or leave it out: the other engines are measured all the same"
    case .noMemoryPass: "Build with jemalloc and without BATCHMARK_SANITIZE; batchmark doctor says what is missing"
    case .slowSyncs: "Write to a faster disk with --out, or compare strategies that commit equally often"
    case .missingSamples: "Take them with --resume and the run's --out"
    case .failedSamples: "See below why; when the cause is fixed, take them again with --resume and the run's --out"
    case .differingFigure:
      "Look for what differs between processes: threads, the clock, an order that comes from hashing; do not gate "
        + "on the figure until it repeats"
    case .stoppedEarly(_, _, let planned, .slow): "Use --rounds \(Digits.grouped(planned)) for all of them"
    case .stoppedEarly(_, _, _, .limit): "Give cells more time with --set cell_limit, or take fewer rows"
    case .stoppedEarly(_, _, _, .timeShare), .stoppedEarly(_, _, _, .narrow):
      "Give the run more time with --max-time, or every cell some rounds with --min-rounds"
    case .fewRounds: "Take \(Estimate.leastRounds) rounds or more, better 10, with --rounds"
    case .noisyTime(_, let halfWidth, let aim, let samples)
    where RunWarning.rounds(for: halfWidth, aim: aim, after: samples) > RunWarning.mostAdvisedRounds:
      "Stop other programs: with so much noise, over \(RunWarning.mostAdvisedRounds) rounds would be needed; to compare two "
        + "settings or builds, use batchmark pair"
    case .noisyTime(_, let halfWidth, let aim, let samples):
      "Stop other programs, or take about \(Digits.grouped(RunWarning.rounds(for: halfWidth, aim: aim, after: samples))) rounds "
        + "with --rounds; to compare two settings or builds, use batchmark pair"
    case .slowFirstRound:
      "Warm up more, with --set warm_up=all, or bring the machine into the same state before each sample with --prepare"
    case .disturbedSamples:
      "Stop other programs, or use batchmark pair with --set-aside 5%; CPU time, beside the wall time, has no waiting "
        + "for a processor in it"
    case .ownClock:
      "Stop other programs; if every run shows it, let the engine's clock cover all that the engine does"
    case .memoryPressure: "Free memory, or take fewer rows; time for reading from a device is not the strategy's"
    case .smallWALLimit(_, _, let bytes):
      "Set wal_limit to about \(HumanUnits.bytes(RunWarning.walLimit(forDatabaseOf: bytes))), into which the whole file fits, "
        + "or insert rows in the order of their unique values"
    case .fewProcessors: "Take fewer with --set readers or --set writers, or a machine with more processors"
    case .unkeptRate:
      "Take a lower rate with --set rate, unless the waiting itself is the answer: the latencies have all of it"
    // The phase may handle only a part of the rows, so their number says nothing about the source.
    case .shortTime(let cell, let seconds, let rows) where [.update, .delete, .fetch].contains(cell.operation):
      "Measure about \(Digits.short(Double(RunWarning.rows(for: seconds, of: rows)) / Double(max(rows, 1)))) times as much at once: "
        + "more rows, a wider where or a larger limit"
    case .shortTime(_, let seconds, let rows):
      "Measure more rows, about \(Digits.grouped(RunWarning.rows(for: seconds, of: rows))); where they are generated, with --set rows"
    }
  }

  /// The warning in results.json.
  var record: WarningRecord { WarningRecord(kind: kind.rawValue, cell: cell?.id, seen: seen, advice: advice) }
}

/// Warnings as lines of text for standard error.
package enum WarningLines {
  /// One line per kind: its name, the cell or the number of cells, and what to do next.
  ///
  /// Details of cells are in the report.
  ///
  /// An example is `noisy times: 5 cells. Stop other programs, ….` Warnings shown elsewhere are left out: a debug build
  /// is named above the table, and failed or missing samples have their own line with the command that takes them.
  package static func render(_ results: Report) -> [String] {
    WarningGroup.all(results.foundWarnings.filter { !isSaidElsewhere($0.kind, results) }).map { group in
      let cells = Set(group.warnings.compactMap { $0.cell?.id })
      let place =
        switch cells.count {
        // A warning about the whole run.
        case 0: group.warnings.first.map { ": " + $0.seen } ?? ""
        case 1: ": " + (cells.first ?? "").onOneLine
        default: ": " + HumanUnits.counted(cells.count, "cell")
        }
      return group.kind.title.prefix(1).lowercased() + group.kind.title.dropFirst() + place + ". " + group.advice + "."
    }
  }

  private static func isSaidElsewhere(_ kind: RunWarning.Kind, _ results: Report) -> Bool {
    switch kind {
    case .debugBuild, .failedSamples, .absentEngine: true
    case .missingSamples: results.run.isInterrupted
    default: false
    }
  }
}

extension WarningGroup {
  /// What to do next.
  ///
  /// The advice for the worst cell suits the others too.
  var advice: String { warnings.first?.advice ?? "" }
}

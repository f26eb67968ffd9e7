// One cell of a run: its strategy, every sample, and every figure or why it is missing. Renderers only format them.
package import Harness
internal import Instruments
package import BatchmarkEngine

/// One cell's part of a scenario.
package struct CellReport: Codable, Sendable {
  package var cell: Cell
  package var summary: String
  /// A few words about what the strategy does; `nil` if it does not say.
  package var gloss: String?
  /// What users of this strategy give up.
  package var tradeoffs: [String]
  /// Every phase that some sample has, in order.
  package var phases: [PhaseReport] = []
  /// The time of all phases together in seconds, except those in which the harness fills and reads the store.
  package var total: Measured<Estimate>
  /// Bytes written to the WAL in the main phase for each byte of the finished database file.
  ///
  /// The file's size is taken after the checkpoint: before it, most of the database may still be in the WAL.
  package var writeAmplification: Measured<Double>
  /// Bytes written to any file for each byte of the finished database file, in every phase of the operation: storing,
  /// merging and checkpointing, without those in which the harness fills and reads the store.
  package var fullWriteAmplification: Measured<Double>
  /// Bytes in allocated pages for each byte in blocks, after the main phase.
  package var fragmentation: Measured<Double>
  /// The size of the finished database file, after the checkpoint.
  package var databaseBytes: Measured<Int64>
  /// Every successful sample, in the order they were taken.
  package var samples: [Sample]
  package var failures: [FailedSample]
  /// Samples planned but not taken, because the run was interrupted.
  package var missing: Int
  /// Why it has fewer rounds than requested; `nil` if it has all.
  package var stop: EarlyStop?
  /// The durations of its samples including their workers; `nil` if not recorded.
  package var durations: [PassDuration]?
  /// The concurrent operations, class by class; `nil` if there were none.
  package var latencies: [OperationLatency]?
  /// The times of the requests that make up its operation; `nil` if there was only one, or if none was timed
  /// individually.
  package var requests: OperationLatency?

  /// In the file, trade-offs keep their name from the first format.
  private enum CodingKeys: String, CodingKey {
    case cell, summary, gloss, phases, total, writeAmplification, fullWriteAmplification, fragmentation, databaseBytes
    case samples, failures, missing, stop, durations, latencies, requests
    case tradeoffs = "givesUp"
  }

  /// Computes every figure from the samples.
  ///
  /// The scenario adds the ratios to the reference.
  package init(
    cell: Cell, summary: String, gloss: String? = nil, tradeoffs: [String], samples: [Sample],
    failures: [FailedSample], missing: Int, stop: EarlyStop? = nil, durations: [PassDuration]? = nil,
    setAside: SetAsideRounds
  ) {
    self.cell = cell
    self.summary = summary
    self.gloss = gloss
    self.tradeoffs = tradeoffs
    self.samples = samples
    self.failures = failures
    self.missing = missing
    self.stop = stop
    self.durations = durations
    let notMeasured = "no sample was taken"
    total = .absent(notMeasured)
    (writeAmplification, fullWriteAmplification) = (.absent(notMeasured), .absent(notMeasured))
    (fragmentation, databaseBytes) = (.absent(notMeasured), .absent(notMeasured))
    let latencies = OperationLatency.all(of: samples, setAside: setAside)
    self.latencies = latencies.isEmpty ? nil : latencies
    requests = OperationLatency.requests(of: samples, setAside: setAside)
    phases = PhaseReport.all(of: self, setAside: setAside)
    summarizePhases(setAside)
  }

  /// The concurrent operations, class by class, and the cell's own requests.
  package var allLatencies: [OperationLatency] { (latencies ?? []) + (requests.map { [$0] } ?? []) }

  /// A latency with its interval in seconds; `nil` if there was no such operation.
  package func latency(_ metric: MetricID) -> Estimate? {
    for latency in allLatencies {
      for percentile in latency.percentiles where MetricID.latency(latency.name, percentile.figure) == metric {
        return percentile.seconds
      }
    }
    return nil
  }

  /// Computes the figures of all phases together.
  private mutating func summarizePhases(_ setAside: SetAsideRounds) {
    let main = main
    let all = walls(in: Set(Phase.allCases).subtracting([.prepare, .verify]), setAside: setAside)
    total = Measured(
      Estimate(medianOf: Array(all.values)), or: absenceOfTime(in: mainPhase, isUsed: main.wall.figure != nil))
    let notWritten = absence(of: .counters, in: mainPhase)
    databaseBytes = Measured(storeSample?.contents.databaseBytes, or: notWritten)
    let database = databaseBytes.figure.flatMap { $0 > 0 ? Double($0) : nil }
    writeAmplification = Measured(
      database.flatMap { size in main.metrics[.walBytesWritten].map { Double($0) / size } },
      or: main[.walBytesWritten].reason ?? notWritten)
    let written = phases.filter { ![.load, .prepare, .verify].contains($0.phase) }
      .compactMap { $0.metrics[.bytesWritten].map(Double.init) }.reduce(0, +)
    let isCounted = main.metrics[.bytesWritten] != nil
    fullWriteAmplification = Measured(
      database.flatMap { isCounted ? written / $0 : nil }, or: main[.bytesWritten].reason ?? notWritten)
    let active = main.metrics[.jemallocActiveAfter]
    let allocated = main.metrics[.jemallocAllocatedAfter].flatMap { $0 > 0 ? $0 : nil }
    fragmentation = Measured(
      active.flatMap { active in allocated.map { Double(active) / Double($0) } },
      or: main[.jemallocActiveAfter].reason ?? absence(of: .memory, in: mainPhase))
  }
}

extension CellReport {
  package var label: String { cell.label }

  /// The main phase of the cell: ingest, or the update, delete or fetch.
  package var mainPhase: Phase { cell.operation.phase }

  /// The figures of the main phase, whether or not a sample has it.
  package var main: PhaseReport { summary(of: mainPhase) ?? PhaseReport(mainPhase, of: self) }

  /// The figures of a phase; `nil` if no sample has it.
  package func summary(of phase: Phase) -> PhaseReport? { phases.first { $0.phase == phase } }

  /// The hash of the contents in every sample, or why there is none.
  package var contentHash: Measured<String> {
    let hashes = Set(samples.map(\.contents.contentHash))
    return Measured(hashes.count == 1 ? hashes.first : nil, or: "its samples differ")
  }

  /// The contents of the store at the end.
  package var contents: Measured<StoredContents> {
    Measured(storeSample?.contents, or: failures.isEmpty ? "no sample was taken" : "no sample succeeded")
  }

  /// The sum of the medians of all phases, in seconds, except those in which the harness fills and reads the store;
  /// `nil` without times.
  ///
  /// Bars of phases add up to it. It may differ from ``total``, the median of the sums.
  package var sumOfPhases: Double? {
    let medians = phases.filter { ![.prepare, .verify].contains($0.phase) }.compactMap(\.wall.figure?.median)
    return medians.isEmpty ? nil : medians.reduce(0, +)
  }

  /// How many samples there are, how many were planned, and how many are missing.
  package var tally: SampleTally { SampleTally([self]) }

  /// A sample that shows the files on disk: one of the counters pass if there is one.
  var storeSample: Sample? { samples.first { $0.pass == .counters } ?? samples.first }

  /// Wall time of these phases together, if the cell has them, for each timed round with valid times.
  func walls(in phases: Set<Phase>, setAside: SetAsideRounds) -> [Int: Double] {
    var walls: [Int: Double] = [:]
    for sample in samples where sample.pass == .timing && !setAside.contains(sample) {
      let times = sample.phases.filter { phases.contains($0.phase) }.map(\.wallSeconds)
      let known = times.compactMap(\.self)
      if !times.isEmpty && known.count == times.count { walls[sample.round] = known.reduce(0, +) }
    }
    return walls
  }
}

// MARK: - Why a figure is missing

extension CellReport {
  /// Why a phase has no time or anything derived from it.
  ///
  /// `isUsed` says whether any round has valid times.
  func absenceOfTime(in phase: Phase, isUsed: Bool) -> String {
    let isMeasured = samples.contains { sample in
      sample.pass == .timing && sample.phases.contains { $0.phase == phase && $0.wallSeconds != nil }
    }
    return isMeasured && !isUsed
      ? "another sample failed in each of its timed rounds" : absence(of: .timing, in: phase)
  }

  /// Why a phase has no figures of a pass.
  func absence(of pass: Pass, in phase: Phase) -> String {
    let taken = samples.filter { $0.pass == pass }
    if pass != .timing, taken.isEmpty, samples.contains(where: { $0.concurrent != nil }) {
      return "others read or write beside it, so its counts differ from sample to sample"
    }
    let failed = failures.contains { $0.pass == pass }
    if taken.isEmpty {
      return switch (failed, missing > 0) {
      case (true, false): "every sample of the \(pass.rawValue) pass failed"
      case (true, true): "the samples of the \(pass.rawValue) pass failed or were not taken"
      case (false, true): "the run ended before the \(pass.rawValue) pass"
      case (false, false): "no sample of the \(pass.rawValue) pass was taken"
      }
    }
    guard taken.contains(where: { sample in sample.phases.contains { $0.phase == phase } }) else {
      return "the \(phase.rawValue) phase is not part of the \(pass.rawValue) pass"
    }
    var notes: [String] = []
    for note in taken.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    return "the worker did not measure it" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// Why metrics are missing, if an instrument of a sample knows the reason.
  var metricAbsences: [MetricID: String] {
    var found: [MetricID: String] = [:]
    for sample in samples {
      for absence in sample.absences ?? [] {
        for metric in absence.metrics where found[metric] == nil { found[metric] = absence.reason }
      }
    }
    return found
  }
}

/// How many samples there are, how many were planned, and how many are missing.
package struct SampleTally: Sendable, Hashable {
  /// The successful samples.
  package let taken: [Pass: Int]
  package let failed: Int
  /// Samples that were planned but not taken.
  package let missing: Int

  package var planned: Int { taken.values.reduce(0, +) + failed + missing }

  init(_ cells: [CellReport]) {
    taken = Dictionary(cells.flatMap(\.samples).map { ($0.pass, 1) }, uniquingKeysWith: +)
    failed = cells.reduce(0) { $0 + $1.failures.count }
    missing = cells.reduce(0) { $0 + $1.missing }
  }
}

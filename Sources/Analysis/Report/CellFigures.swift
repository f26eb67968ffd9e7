// What tables show of one cell: every figure, and the reason for every gap. Renderers only put them into words.
package import Harness
package import Instruments
package import Scenarios

/// The figures of a cell.
package struct CellFigures: Codable, Sendable {
  package var cell: Cell
  /// Of every phase that a sample has, in the order in which phases follow one another.
  package var phases: [PhaseFigures]
  /// Of the phase that the cell is about, whether or not a sample has it.
  package var main: PhaseFigures
  /// Seconds of the main phase, round by round, of the rounds whose times are used.
  package var walls: [Double]
  /// Those times over the reference's, of the rounds that both have.
  package var ratios: [Double]
  /// Seconds of all phases together, without filling the store before and reading it after.
  package var total: Measured<Estimate>
  /// The ratio of the main phase's time to the reference's.
  package var timesReference: Measured<Estimate>
  /// Bytes written to the WAL in the main phase for each byte of the finished database file.
  ///
  /// The file's size is taken after the checkpoint: before it, most of the database may still be in the WAL.
  package var writeAmplification: Measured<Double>
  /// Bytes written to any file for each byte of the finished database file, in every phase of the operation: storing,
  /// telling and checkpointing, without filling the store before and reading it after.
  package var fullWriteAmplification: Measured<Double>
  /// Bytes in pages that hold a block for each byte in blocks, after the main phase.
  package var fragmentation: Measured<Double>
  package var databaseBytes: Measured<Int64>
  package var growth: WALGrowth?
  package var heap: HeapCourse?
  /// What the store held in the end.
  package var contents: Measured<StoredContents>
  /// The hash of what every sample stored.
  package var contentHash: Measured<String>
  package var tally: SampleTally
}

/// How many samples there are, were planned, and are not there.
package struct SampleTally: Codable, Sendable, Hashable {
  /// Those that succeeded.
  package var taken: [Pass: Int]
  package var failed: Int
  /// Planned, and not taken.
  package var missing: Int

  package var planned: Int { taken.values.reduce(0, +) + failed + missing }

  init(_ cells: [CellResults]) {
    taken = Dictionary(cells.flatMap(\.samples).map { ($0.pass, 1) }, uniquingKeysWith: +)
    failed = cells.reduce(0) { $0 + $1.failures.count }
    missing = cells.reduce(0) { $0 + $1.missing }
  }
}

extension CellFigures {
  package var label: String { cell.label }

  init(_ results: CellResults, in scenario: ScenarioResults) {
    cell = results.cell
    phases = results.phases.map { PhaseFigures(of: results, in: $0.phase) }
    main = results.mainFigures
    let times = scenario.mainWalls(of: results)
    walls = times.sorted { $0.key < $1.key }.map(\.value)
    let others = scenario.reference(of: results).map { scenario.mainWalls(of: $0) } ?? [:]
    ratios = times.keys.sorted().compactMap { round in
      guard let time = times[round], let other = others[round], other > 0 else { return nil }
      return time / other
    }
    let all = scenario.walls(of: results, in: Set(Phase.allCases).subtracting([.prepare, .verify]))
    total = Measured(
      Estimate(medianOf: Array(all.values)), or: results.absenceOfTime(in: results.mainPhase))
    timesReference = scenario.timesReference(of: results)
    let sample = results.storeSample
    let database = sample.map { Double($0.contents.databaseBytes) }.flatMap { $0 > 0 ? $0 : nil }
    writeAmplification = Measured(
      database.flatMap { size in results.main?.metrics[.walBytesWritten].map { Double($0) / size } },
      or: results.absence(of: .walBytesWritten, in: results.mainPhase))
    let written = results.phases.filter { ![.load, .prepare, .verify].contains($0.phase) }
      .compactMap { $0.metrics[.bytesWritten] }.reduce(0, +)
    let notWritten = results.absence(of: .bytesWritten, in: results.mainPhase)
    let isCounted = results.main?.metrics[.bytesWritten] != nil
    fullWriteAmplification = Measured(
      database.flatMap { isCounted ? Double(written) / $0 : nil }, or: notWritten)
    databaseBytes = Measured(sample?.contents.databaseBytes, or: notWritten)
    let active = results.main?.metrics[.jemallocActiveAfter]
    let allocated = results.main?.metrics[.jemallocAllocatedAfter].flatMap { $0 > 0 ? $0 : nil }
    fragmentation = Measured(
      active.flatMap { active in allocated.map { Double(active) / Double($0) } },
      or: results.absence(of: .jemallocActiveAfter, in: results.mainPhase))
    growth = WALGrowth(results.samples.first { !$0.growth.isEmpty }?.growth)
    heap = HeapCourse(results.samples.first { !$0.heap.isEmpty }?.heap)
    contents = Measured(
      sample?.contents, or: results.failures.isEmpty ? "no sample was taken" : "no sample succeeded")
    contentHash = Measured(results.contentHash, or: "its samples differ")
    tally = SampleTally([results])
  }
}

extension ScenarioResults {
  /// A cell's time as a multiple of its reference's, or why there is none.
  fileprivate func timesReference(of cell: CellResults) -> Measured<Estimate> {
    guard let reference = reference(of: cell) else {
      let isSwept = cells.contains(where: \.cell.isReference)
      return .absent("this run has no reference cell" + (isSwept ? " with the same swept values" : ""))
    }
    if let ratio = cell.main?.timesReference { return .figure(ratio) }
    if cell.main?.wall == nil { return .absent(cell.absenceOfTime(in: cell.mainPhase)) }
    return .absent(
      reference.main?.wall == nil
        ? "the reference has no time: \(reference.absenceOfTime(in: reference.mainPhase))"
        : "it shares no round with the reference")
  }
}

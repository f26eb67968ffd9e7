// Exact heap figures of a phase, separately for SQLite and everything else.
package import BatchmarkEngine
internal import SQLiteDriver
internal import Support

/// Reads the preloaded allocation meter, makes SQLite mark its allocations, and makes the sampler follow both through
/// the phase.
struct HeapInstrument: Instrument {
  static let pass = Pass.memory

  static let metrics = [
    MetricDeclaration(
      .heapPeak, .bytes, in: pass, "live heap at its highest, above the level at the start of the phase"),
    MetricDeclaration(
      .heapPeakSQLite, .bytes, in: pass, "SQLite's own part of the heap at its highest, above the level at the start"),
    MetricDeclaration(
      .heapPeakNonSQLite, .bytes, in: pass,
      "the rest of the heap at its highest, perhaps at another moment than SQLite's"),
    MetricDeclaration(.allocations, .count, in: pass, "calls that allocated memory"),
    MetricDeclaration(.allocatedBytes, .bytes, in: pass, "bytes that those calls handed out"),
    MetricDeclaration(.allocationsSQLite, .count, in: pass, "calls by SQLite that allocated memory"),
  ]

  private let meter: AllocationMeter
  private let sampler: MemorySampler
  private var before: OwnedFigures
  private let context: InstrumentContext
  /// The other process's allocations when the phase began.
  private var processBefore: MeterReading.Heap?
  private var process: MeasuredProcess?
  private var others = OtherProcesses()
  /// Whether another process stayed below an earlier peak in some phase.
  private var missesPeak = false
  let remarks: [String] = []

  init(in context: InstrumentContext) throws {
    self.context = context
    meter = try AllocationMeter.required()
    sampler = try context.memorySampler()
    HeapTimeline.rehearse(meter)
    try SQLiteLibrary.markAllocations(by: meter.mark)
    before = meter.figuresByOwner()
  }

  mutating func engineHasOpened(storeAt path: String) { process = context.process }

  mutating func phaseBegins(_ phase: Phase) {
    if let process = context.process {
      processBefore = process.heap()
      others.phaseBegins(of: process)
      return
    }
    meter.resetPeak()
    before = meter.figuresByOwner()
    sampler.followHeap(meter, from: before)
  }

  mutating func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    if let process = context.process {
      others.phaseEnds(of: process)
      return figures(from: processBefore, to: process.heap())
    }
    // Read this first, because the dictionary below also allocates.
    let after = meter.figuresByOwner()
    sampler.endHeap(at: after)
    return [
      .heapPeak: after.all.peakBytes - before.all.liveBytes,
      .heapPeakSQLite: after.marked.peakBytes - before.marked.liveBytes,
      .heapPeakNonSQLite: after.unmarked.peakBytes - before.unmarked.liveBytes,
      .allocations: after.all.allocations - before.all.allocations,
      .allocatedBytes: after.all.allocatedBytes - before.all.allocatedBytes,
      .allocationsSQLite: after.marked.allocations - before.marked.allocations,
    ]
  }

  /// The figures of another process.
  ///
  /// Its peak cannot be reset, so it is unknown for a phase that stayed below it.
  private mutating func figures(from before: MeterReading.Heap?, to after: MeterReading.Heap?) -> [MetricID: Int64] {
    guard let before, let after, context.process?.managesHeap != true else { return [:] }
    var figures: [MetricID: Int64] = [
      .allocations: after.allocations - before.allocations,
      .allocatedBytes: after.allocatedBytes - before.allocatedBytes,
    ]
    if after.peakBytes > before.peakBytes {
      figures[.heapPeak] = after.peakBytes.subtractingClamped(before.liveBytes)
    } else {
      missesPeak = true
    }
    return figures
  }

  func detach() -> [MetricAbsence] {
    guard let process else { return [] }
    let parts = MetricAbsence(
      [.heapPeakSQLite, .heapPeakNonSQLite, .allocationsSQLite],
      because: "the allocations of a program are counted together, SQLite's among them")
    let all: [MetricID] = [.heapPeak, .allocations, .allocatedBytes]
    if process.managesHeap {
      return [
        MetricAbsence(
          all + parts.metrics,
          because: "the program's runtime manages a heap of its own, of which the metered malloc "
            + "sees a part")
      ]
    }
    guard process.heap() == nil else {
      let absences = others.absences(all)
      return [parts] + (absences.isEmpty ? MetricAbsence.peaks(missesPeak ? [.heapPeak] : []) : absences)
    }
    return [
      parts,
      MetricAbsence(
        all,
        because: "the program does not allocate by the malloc that is metered, or opened no database with the system's "
          + "SQLite"),
    ]
  }
}

extension MetricID {
  /// The highest live heap, in bytes above the level at the start of the phase: exact, over all threads.
  package static let heapPeak = MetricID("heap_peak_bytes")
  /// The highest live heap of SQLite, in bytes of the allocator's blocks above the level at the start.
  package static let heapPeakSQLite = MetricID("heap_peak_sqlite_bytes")
  /// The highest live heap of everything but SQLite.
  ///
  /// It and SQLite's peak may occur at different moments.
  package static let heapPeakNonSQLite = MetricID("heap_peak_non_sqlite_bytes")
  /// Calls that allocated memory.
  package static let allocations = MetricID("allocations")
  /// Bytes that those calls allocated.
  package static let allocatedBytes = MetricID("allocated_bytes")
  /// Calls by SQLite that allocated memory.
  package static let allocationsSQLite = MetricID("allocations_sqlite")
}

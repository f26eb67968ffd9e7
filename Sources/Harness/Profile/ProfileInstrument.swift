// What a worker of a profile looks at: one thing a worker, so that no instrument is part of what another one sees.
package import BatchmarkEngine
internal import Instruments

package enum ProfileInstrument: String, Codable, Sendable, CaseIterable {
  /// The time of every stage.
  case stages
  /// What every stage allocates.
  case allocations
  /// Every SQL text: runs, steps and time.
  case statements
  /// Where the working thread is, many times a second.
  case stacks
  /// Who allocates, by jemalloc's heap profiler.
  case heap
  /// The blocks that exist when the heap is at its highest, in the same form.
  case peak

  /// The pass whose worker carries it.
  package var pass: Pass { self == .allocations || self == .peak ? .memory : .timing }

  /// Whether its worker is started ready to profile the heap.
  package var profilesHeap: Bool { self == .heap || self == .peak }

  /// The file of the heap profile in the sample's directory.
  package static let heapFile = "heap.prof"
  /// What a worker that profiles the heap has in its environment.
  package static var heapVariable: (name: String, value: String) { (HeapProfile.variable, HeapProfile.setting) }
  /// How many allocated bytes there are for each sampled allocation, on average.
  package static var heapSampleBytes: Int { HeapProfile.sampleBytes }
  /// How near to its highest level the heap is when its blocks are recorded, as a share of that level.
  package static var peakShare: Double { HeapProfile.peakShare }
  /// How often stacks may be sampled, in samples a second: more often, and the handler itself takes much of the time.
  package static let samplingRates = 10...10_000
  /// How often they are where nothing is said.
  package static let standardSamplingRate = 1_000
}

/// What a profile's worker saw of one phase.
package struct PhaseProfile: Codable, Sendable, Hashable {
  /// Figures of every stage; `nil` if another instrument was used.
  package var stages: StageFigures?
  /// Every SQL text, the longest time first.
  package var statements: [SQLCost]?
  /// Samples by stack, functions from the outermost on with semicolons between them.
  package var stacks: [String: Int]?
  /// Samples that there was no room for.
  package var lostStacks: Int?
  /// Bytes allocated by stack, after jemalloc's heap profile.
  package var heapStacks: [String: Int]?
  /// Bytes that were there when the heap was at its highest, by the stack that allocated them.
  package var peakStacks: [String: Int]?

  package init() {}
}

/// The runs of one SQL text in a phase.
package struct SQLCost: Codable, Sendable, Hashable {
  package var sql: String
  /// How often it was run to an end.
  package var runs: Int64
  /// Steps of SQLite's virtual machine.
  package var vmSteps: Int64
  /// From the first step of a run to its end, over all runs.
  package var nanoseconds: Int64
  /// What else was counted; nil where it was not asked for, and in answers of older builds.
  package var work: SQLWork?

  package init(sql: String, runs: Int64, vmSteps: Int64, nanoseconds: Int64) {
    self.sql = sql
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
  }
}

/// What the runs of one SQL text came to beside their steps.
package struct SQLWork: Codable, Sendable, Hashable {
  /// How often it was prepared and then run.
  package var preparations: Int64
  /// How often SQLite itself prepared it again.
  package var repreparations: Int64
  /// Rows that it returned, inserted, updated or deleted.
  package var rows: Int64
  /// Steps from row to row of tables that were read through.
  package var fullScanSteps: Int64
  /// Sorts that no index spared.
  package var sorts: Int64
  /// Rows put into indexes that were made for one run.
  package var automaticIndexRows: Int64
  /// What preparing it once takes; nil where that is not known.
  package var preparationNanoseconds: Int64?
  /// Its query plan; nil if it has none.
  package var plan: String?

  package init(
    preparations: Int64 = 0, repreparations: Int64 = 0, rows: Int64 = 0, fullScanSteps: Int64 = 0, sorts: Int64 = 0,
    automaticIndexRows: Int64 = 0, preparationNanoseconds: Int64? = nil, plan: String? = nil
  ) {
    self.preparations = preparations
    self.repreparations = repreparations
    self.rows = rows
    self.fullScanSteps = fullScanSteps
    self.sorts = sorts
    self.automaticIndexRows = automaticIndexRows
    self.preparationNanoseconds = preparationNanoseconds
    self.plan = plan
  }
}

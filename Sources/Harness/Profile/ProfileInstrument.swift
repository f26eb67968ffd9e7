// What a worker of a profile records: one instrument per worker, so that no instrument measures another.
package import BatchmarkEngine
internal import Instruments

package enum ProfileInstrument: String, Codable, Sendable, CaseIterable {
  /// The time of every stage.
  case stages
  /// What every stage allocates.
  case allocations
  /// Every SQL text: runs, steps and time.
  case statements
  /// Where the working thread is, sampled many times a second.
  case stacks
  /// Who allocates, recorded by jemalloc's heap profiler.
  case heap
  /// The blocks that are allocated when the heap is at its peak, in the same form.
  case peak

  /// The pass that its worker runs.
  package var pass: Pass { self == .allocations || self == .peak ? .memory : .timing }

  /// Whether its worker must be started with heap profiling prepared.
  package var profilesHeap: Bool { self == .heap || self == .peak }

  /// The file name of the heap profile in the sample's directory.
  package static let heapFile = "heap.prof"
  /// The environment variable of a worker that profiles the heap.
  package static var heapVariable: (name: String, value: String) { (HeapProfile.variable, HeapProfile.setting) }
  /// The mean number of allocated bytes per sampled allocation.
  package static var heapSampleBytes: Int { HeapProfile.sampleBytes }
  /// How close to its peak the heap must be when its blocks are recorded, as a share of the peak.
  package static var peakShare: Double { HeapProfile.peakShare }
  /// The allowed stack samples per second.
  ///
  /// At a higher rate the signal handler itself would take much of the time.
  package static let samplingRates = 10...10_000
  /// The default number of stack samples per second.
  package static let standardSamplingRate = 1_000
}

/// What a profile's worker recorded in one phase.
package struct PhaseProfile: Codable, Sendable, Hashable {
  /// The figures of every stage; `nil` if another instrument was used.
  package var stages: StageFigures?
  /// Every SQL text, the longest time first.
  package var statements: [SQLCost]?
  /// Samples by stack: the functions from the outermost on, separated by semicolons.
  package var stacks: [String: Int]?
  /// Samples that were dropped because the buffer was full.
  package var lostStacks: Int?
  /// Bytes allocated by stack, from jemalloc's heap profile.
  package var heapStacks: [String: Int]?
  /// Bytes allocated when the heap was at its peak, by the stack that allocated them.
  package var peakStacks: [String: Int]?

  package init() {}
}

/// The runs of one SQL text in a phase.
package struct SQLCost: Codable, Sendable, Hashable {
  package var sql: String
  /// How often it ran to completion.
  package var runs: Int64
  /// Steps of SQLite's virtual machine.
  package var vmSteps: Int64
  /// The time from the first step of a run to its end, summed over all runs.
  package var nanoseconds: Int64
  /// Further counts; `nil` if they were not requested, and in answers of older builds.
  package var work: SQLWork?

  package init(sql: String, runs: Int64, vmSteps: Int64, nanoseconds: Int64) {
    self.sql = sql
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
  }
}

/// Counts for the runs of one SQL text, apart from their steps.
package struct SQLWork: Codable, Sendable, Hashable {
  /// How often it was prepared and then run.
  package var preparations: Int64
  /// How often SQLite itself prepared it again.
  package var repreparations: Int64
  /// Rows that it returned, inserted, updated or deleted.
  package var rows: Int64
  /// Steps from row to row in full table scans.
  package var fullScanSteps: Int64
  /// Sorts that could not use an index.
  package var sorts: Int64
  /// Rows inserted into automatic indexes.
  package var automaticIndexRows: Int64
  /// The time to prepare it once; `nil` if unknown.
  package var preparationNanoseconds: Int64?
  /// Its query plan; `nil` if it has none.
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

// What a worker of a profile looks at: one thing a worker, so that no instrument is part of what another one sees.
public import Instruments

/// An instrument of a profile.
public enum ProfileInstrument: String, Codable, Sendable, CaseIterable {
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

  /// The pass whose worker carries it.
  public var pass: Pass { self == .allocations ? .memory : .timing }

  /// The file of the heap profile in the sample's directory.
  public static let heapFile = "heap.prof"
  /// What a worker that profiles the heap has in its environment.
  public static var heapVariable: (name: String, value: String) { (HeapProfile.variable, HeapProfile.setting) }
  /// One allocation is sampled for so many bytes allocated, on average.
  public static var heapSampleBytes: Int { HeapProfile.sampleBytes }
  /// How often stacks may be sampled, in samples a second: more often, and the handler itself takes much of the time.
  public static let samplingRates = 10...10_000
  /// How often they are where nothing is said.
  public static let standardSamplingRate = 1_000
}

/// What a profile's worker saw of one phase.
public struct PhaseProfile: Codable, Sendable, Hashable {
  /// Figures of every stage; nil where another instrument was at work.
  public var stages: StageFigures?
  /// Every SQL text, the longest time first.
  public var statements: [SQLCost]?
  /// Samples by stack, functions from the outermost on with semicolons between them.
  public var stacks: [String: Int]?
  /// Samples that there was no room for.
  public var lostStacks: Int?
  /// Bytes allocated by stack, after jemalloc's heap profile.
  public var heapStacks: [String: Int]?

  public init() {}
}

/// The runs of one SQL text in a phase.
public struct SQLCost: Codable, Sendable, Hashable {
  public var sql: String
  /// How often it was run to an end.
  public var runs: Int64
  /// Steps of SQLite's virtual machine.
  public var vmSteps: Int64
  /// From the first step of a run to its end, over all runs.
  public var nanoseconds: Int64

  public init(sql: String, runs: Int64, vmSteps: Int64, nanoseconds: Int64) {
    self.sql = sql
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
  }
}

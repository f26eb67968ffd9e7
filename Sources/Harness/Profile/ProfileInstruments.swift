// The instruments of a profile's worker: attached before the store is opened, and read around each phase.
internal import BatchmarkEngine
internal import Foundation
internal import Instruments
internal import SQLiteDriver
internal import Support

/// Records phases with one instrument of a profile.
final class ProfileInstruments {
  private let instrument: ProfileInstrument
  /// The observer to which engines and ObjectGraph report stages; `nil` if another instrument is used.
  let recorder: StageRecorder?
  private let statements: StatementProfile?
  private let markNanoseconds: Double
  private let heapPath: String
  /// Stack samples per second.
  private let samplingRate: Int
  private let countsWork: Bool
  private let heapPeakBytes: Int64?
  private var stacks: SampledStacks?

  /// - Parameters:
  ///   - instrument: The instrument to use.
  ///   - directory: The sample's directory, for data that is too large for an answer.
  ///   - samplingRate: Stack samples per second; `nil` for the default.
  ///   - countsWork: Whether statements' rows, plans and the like are counted, which adds to their times.
  ///   - heapPeakBytes: The heap's peak, for a profile of the blocks at the peak.
  /// - Throws: ``SampleError/instrument(_:)``, or SQLite's error if it refuses a hook.
  init(
    _ instrument: ProfileInstrument, directory: String, samplingRate: Int?, countsWork: Bool = false,
    heapPeakBytes: Int64? = nil
  ) throws {
    self.instrument = instrument
    self.countsWork = countsWork
    self.heapPeakBytes = heapPeakBytes
    let rates = ProfileInstrument.samplingRates
    let rate = samplingRate ?? ProfileInstrument.standardSamplingRate
    guard rates.contains(rate) else {
      throw SampleError.instrument(
        "found a sampling rate of \(rate) a second; expected \(rates.lowerBound) to \(rates.upperBound)")
    }
    self.samplingRate = rate
    heapPath = "\(directory)/\(ProfileInstrument.heapFile)"
    var recorder: StageRecorder?
    var statements: StatementProfile?
    var markNanoseconds = 0.0
    switch instrument {
    case .stages:
      recorder = .ofTime()
      markNanoseconds = StageRecorder.markNanoseconds()
    case .allocations:
      guard let meter = AllocationMeter.loaded else {
        throw SampleError.instrument("the allocation meter is not loaded, so what stages allocate cannot be counted")
      }
      recorder = .ofAllocations(meter)
    case .statements: statements = try StatementProfile.attach(countsWork: countsWork)
    case .stacks: if let obstacle = StackSampler.obstacle { throw SampleError.instrument(obstacle) }
    case .heap, .peak: if let obstacle = HeapProfile.obstacle { throw SampleError.instrument(obstacle) }
    }
    self.recorder = recorder
    self.statements = statements
    self.markNanoseconds = markNanoseconds
  }

  /// Whether a profile records the phase: one that a user waits for, not one of the harness.
  private func isFollowed(_ phase: Phase) -> Bool {
    switch phase {
    case .ingest, .reingest, .update, .delete, .fetch, .migrate, .merge, .checkpoint:
      !instrument.profilesHeap || phase.isMain
    case .load, .prepare, .verify: false
    }
  }

  /// Runs a phase's work with the instrument.
  func follow<T>(_ phase: Phase, _ work: () throws -> T) throws -> T {
    guard isFollowed(phase) else { return try work() }
    switch instrument {
    case .stages, .allocations:
      recorder?.start()
      defer { recorder?.stop() }
      return try work()
    case .statements:
      statements?.reset()
      return try work()
    case .stacks:
      try StackSampler.start(everyMicroseconds: 1_000_000 / samplingRate)
      defer { stacks = StackSampler.stop() }
      return try work()
    case .heap:
      try HeapProfile.begin()
      let result = try work()
      try HeapProfile.end(writingTo: heapPath)
      return result
    case .peak:
      guard let heapPeakBytes else {
        throw SampleError.instrument("the peak of the heap is not known, so its moment cannot be profiled")
      }
      let meter = try AllocationMeter.required()
      try HeapProfile.begin(untilPeakOf: heapPeakBytes, by: meter, writingTo: heapPath)
      let result = try work()
      try HeapProfile.endPeak(by: meter)
      return result
    }
  }

  /// The profile of the phase that has just ended; `nil` if the instrument does not record it.
  func profile(of phase: Phase) -> PhaseProfile? {
    guard isFollowed(phase) else { return nil }
    var profile = PhaseProfile()
    if let recorder {
      profile.stages = recorder.figures()
      profile.stages?.markNanoseconds = markNanoseconds
    }
    profile.statements = statements?.costs().map { cost in
      var found = SQLCost(sql: cost.sql, runs: cost.runs, vmSteps: cost.vmSteps, nanoseconds: cost.nanoseconds)
      if countsWork { found.work = SQLWork(cost.work) }
      return found
    }
    if let stacks {
      profile.stacks = FoldedStacks.fold(stacks.counts)
      profile.lostStacks = stacks.lost
    }
    if instrument.profilesHeap, let bytes = try? InputFile.bytes(of: heapPath, limit: .results) {
      let text = String(decoding: bytes, as: UTF8.self)
      if instrument == .heap {
        profile.heapStacks = HeapProfile.foldedStacks(text)
      } else {
        profile.peakStacks = HeapProfile.foldedLiveStacks(text)
      }
    }
    return profile
  }
}

extension SQLWork {
  fileprivate init(_ work: StatementWork) {
    self.init(
      preparations: work.preparations, repreparations: work.repreparations, rows: work.rows,
      fullScanSteps: work.fullScanSteps, sorts: work.sorts, automaticIndexRows: work.automaticIndexRows,
      preparationNanoseconds: work.preparationNanoseconds, plan: work.plan)
  }
}

// Profiles both sides of a comparison to say why they differ. One worker runs for each side and instrument, in turns,
// so that both sides see the machine in the same state.
internal import Instruments
internal import BatchmarkEngine
package import Support

/// Profiles both sides of a comparison within a limit of time.
package struct PairProfileRun: Sendable {
  /// The number of rounds that makes the times of stages and statements comparable.
  ///
  /// With fewer, no interval could exclude chance for each of some 80 of them.
  package static let mostRounds = 14
  /// Exact figures are taken twice, to find those that do not repeat.
  package static let leastRounds = 2
  /// How many times as long as the comparison itself its profiles may take.
  package static let costLimit = 3.0
  /// Workers of both sides per round: for statements, for stages, and in every second round for stacks.
  private static let workersPerRound = 5.0
  /// Workers for allocations: by stage, and by stack.
  private static let exactWorkers = 8.0

  /// The instruments of a round, in order.
  private static let instruments: [ProfileInstrument] = [.statements, .stages, .allocations, .heap, .stacks]

  /// How many rounds fit into the time limit.
  package let rounds: Int
  /// An estimate of the time they need, in seconds.
  package let expectedSeconds: Double
  /// The time limit in seconds.
  private let limit: Double
  private let directories: SampleDirectories
  private let cancellation: Cancellation

  /// - Parameters:
  ///   - comparison: The comparison to explain.
  ///   - seconds: How long measuring it took.
  ///   - timesMatter: Whether times are compared. Exact figures alone need two rounds.
  ///   - directories: The folders of the samples.
  ///   - cancellation: Ends it early.
  package init(
    of comparison: PairComparison, measuredIn seconds: Double, timesMatter: Bool, directories: SampleDirectories,
    cancellation: Cancellation = Cancellation()
  ) {
    limit = seconds * PairProfileRun.costLimit
    // This overestimates: a pair's two workers share a processor and take several trials, a profile's worker takes one.
    let workers = comparison.baseFigures.count + comparison.headFigures.count
    let pairs = comparison.pairs.count + comparison.confirmation.count
    let each = seconds / Double(max(workers + 2 * pairs, 1))
    let affordable = (limit / max(each, 1e-9) - PairProfileRun.exactWorkers) / PairProfileRun.workersPerRound
    let most = timesMatter ? PairProfileRun.mostRounds : PairProfileRun.leastRounds
    rounds = min(max(Int(clamping: affordable.rounded(.down)), PairProfileRun.leastRounds), most)
    expectedSeconds = min(
      limit, each * (PairProfileRun.workersPerRound * Double(rounds) + PairProfileRun.exactWorkers))
    self.directories = directories
    self.cancellation = cancellation
  }

  /// Takes the profiles.
  ///
  /// If an instrument fails on one side, later rounds leave it out for both, and ``PairProfiles/gaps`` says why. A
  /// profile that fails does not make the comparison fail.
  ///
  /// - Parameters:
  ///   - base: The base side; its scenario has exactly one cell.
  ///   - head: The head side, likewise.
  ///   - unavailable: Instruments that do not work here, with the reason in one sentence.
  ///   - seed: Decides which side is first in the first round; after that the sides alternate.
  ///   - progress: Called with the number of the round that begins.
  /// - Returns: The same number of profiles of each side.
  /// - Throws: `CancellationError` if it was cancelled, ``OutputError`` if a sample's folder cannot be made.
  package func take(
    _ base: PairSide, _ head: PairSide, unavailable: [ProfileInstrument: String], seed: UInt64,
    progress: (Int) -> Void = { _ in }
  ) throws -> PairProfiles {
    var profiles = PairProfiles()
    guard let baseCell = base.scenario.scenario.cells.first, let headCell = head.scenario.scenario.cells.first else {
      return profiles
    }
    let start = MonotonicClock.now()
    func elapsed() -> Double { Double(MonotonicClock.now() &- start) / 1e9 }
    var instruments = PairProfileRun.instruments
    for instrument in instruments {
      if let reason = unavailable[instrument] { profiles.gaps.append(PairProfileRun.gap(instrument, on: nil, reason)) }
    }
    instruments.removeAll { unavailable[$0] != nil }
    for round in 1...rounds {
      if round > PairProfileRun.leastRounds, elapsed() > limit * Double(rounds - 1) / Double(rounds) { break }
      progress(round)
      // Exact figures do not change from round to round.
      let wanted = instruments.filter { instrument in
        switch instrument {
        case .allocations, .heap: round <= PairProfileRun.leastRounds
        case .stacks: round % 2 == 1
        case .statements, .stages: true
        case .peak: false
        }
      }
      for instrument in wanted {
        let baseFirst = (UInt64(round) &+ seed) % 2 == 0
        var taken: [Bool: PhaseMeasurement] = [:]
        for isBase in baseFirst ? [true, false] : [false, true] {
          let (side, cell) = isBase ? (base, baseCell) : (head, headCell)
          switch try PairProfileRun.take(side, cell, instrument, round: round, in: directories, cancellation) {
          case .success(let phase): taken[isBase] = phase
          case .failure(let failure):
            profiles.gaps.append(PairProfileRun.gap(instrument, on: isBase ? "base" : "head", failure.reason))
            instruments.removeAll { $0 == instrument }
          }
          if !instruments.contains(instrument) { break }
        }
        // Only profiles that both sides have can be compared.
        guard let basePhase = taken[true], let headPhase = taken[false] else { continue }
        profiles.base.append(ProfiledTrial(instrument, basePhase))
        profiles.head.append(ProfiledTrial(instrument, headPhase))
      }
    }
    profiles.seconds = elapsed()
    return profiles
  }

  /// Runs one worker of a side with an instrument.
  static func take(
    _ side: PairSide, _ cell: Cell, _ instrument: ProfileInstrument, round: Int, in directories: SampleDirectories,
    _ cancellation: Cancellation
  ) throws -> Result<PhaseMeasurement, FailedSample> {
    let directory = try directories.make(number: 1)
    defer { directories.remove(directory) }
    var job = SampleJob(
      scenarioText: side.scenario.text, scenarioFile: side.scenario.scenario.file, overrides: side.scenario.overrides,
      cell: cell, pass: instrument.pass, round: round, directory: directory, fault: side.fault)
    job.profile = instrument
    if instrument == .statements { job.countsStatementWork = true }
    let outcome = try side.launcher.take(
      job, limit: side.scenario.scenario.measure.sampleLimit, cancellation: cancellation)
    return outcome.result.flatMap { sample in
      guard let phase = sample.mainPhase, phase.profile != nil else {
        return .failure(FailedSample(job, reason: "its build takes no such profile"))
      }
      return .success(phase)
    }
  }

  private static func gap(_ instrument: ProfileInstrument, on side: String?, _ reason: String) -> String {
    let words =
      switch instrument {
      case .stages: "the times of stages"
      case .allocations: "what stages allocate"
      case .statements: "statements and their plans"
      case .stacks: "stacks"
      case .heap: "what stacks allocate"
      case .peak: "what is there at the heap's peak"
      }
    let verb = [.allocations, .heap, .peak].contains(instrument) ? "is" : "are"
    return side.map { "\($0) does not show \(words): \(reason)" } ?? "\(words) \(verb) not known: \(reason)"
  }
}

/// Profiles of both sides, taken one after the other in turns.
package struct PairProfiles: Codable, Sendable, Hashable {
  package var base: [ProfiledTrial]
  package var head: [ProfiledTrial]
  /// The instruments that failed on a side, one sentence each.
  package var gaps: [String]
  /// The time that taking the profiles took.
  package var seconds: Double

  package init(base: [ProfiledTrial] = [], head: [ProfiledTrial] = [], gaps: [String] = [], seconds: Double = 0) {
    self.base = base
    self.head = head
    self.gaps = gaps
    self.seconds = seconds
  }
}

/// What one worker's profile recorded in the operation's phase.
package struct ProfiledTrial: Codable, Sendable, Hashable {
  package var instrument: ProfileInstrument
  package var phase: PhaseMeasurement

  package init(_ instrument: ProfileInstrument, _ phase: PhaseMeasurement) {
    self.instrument = instrument
    self.phase = phase
  }
}

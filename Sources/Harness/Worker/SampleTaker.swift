// Takes one sample: loads the rows, stores some of them untimed, then runs the trial with the instruments of its pass.
package import BatchmarkEngine
internal import Foundation
internal import Instruments
internal import ObjectGraph
internal import Programs
internal import SQLiteDriver
package import Scenarios

/// Takes samples in the current process.
///
/// A worker takes one and exits.
package struct SampleTaker {
  private let engines: [any Engine]
  private let meters: MeterLibraries
  private let executable: ConcurrentExecutable

  /// - Parameters:
  ///   - engines: The engines that scenarios may name, in addition to the programs of a job.
  ///   - executable: The executable; the libraries that meter programs are next to it.
  ///   - image: The executable for concurrent readers and writers, which stays valid if the original file is replaced.
  ///   - arguments: The arguments that make it a process of the harness; the role follows them.
  package init(engines: [any Engine], executable: String = "", image: String = "", arguments: [String] = []) {
    self.executable = ConcurrentExecutable(path: image, arguments: arguments)
    self.engines = engines
    meters = MeterLibraries(besideExecutable: executable)
  }

  /// Makes an engine work on one thread.
  ///
  /// The allocations of two concurrent threads differ from sample to sample, and a profile follows only one thread. If
  /// the system does not allow this, figures are less exact.
  private func stayOnOneProcessor() {
    if let processor = Processors.quietest() { _ = Processors.stay(on: [processor]) }
  }

  /// Takes the sample.
  /// - Throws: The error that prevented the sample, with a one-sentence description: ``SampleError``, the reader's and
  ///   the source's errors, ``VerificationError``, or what the engine threw.
  package func take(_ job: SampleJob) throws -> Sample {
    let programs = try (job.programs ?? []).map { (definition) throws(ProgramError) in try ProgramEngine(definition) }
    let engines = engines + programs
    guard let engine = engines.first(where: { $0.name == job.cell.engine }) else {
      throw SampleError.unknownEngine(job.cell.engine, expected: engines.map(\.name))
    }
    guard let strategy = engine.strategy(of: job.cell) else {
      throw SampleError.unknownStrategy(
        job.cell.strategy,
        expected: engine.strategies.filter { $0.operation == job.cell.operation }.map(\.name))
    }
    let turns = try job.turns.map { try TurnTaking($0, processor: job.processor) }
    let processors = job.turns?.processorsBetween ?? job.processor.map { [$0] } ?? []
    if !processors.isEmpty, !Processors.stay(on: processors) { throw SampleError.processor(processors) }
    if processors.isEmpty, job.pass == .memory || job.profile != nil { stayOnOneProcessor() }
    let profile = try job.profile.map {
      try ProfileInstruments(
        $0, directory: job.directory, samplingRate: job.samplingRate, countsWork: job.countsStatementWork ?? false,
        heapPeakBytes: job.heapPeakBytes)
    }
    // A profile has its own instruments, which an attachment would disturb.
    let attachment = job.profile == nil ? job.cell.attachment : nil
    let isOfProgram = programs.contains { $0.name == engine.name }
    if isOfProgram, job.profile != nil || attachment != nil {
      throw SampleError.program(engine.name)
    }
    let instruments = try PassInstruments(
      job.pass, attached: attachment, probesSpeed: job.turns != nil && !isOfProgram, profile: profile,
      processMetering: isOfProgram ? try metering(job) : nil)
    defer { instruments.stop() }
    // Read the scenario only now: its model may come from a store, and SQLite accepts no allocator once it is in use.
    let whole = try ScenarioReader(schema: ScenarioSchema(engines, absences: .any))
      .read(text: job.scenarioText, file: job.scenarioFile, overrides: job.overrides)
    var scenario = whole.variant(for: job.cell)
    guard let entity = scenario.entity else { throw EngineError.unknownEntity(scenario.entityName) }
    var phases: [PhaseMeasurement] = []
    let rows = try instruments.measure(.load, into: &phases) {
      var rows = try scenario.sourceRows()
      if scenario.operation == .insert { rows.divide(by: job.cell[.saveEvery]) }
      return (rows, rows.count)
    }
    scenario = scenario.listingValues(of: rows)
    func trial(_ rows: SourceRows, at name: String) -> Trial {
      Trial(
        scenario: scenario, entity: entity, strategy: strategy, cell: job.cell, rows: rows,
        path: "\(job.directory)/\(name).sqlite")
    }
    var measured = trial(rows, at: "store")
    if scenario.beside.isThere {
      // Their work never repeats exactly, and two workers that take turns would stop and start alongside them.
      guard job.pass == .timing, turns == nil, profile == nil else { throw SampleError.concurrent(scenario.name) }
      if isOfProgram, scenario.beside.place == .threads { throw SampleError.threads(engine.name) }
      measured.concurrentExecutable = executable
    }
    let changed = scenario.operation == .insert ? nil : measured.expectedContents()
    if let changed, changed.changedRows == 0 { throw SampleError.nothingToChange(scenario.name) }
    if let row = changed?.rowBelowKept { throw SampleError.deletesBelowKept(scenario.name, row: row + 1) }
    if let sum = changed?.overflow { throw SampleError.sumTooLarge(scenario.name, sum) }
    if scenario.measure.warmUpRows > 0 {
      try warmUp(trial(rows.copy(ofFirst: scenario.measure.warmUpRows), at: "warm-up"), of: rows.count)
    }

    measured.fault = try job.fault.map { try FaultInjection($0, rows: rows.count, at: "\(job.directory)/fault.sqlite") }
    var outcome = try measured.run(instruments, changed: changed, turn: turns.map { ($0, 0) }, into: &phases)
    var handovers = [outcome.handovers]
    if let turns {
      var all = [phases]
      for number in 1..<max(turns.trials, 1) {
        measured.removeStore()
        var again: [PhaseMeasurement] = []
        outcome = try measured.run(
          instruments, changed: changed, known: outcome.right, turn: (turns, number), into: &again)
        handovers.append(outcome.handovers)
        // The rows are loaded only once.
        all.append(phases.filter { $0.phase == .load } + again)
      }
      phases = PhaseMeasurement.middle(of: all)
    }
    let (absences, remarks) = instruments.detach()
    var sample = Sample(
      cell: job.cell.id, pass: job.pass, round: job.round, phases: phases, growth: outcome.growth,
      heap: outcome.heap, contents: outcome.contents, pragmas: outcome.pragmas, notes: remarks + outcome.notes,
      // Two builds may be linked with different SQLite libraries, and may interpret one file differently.
      sqlite: SQLiteLibrary.identity, fingerprint: whole.fingerprint)
    sample.programSQLite = engine.sqliteOfProcess
    sample.programVersion = (engine as? ProgramEngine)?.definition.hello.identity
    for absence in absences { sample.leaveOut(absence) }
    if measured.cell.role != .harnessCost,
      let fault = sample.contradiction(scenario.operation.kind, rows: changed?.changedRows ?? rows.count)
    {
      throw VerificationError.untrue(fault)
    }
    sample.notes += sample.meteredRemarks(scenario.operation.kind, hasReader: job.cell[.reader] == .pinned)
    sample.leaveOutMissingWAL()
    if turns != nil { sample.handovers = handovers }
    sample.concurrent = outcome.concurrent
    sample.requests = outcome.requests
    if outcome.concurrent != nil, scenario.beside.place == .threads {
      sample.notes.append(
        "its CPU time has that of the readers and writers beside it, which are threads of its process")
    }
    if !outcome.engineNotes.isEmpty { sample.engineNotes = outcome.engineNotes }
    return sample
  }

  /// How to start a program in the job's pass.
  private func metering(_ job: SampleJob) throws -> ProcessMetering? {
    let folder = "\(job.directory)/meter"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try meters.metering(in: job.pass, folder: folder)
  }

  /// Runs a trial without measuring it, and removes its store.
  ///
  /// It does the work that a process does only once: types made at run time, the first use of a library, memory kept
  /// for reuse. So this work is part of no figure.
  ///
  /// - Throws: The trial's error. If there are fewer rows than in the measurement, it says how many, because its counts
  ///   refer to them.
  private func warmUp(_ trial: Trial, of rows: Int) throws {
    let changed = trial.scenario.operation == .insert ? nil : trial.expectedContents()
    var phases: [PhaseMeasurement] = []
    do {
      _ = try trial.run(PassInstruments(.timing), changed: changed, into: &phases)
    } catch let error as VerificationError where trial.rows.count < rows {
      throw SampleError.warmUp(rows: trial.rows.count, "\(error)")
    }
    trial.removeStore()
  }
}

extension Sample {
  /// Removes the WAL's figures if there is no WAL: they are absent, not zero.
  fileprivate mutating func leaveOutMissingWAL() {
    guard pass == .counters, let journal = pragmas.first(where: { $0.name == "journal_mode" })?.value, journal != "wal"
    else { return }
    growth = []
    leaveOut(MetricAbsence(MetricID.allCases.filter(\.isOfWAL), because: "there is no WAL: journal_mode is \(journal)"))
  }

  /// Removes invalid figures and says why; figures with the same reason are grouped.
  fileprivate mutating func leaveOut(_ absence: MetricAbsence) {
    if absence.isOfEveryPhase {
      for index in phases.indices {
        for metric in absence.metrics { phases[index].metrics[metric] = nil }
      }
    }
    var known = absences ?? []
    if let index = known.firstIndex(where: {
      $0.reason == absence.reason && $0.isOfEveryPhase == absence.isOfEveryPhase
    }) {
      known[index].metrics += absence.metrics.filter { !known[index].metrics.contains($0) }
    } else {
      known.append(absence)
    }
    absences = known
  }
}

/// What prevents a sample before any engine runs.
package enum SampleError: Error, Sendable, CustomStringConvertible {
  case unknownEngine(String, expected: [String])
  case unknownStrategy(String, expected: [String])
  /// The scenario's source has no row that it would update or delete.
  case nothingToChange(String)
  /// A row of trees, counted from 1, would be deleted while its parent stays.
  case deletesBelowKept(String, row: Int)
  /// A group's sum does not fit into SQLite's integers.
  case sumTooLarge(String, Aggregate)
  /// A connection kept the checkpoint before the measurement from completing.
  case checkpointIncomplete
  /// An instrument of the pass does not work here.
  case instrument(String)
  /// The system does not allow binding the worker to these processors.
  case processor([Int])
  /// A program cannot be measured this way.
  case program(String)
  /// A scenario with concurrent readers or writers cannot be measured this way, which needs the operation alone.
  case concurrent(String)
  /// Readers or writers cannot be threads if the engine runs in another process.
  case threads(String)
  /// The rows of the warm-up were stored wrongly; the text has the details.
  case warmUp(rows: Int, String)

  package var description: String {
    switch self {
    case .unknownEngine(let found, let expected):
      "found the engine '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .unknownStrategy(let found, let expected):
      "found the strategy '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .nothingToChange(let scenario):
      "found no row of the source of \(scenario) that its 'where' matches; expected at least one"
    case .deletesBelowKept(let scenario, let row):
      "the 'where' of \(scenario) is true of row \(row) of its trees, and not of the row above it; expected roots, with or "
        + "without rows below them: a save writes a row that loses one below it, a batch delete does not, so their work "
        + "would differ"
    case .sumTooLarge(let scenario, let sum):
      "the \(sum) of a group of \(scenario) has more than 64 bits, which SQLite refuses; expected smaller numbers, or min "
        + "and max"
    case .checkpointIncomplete:
      "found frames in the WAL before the measurement; expected none: close the other connection that reads the store"
    case .instrument(let reason): reason
    case .processor(let numbers):
      "the worker cannot be kept on processor \(numbers.map { "\($0)" }.joined(separator: " or ")); the system does not "
        + "allow it"
    case .program(let engine):
      "the engine \(engine) is a program; expected an engine of this executable for profiles and attached instruments"
    case .concurrent(let scenario):
      "\(scenario) has readers or writers beside its operation; expected none in exact passes, pairs and profiles"
    case .threads(let engine):
      "the engine \(engine) is a program, in which readers and writers beside it cannot be threads; expected "
        + "beside: {in: processes}"
    case .warmUp(let rows, let reason): "in the warm-up, of \(rows) rows: \(reason)"
    }
  }
}

extension ScenarioSchema {
  /// The schema for scenarios with these engines.
  package init(_ engines: [any Engine], absences: EngineAbsences = .none) {
    self.init(engines: engines, metrics: MetricDeclaration.budgeted, absences: absences)
  }
}

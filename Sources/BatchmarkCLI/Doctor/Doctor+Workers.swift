// The doctor's practical test: one tiny sample in each pass, taken as in a run.
internal import BatchmarkEngine
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Support

extension Doctor {
  /// Takes a sample of a hundred rows in each pass, with the first strategy of the first engine.
  ///
  /// - Parameter executable: The executable, which must have the meter next to it.
  /// - Returns: The checks.
  static func workerChecks(meterBeside executable: String = Executable.path) -> [DoctorCheck] {
    guard let engine = Batchmark.engines.first,
      let strategy = engine.strategies.first(where: { $0.operation == .insert })
    else {
      return [.fail("engines", "this executable has none", "give Batchmark.main at least one engine")]
    }
    do {
      let meter = try MeterLibrary.locate(beside: executable)
      let folder = try PrivateFolder()
      defer { withExtendedLifetime(folder) {} }
      let directories = try SampleDirectories(output: folder.path)
      let launcher = try ProcessLauncher(meter: meter)
      var checks = meter.map { [DoctorCheck.ok("meter", $0)] } ?? []
      var samples: [Sample] = []
      for (index, pass) in Pass.allCases.enumerated() where meter != nil || pass != .memory {
        let job = SampleJob(
          scenarioText: scenario(engine: engine.name, strategy: strategy.name), scenarioFile: "doctor.yml",
          overrides: [], cell: Cell(scenario: "doctor", engine: engine.name, strategy: strategy.name), pass: pass,
          round: 1, directory: try directories.make(number: index))
        let outcome = try launcher.take(job, limit: 60, cancellation: Cancellation())
        checks.append(judge(outcome, pass))
        if case .success(let sample) = outcome.result { samples.append(sample) }
      }
      return checks + conditions(of: samples)
    } catch let problem as MeterLibrary.Problem {
      return [.fail("meter", problem.finding, problem.advice)]
    } catch {
      return [.fail("workers", CommandError(error).message, "name a folder that can be written with TMPDIR")]
    }
  }

  private static func judge(_ outcome: SampleOutcome, _ pass: Pass) -> DoctorCheck {
    let name = "\(pass.rawValue) pass"
    switch outcome.result {
    case .failure(let failure):
      let words = failure.standardError.split(separator: "\n").last.map { "; its last words: \($0)" } ?? ""
      return .fail(name, failure.reason + words, "correct this first: every sample of this pass would fail")
    case .success(let sample):
      return .ok(name, "a sample of \(sample.contents.rows) rows, stored and read back")
    }
  }

  /// The conditions of the workers: a worker checks that it hashes with a fixed seed, and notes the conditions it
  /// lacked.
  private static func conditions(of samples: [Sample]) -> [DoctorCheck] {
    guard !samples.isEmpty else { return [] }
    let notes = Set(samples.flatMap(\.allNotes)).sorted()
    let hashing = DoctorCheck.ok("hashing", "workers hash with a fixed seed")
    if notes.isEmpty {
      return [hashing, .ok("addresses", "address randomization is off in the exact passes")]
    }
    return [hashing]
      + notes.map { .warn("workers", $0, "exact figures may differ in their last digits from run to run") }
  }

  private static func scenario(engine: String, strategy: String) -> String {
    """
    scenario: doctor
    model: {Quake: {attributes: {code: {type: string}, time: {type: date}}}}
    entity: Quake
    source: {generate: {rows: 100}}
    cells: [{engine: \(engine), strategy: \(strategy)}]
    """
  }
}

// Checks every rule of the protocol for an engine that is a program, and describes each violation in a sentence.
internal import BatchmarkEngine
internal import Foundation
internal import Instruments
package import Programs
internal import Scenarios

/// A rule, and whether the program follows it.
package struct ConformanceOutcome: Sendable, Hashable {
  /// `nil` for rules about the whole program.
  package var strategy: String?
  package var rule: String
  /// What is wrong, as a sentence; `nil` if the program follows the rule.
  package var problem: String?
}

/// Checks a program against all rules.
package struct ConformanceCheck {
  private let engine: ProgramEngine
  private let taker: SampleTaker
  /// The folder for stores; it exists.
  private let directory: String

  /// The time limit for one answer of a program, in seconds.
  package static let limit = 60.0

  /// - Parameters:
  ///   - definition: The program.
  ///   - executable: The executable; the libraries that meter programs are next to it.
  ///   - directory: The folder for stores.
  /// - Throws: ``ProgramError`` for strategies that are not supported.
  package init(_ definition: ProgramDefinition, executable: String, directory: String) throws(ProgramError) {
    engine = try ProgramEngine(definition, limits: ProgramLimits(work: ConformanceCheck.limit))
    taker = SampleTaker(engines: [engine], executable: executable)
    self.directory = directory
  }

  /// Checks every rule, one after another.
  package func run(_ report: (ConformanceOutcome) -> Void) {
    for conduct in ProgramConduct.allCases {
      let limits = ProgramLimits(work: ConformanceCheck.limit)
      report(
        ConformanceOutcome(rule: conduct.rawValue, problem: conduct.problem(of: engine.definition, limits: limits)))
    }
    for strategy in engine.strategies {
      for rule in ConformanceCase.all(of: strategy.operation) {
        let offer = engine.definition.hello.offer(of: strategy)
        guard let text = rule.scenario(engine: engine.name, strategy: strategy, offer) else { continue }
        if let outcome = outcome(of: rule, text, strategy) { report(outcome) }
      }
    }
  }

  /// Whether a strategy follows a rule; `nil` if it cannot be metered, for example because SQLite is linked into the
  /// program.
  private func outcome(of rule: ConformanceCase, _ text: String, _ strategy: Strategy) -> ConformanceOutcome? {
    var outcome = ConformanceOutcome(strategy: strategy.name, rule: rule.rule)
    let folder = "\(directory)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if !rule.feed.isEmpty {
        try Data(rule.feed.joined(separator: "\n").utf8)
          .write(to: URL(fileURLWithPath: "\(folder)/\(ConformanceCase.feedName)"))
      }
      let file = "\(folder)/conformance.yml"
      let scenario = try ScenarioReader(schema: ScenarioSchema([engine])).read(text: text, file: file)
      guard let cell = scenario.cells.first else { return nil }
      var job = SampleJob(
        scenarioText: text, scenarioFile: file, overrides: [], cell: cell,
        pass: rule.transaction == nil ? .timing : .counters, round: 1, directory: folder)
      // Otherwise the counters would be those of this process.
      job.programs = [engine.definition]
      let sample = try taker.take(job)
      outcome.problem = StorePragma.differences(set: scenario.pragmas, answered: sample.pragmas).first
      if let expected = rule.transactions {
        guard let found = sample.mainPhase?.metrics[.walCommits] else {
          return outcome.problem == nil ? nil : outcome
        }
        if found != expected {
          let asked = rule.transactionKey(of: strategy).flatMap { key in rule.transaction.map { "with \(key): \($0), " }
          }
          outcome.problem =
            "\(asked ?? "")found \(found) \(found == 1 ? "transaction" : "transactions"); expected \(expected)"
        }
      }
    } catch let error as ProgramError {
      outcome.problem = error.reason
    } catch {
      outcome.problem = "\(error)"
    }
    return outcome
  }
}

// The first line of a journal: all that decides what the run measures, so that `--resume` continues the same run
// or refuses.
internal import BatchmarkEngine
package import Programs
package import Scenarios

/// What the user asked a run for, as far as it decides what is measured.
package struct RunRequest: Codable, Sendable, Hashable {
  /// Scenario files and folders, as typed; empty for the default suite.
  package var paths: [String]
  /// The values of `--only`.
  package var selection: [String]
  /// The values of `--skip`.
  package var skipped: [String]
  package var overrides: [ScenarioOverride]
  package var isQuick: Bool
  package var keepsStores: Bool
  /// The seed, when the user gave one.
  package var seed: UInt64?
  /// The shell command to run before each sample; `nil` for none.
  package var prepare: String?
  /// The shell command to run after each sample; `nil` for none.
  package var cleanup: String?
  /// How many rounds the cells have, beside what their scenarios say.
  package var rounds: RoundRules
  /// Which part of the run is taken; nil for all of it.
  package var shard: Shard?
  /// Whether the part is a share of every scenario's rounds; nil as false.
  package var sharesRounds: Bool?
  /// Whether a part without a scenario is as good as any other; nil as false.
  package var allowsEmptyShard: Bool?
  /// The earlier results by whose times a run is divided; nil to divide it by rows.
  package var durations: String?

  package init(
    paths: [String] = [], selection: [String] = [], skipped: [String] = [], overrides: [ScenarioOverride] = [],
    isQuick: Bool = false, keepsStores: Bool = false, seed: UInt64? = nil, hooks: SampleHooks = SampleHooks(),
    rounds: RoundRules = RoundRules()
  ) {
    self.paths = paths
    self.selection = selection
    self.skipped = skipped
    self.overrides = overrides
    self.isQuick = isQuick
    self.keepsStores = keepsStores
    self.seed = seed
    prepare = hooks.prepare
    cleanup = hooks.cleanup
    self.rounds = rounds
  }

  /// The commands around each sample.
  package var hooks: SampleHooks { SampleHooks(prepare: prepare, cleanup: cleanup) }
}

/// A scenario as a journal remembers it.
package struct JournalScenario: Codable, Sendable, Hashable {
  package var name: String
  package var file: String
  package var fingerprint: String
  package var text: String
  /// The fingerprint of the source's file; nil for the generator.
  package var sourceFingerprint: String?

  package init(_ planned: PlannedScenario) {
    name = planned.scenario.name
    file = planned.scenario.file
    fingerprint = planned.scenario.fingerprint
    text = planned.text
    sourceFingerprint = planned.sourceFingerprint
  }
}

/// The executable that measures: figures of two builds must not end up in one run.
package struct BuildIdentity: Codable, Sendable, Hashable {
  package var version: String
  /// `release` or `debug`.
  package var configuration: String
  /// The fingerprint of the executable file.
  package var executable: String
  /// Version and source id of its SQLite, which may be a library of the system's; nil where it is not known.
  package var sqlite: String?

  package init(version: String, configuration: String, executable: String, sqlite: String? = nil) {
    self.version = version
    self.configuration = configuration
    self.executable = executable
    self.sqlite = sqlite
  }
}

/// The identity of a run.
package struct JournalHeader: Codable, Sendable, Hashable {
  /// Incremented when an older reader would misread a newer journal.
  package static let currentFormat = 2

  package var format: Int
  /// Unique to the run; a resumed one keeps it.
  package var runID: String
  package var build: BuildIdentity
  package var request: RunRequest
  /// The command line, as typed.
  package var command: String
  /// Where the command was given: paths in the request are relative to it.
  package var workingDirectory: String
  /// UTC, ISO 8601.
  package var started: String
  /// What the scenario's repository stood at; nil outside a repository.
  package var commit: RepositoryCommit?
  /// Orders the rounds.
  package var seed: UInt64
  /// False for a debug build.
  package var isComparable: Bool
  package var scenarios: [JournalScenario]
  /// The plan's fingerprint: the samples and their order.
  package var plan: String
  /// What is known about the whole run, if this is a part of one.
  package var shard: ShardRecord?
  /// The engines that are programs, with their own descriptions; nil for none.
  package var programs: [ProgramDefinition]?

  package init(
    runID: String, build: BuildIdentity, request: RunRequest, command: String, workingDirectory: String,
    started: String, commit: RepositoryCommit? = nil, isComparable: Bool, plan: RunPlan
  ) {
    format = JournalHeader.currentFormat
    self.runID = runID
    self.build = build
    self.request = request
    self.command = command
    self.workingDirectory = workingDirectory
    self.started = started
    self.commit = commit
    seed = plan.seed
    self.isComparable = isComparable
    scenarios = plan.scenarios.map(JournalScenario.init)
    self.plan = plan.fingerprint
  }

  /// Why a run with this header cannot be resumed with the plan and build at hand, in one sentence; nil when it can.
  ///
  /// - Parameters:
  ///   - plan: What would be measured.
  ///   - build: The executable.
  ///   - programs: The engines that are programs, as they are now.
  /// - Returns: The sentence.
  package func obstacle(
    toResuming plan: RunPlan, build: BuildIdentity, programs: [ProgramDefinition] = []
  ) -> String? {
    for before in self.programs ?? [] where !programs.contains(where: { $0.name == before.name }) {
      return "the engine \(before.name) is not here; give the file of engines with --engines"
    }
    return change(to: plan, build, programs).map { "\($0); start a new run in another folder, named by --out" }
  }

  /// What has changed since the start of the run, in one sentence; `nil` if nothing has.
  private func change(to plan: RunPlan, _ build: BuildIdentity, _ programs: [ProgramDefinition]) -> String? {
    if self.build.version != build.version {
      return "it was started by version \(self.build.version), and this is \(build.version)"
    }
    if self.build.configuration != build.configuration {
      return "it was started by a \(self.build.configuration) build, and this is a \(build.configuration) build"
    }
    if self.build.executable != build.executable { return "the executable was rebuilt since it was started" }
    if let before = self.build.sqlite, let now = build.sqlite, before != now {
      return "it was started with SQLite \(before), and this is SQLite \(now)"
    }
    for before in self.programs ?? [] {
      guard let now = programs.first(where: { $0.name == before.name }) else { continue }
      if now.hello != before.hello {
        return "the engine \(before.name) describes itself otherwise than when it was started"
      }
      if !now.startsAlike(before) {
        return "the engine \(before.name) has another command or other variables than when it was started"
      }
      if let file = now.changedFile(since: before) {
        return "the program of the engine \(before.name) was changed since it was started, in \(file)"
      }
    }
    let found = plan.scenarios.map(JournalScenario.init)
    guard scenarios.map(\.name) == found.map(\.name) else {
      return "its scenarios were \(list(scenarios.map(\.name))), and now they are \(list(found.map(\.name)))"
    }
    for (before, now) in zip(scenarios, found) {
      if before.fingerprint != now.fingerprint {
        return "scenario \(before.name) (\(before.file)) was changed since it was started"
      }
      if before.sourceFingerprint != now.sourceFingerprint {
        return "the source of scenario \(before.name) was changed since it was started"
      }
    }
    return self.plan == plan.fingerprint ? nil : "the selected cells or rounds are not those it was started with"
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

// The first line of a journal: everything that determines what the run measures, so that `--resume` continues the same
// run or refuses.
internal import BatchmarkEngine
package import Programs
package import Scenarios

/// The part of the user's request that determines what a run measures.
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
  /// The seed, if the user gave one.
  package var seed: UInt64?
  /// The shell command to run before each sample; `nil` for none.
  package var prepare: String?
  /// The shell command to run after each sample; `nil` for none.
  package var cleanup: String?
  /// How many rounds cells get, in addition to what their scenarios say.
  package var rounds: RoundRules
  /// The shard to run; `nil` for the whole run.
  package var shard: Shard?
  /// Whether the shard is a share of every scenario's rounds; `nil` means false.
  package var sharesRounds: Bool?
  /// Whether a shard may have no scenario; `nil` means false.
  package var allowsEmptyShard: Bool?
  /// Earlier results, to divide the run by their times; `nil` to divide it by rows.
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

/// A scenario as stored in a journal.
package struct JournalScenario: Codable, Sendable, Hashable {
  package var name: String
  package var file: String
  package var fingerprint: String
  package var text: String
  /// The fingerprint of the source file; `nil` for generated rows.
  package var sourceFingerprint: String?

  package init(_ planned: PlannedScenario) {
    name = planned.scenario.name
    file = planned.scenario.file
    fingerprint = planned.scenario.fingerprint
    text = planned.text
    sourceFingerprint = planned.sourceFingerprint
  }
}

/// Identifies the executable that measures: a run must not mix figures of two builds.
package struct BuildIdentity: Codable, Sendable, Hashable {
  package var version: String
  /// `release` or `debug`.
  package var configuration: String
  /// The fingerprint of the executable file.
  package var executable: String
  /// The version and source id of its SQLite, which may be a system library; `nil` if unknown.
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
  /// Increment this when an older reader would misread a newer journal.
  package static let currentFormat = 2

  package var format: Int
  /// Unique to the run; a resumed run keeps it.
  package var runID: String
  package var build: BuildIdentity
  package var request: RunRequest
  /// The command line, as typed.
  package var command: String
  /// The directory the command was run in: paths in the request are relative to it.
  package var workingDirectory: String
  /// UTC, ISO 8601.
  package var started: String
  /// The commit of the scenario's repository; `nil` outside a repository.
  package var commit: RepositoryCommit?
  /// The seed for the order of the rounds.
  package var seed: UInt64
  /// False for a debug build.
  package var isComparable: Bool
  package var scenarios: [JournalScenario]
  /// The plan's fingerprint, which covers the samples and their order.
  package var plan: String
  /// The whole run that this shard is a part of; `nil` if the run is not sharded.
  package var shard: ShardRecord?
  /// The engines that are programs, with their own descriptions; `nil` for none.
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

  /// Why a run with this header cannot be resumed with this plan and build, in one sentence; `nil` if it can.
  ///
  /// - Parameters:
  ///   - plan: The plan of the resumed run.
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

// When, how and on what machine a run was made. Every stored result has this record.

/// When and how a run was made.
package struct RunRecord: Codable, Sendable {
  /// Unique to the run; a resumed run keeps it.
  package var runID: String
  /// The commit of the scenario's repository when the run began; `nil` outside a repository.
  package var commit: RepositoryCommit?
  /// The machine, in a few words.
  package var machine: String
  /// The toolchain that built the executable.
  package var toolchain: String
  package var batchmarkVersion: String
  /// The command line, as typed.
  package var command: String
  /// UTC, ISO 8601.
  package var started: String
  package var finished: String
  /// The seed for the order of the rounds; the same seed gives the same order.
  package var seed: UInt64
  package var isQuick: Bool
  /// False for a debug build: its figures must not be compared with any others.
  package var isComparable: Bool
  /// Whether the run was interrupted before every sample was taken.
  package var isInterrupted: Bool
  /// The median time of a 4 KiB sync on the stores' file system, in seconds; `nil` if it was not measured.
  package var syncSeconds: Double?
  /// The rounds that the command line asked for, in addition to what the scenarios say; `nil` if not recorded.
  package var rounds: RoundRules?
  /// The shard that the run is; `nil` for a whole run.
  package var shard: ShardRecord?
  /// The file of engines that are programs, as typed; `nil` if none was given, and in results of earlier versions.
  package var enginesFile: String?

  package init(
    batchmarkVersion: String, command: String, started: String, finished: String, seed: UInt64, isQuick: Bool,
    isComparable: Bool, isInterrupted: Bool, runID: String = "", commit: RepositoryCommit? = nil,
    machine: String = "", toolchain: String = ""
  ) {
    self.runID = runID
    self.commit = commit
    self.machine = machine
    self.toolchain = toolchain
    self.batchmarkVersion = batchmarkVersion
    self.command = command
    self.started = started
    self.finished = finished
    self.seed = seed
    self.isQuick = isQuick
    self.isComparable = isComparable
    self.isInterrupted = isInterrupted
  }
}

/// A commit of a git repository, and whether tracked files have changed since.
package struct RepositoryCommit: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The commit's full hash.
  package var id: String
  package var isDirty: Bool

  package init(id: String, isDirty: Bool) {
    self.id = id
    self.isDirty = isDirty
  }

  /// The hash, followed by `-dirty` if files were changed, as `git describe --dirty` writes it.
  package var description: String { isDirty ? id + "-dirty" : id }
}

/// A fact about the machine or the build.
package struct EnvironmentFact: Codable, Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

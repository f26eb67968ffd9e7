// When, how and on what a run was made: what every stored result carries.

/// When and how a run was made.
public struct RunRecord: Codable, Sendable {
  /// Unique to the run; made once, and kept by a run that is resumed.
  public var runID: String
  /// What the scenario's repository stood at when the run began; nil outside a repository.
  public var commit: RepositoryCommit?
  /// What the run was measured on, in a few words.
  public var machine: String
  /// What the executable was built with.
  public var toolchain: String
  public var batchmarkVersion: String
  /// The command line, as typed.
  public var command: String
  /// UTC, ISO 8601.
  public var started: String
  public var finished: String
  /// Orders the rounds; the same seed gives the same order.
  public var seed: UInt64
  public var isQuick: Bool
  /// False for a debug build: such figures must not be compared with any.
  public var isComparable: Bool
  /// Whether the run was interrupted before every sample was taken.
  public var isInterrupted: Bool
  /// The median of syncs of 4 KiB where the stores were, in seconds; nil where it was not measured.
  public var syncSeconds: Double?
  /// How many rounds the command line asked for, beside what the scenarios say; nil where nobody looked.
  public var rounds: RoundRules?
  /// Which part of a run it is; nil for a whole one.
  public var shard: ShardRecord?

  public init(
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

/// A commit of a git repository, and whether files that it tracks were changed since.
public struct RepositoryCommit: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The commit's full hash.
  public var id: String
  public var isDirty: Bool

  public init(id: String, isDirty: Bool) {
    self.id = id
    self.isDirty = isDirty
  }

  /// The hash, with `-dirty` behind it where files were changed, as `git describe --dirty` has it.
  public var description: String { isDirty ? id + "-dirty" : id }
}

/// One thing worth knowing about the machine or the build.
public struct EnvironmentFact: Codable, Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

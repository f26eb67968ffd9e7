// When, how and on what a run was made: what every stored result carries.

/// When and how a run was made.
public struct RunRecord: Codable, Sendable {
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
  /// The median of syncs of 4 KiB where the stores were, in seconds; nil where it was not measured, and in older results.
  public var syncSeconds: Double?

  public init(
    batchmarkVersion: String, command: String, started: String, finished: String, seed: UInt64, isQuick: Bool,
    isComparable: Bool, isInterrupted: Bool
  ) {
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

/// One thing worth knowing about the machine or the build.
public struct EnvironmentFact: Codable, Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

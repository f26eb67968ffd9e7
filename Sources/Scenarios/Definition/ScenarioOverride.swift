// A setting from the command line that takes the place of one in the file.

/// One `--set key=value` (or `--feed`, `--rounds`), applied to a source, cell, store or measure parameter by name.
public struct ScenarioOverride: Codable, Sendable, Hashable {
  public var key: String
  public var value: String
  /// How the user wrote it, for messages: `--set rows=10`.
  public var origin: String

  public init(key: String, value: String, origin: String) {
    self.key = key
    self.value = value
    self.origin = origin
  }
}

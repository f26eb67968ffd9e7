// A setting from the command line that takes the place of one in the file.

/// One `--set key=value` (or `--feed`, `--rounds`), applied to a source, cell, store or measure parameter by name.
package struct ScenarioOverride: Codable, Sendable, Hashable {
  package var key: String
  package var value: String
  /// How the user wrote it, for messages: `--set rows=10`.
  package var origin: String

  package init(key: String, value: String, origin: String) {
    self.key = key
    self.value = value
    self.origin = origin
  }

  /// What the key of a field begins with that fills the attribute named after it: `map.title`.
  package static let mapped = "map."
}

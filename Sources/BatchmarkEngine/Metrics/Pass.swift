// The passes that a cell is measured in, each with its own instruments.

/// The instruments of a sample.
///
/// Only the timing pass measures times.
package enum Pass: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
  /// Wall and CPU time; nothing attached or loaded.
  case timing
  /// The metering VFS and SQLite's own counters.
  case counters
  /// The allocation meter and jemalloc's statistics.
  case memory
}

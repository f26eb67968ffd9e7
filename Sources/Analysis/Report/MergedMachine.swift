// The machines of a merged run, and the shards that are missing.
package import Harness

/// One machine of a merged run.
package struct MergedMachine: Codable, Sendable, Hashable {
  package var shard: Shard
  /// The ID of the shard's run.
  package var runID: String
  package var machine: String
  /// UTC, ISO 8601.
  package var started: String
  /// The scenarios that were measured on it.
  package var scenarios: [String]
  /// The facts that differ between machines, in the order to show.
  package var environment: [EnvironmentFact]
}

/// The shards that a partial merge lacks.
package struct AbsentShards: Codable, Sendable, Hashable {
  package var shards: [Int]
  /// How many shards there are in all.
  package var count: Int
  /// The scenarios that they would have measured.
  package var scenarios: [String]
}

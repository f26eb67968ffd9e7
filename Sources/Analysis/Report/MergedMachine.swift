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
  /// The scenarios measured on it.
  package var scenarios: [String]
  /// The facts that differ between machines, in display order.
  package var environment: [EnvironmentFact]
}

/// The shards missing from a partial merge.
package struct AbsentShards: Codable, Sendable, Hashable {
  package var shards: [Int]
  /// The total number of shards.
  package var count: Int
  /// Their scenarios.
  package var scenarios: [String]
}

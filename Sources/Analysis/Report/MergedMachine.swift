// What a merged run knows of its machines, and of those that are missing.
package import Harness

/// One machine of a merged run.
package struct MergedMachine: Codable, Sendable, Hashable {
  package var shard: Shard
  /// That of the shard's run.
  package var runID: String
  package var machine: String
  /// UTC, ISO 8601.
  package var started: String
  /// What was measured on it.
  package var scenarios: [String]
  /// What is not the same on all machines, in the order to show.
  package var environment: [EnvironmentFact]
}

/// What a partial merge lacks.
package struct AbsentShards: Codable, Sendable, Hashable {
  package var shards: [Int]
  /// How many shards there are in all.
  package var count: Int
  /// What they would have measured.
  package var scenarios: [String]
}

// How the blocks of a run, or their rounds, are divided among machines.
internal import Scenarios
internal import Instruments
internal import BatchmarkEngine
internal import Support

/// What a shard knows of the whole run, so that a merge can check whether its parts belong together.
package struct ShardRecord: Codable, Sendable, Hashable {
  package var shard: Shard
  /// Every block of the whole run, in the order of its scenarios.
  package var blocks: [Block]
  package var build: BuildIdentity
  /// Whether every machine takes all blocks and a share of the rounds of each; `nil` means false.
  package var sharesRounds: Bool?

  /// One scenario.
  package struct Block: Codable, Sendable, Hashable {
    package var scenario: String
    /// Equal for the same cells, rounds, settings and source.
    package var fingerprint: String
    /// The shard that takes it, from 1; `nil` if each shard takes a share of its rounds.
    package var shard: Int?
  }

  /// Divides a whole run.
  ///
  /// - Parameters:
  ///   - shard: The part that this machine takes.
  ///   - plan: The whole run.
  ///   - weights: The time of each scenario, in any unit; `nil` to divide the rounds instead of the scenarios.
  ///   - build: The build that measures.
  package init(_ shard: Shard, of plan: RunPlan, weights: [Double]?, build: BuildIdentity) {
    self.shard = shard
    self.build = build
    sharesRounds = weights == nil ? true : nil
    let shards: [Int?] =
      weights.map { ShardRecord.shards(weights: $0, count: shard.count) } ?? plan.scenarios.map { _ in nil }
    blocks = zip(plan.scenarios, shards).map { planned, shard in
      var fingerprint = Fingerprint()
      fingerprint.add(planned.scenario.fingerprint)
      fingerprint.add(planned.sourceFingerprint ?? "")
      for override in planned.overrides { fingerprint.add("\(override.key)=\(override.value)") }
      for cell in planned.scenario.cells { fingerprint.add(cell.id) }
      fingerprint.add("\(plan.isQuick) \(plan.rounds(of: .timing, in: planned)) \(plan.rules)")
      return Block(scenario: planned.scenario.name, fingerprint: fingerprint.text, shard: shard)
    }
  }

  /// Divides blocks among shards; the same weights give the same division everywhere.
  ///
  /// A block is a whole scenario, because findings compare the times of its cells. The longest blocks are assigned
  /// first, each to the shard with the least so far. See R. L. Graham, "Bounds on multiprocessing timing anomalies",
  /// SIAM Journal on Applied Mathematics 17 (1969): the longest shard takes at most 4/3 of what the best division
  /// would. O(blocks · (log blocks + count)).
  ///
  /// - Parameters:
  ///   - weights: The time of each block, in any unit; one that is negative or not finite counts as 0.
  ///   - count: How many shards there are.
  /// - Returns: The shard of each block, from 1, in the blocks' order.
  package static func shards(weights: [Double], count: Int) -> [Int] {
    let known = weights.map { $0.isFinite ? max($0, 0) : 0 }
    var shards = [Int](repeating: 1, count: weights.count)
    var loads = [Double](repeating: 0, count: max(count, 1))
    // Spread blocks without weight too.
    var counts = [Int](repeating: 0, count: max(count, 1))
    for block in known.indices.sorted(by: { (known[$1], $0) < (known[$0], $1) }) {
      let shard = loads.indices.min { (loads[$0], counts[$0], $0) < (loads[$1], counts[$1], $1) } ?? 0
      loads[shard] += known[block]
      counts[shard] += 1
      shards[block] = shard + 1
    }
    return shards
  }

  /// The scenarios that this machine takes.
  package var ownScenarios: Set<String> {
    Set(blocks.filter { $0.shard ?? shard.index == shard.index }.map(\.scenario))
  }

  /// The part of a whole run's scenarios that this machine measures.
  ///
  /// If rounds are shared, each machine takes the same number, rounded up, so that they take at least the requested
  /// rounds together.
  package func part(of scenarios: [PlannedScenario]) -> [PlannedScenario] {
    let own = ownScenarios
    return scenarios.filter { own.contains($0.scenario.name) }.map { planned in
      guard sharesRounds == true else { return planned }
      var planned = planned
      planned.scenario.measure.rounds = (planned.scenario.measure.rounds + shard.count - 1) / shard.count
      return planned
    }
  }

  /// A seed that all shards derive from what the run measures, so that they share it without communication.
  package var sharedSeed: UInt64 {
    var fingerprint = Fingerprint()
    for block in blocks { fingerprint.add(block.fingerprint) }
    // Keep it short enough to type, like a random seed.
    return UInt64(fingerprint.text.prefix(8), radix: 16) ?? 0
  }
}

// A12: which machine takes which part of a run.
import Harness
import HarnessFixtures
import MissionTags
import BatchmarkEngine
import Support
import Testing

@Suite("A12 · shards", .tags(.a12))
struct ShardTests {
  @Test("A shard is numbered from 1, and other numbers are invalid", arguments: ["1/1", "2/6", "6/6", "10000/10000"])
  func shards(_ text: String) throws {
    #expect(Shard(text)?.description == text)
  }

  @Test(
    "Text that names no shard is refused",
    arguments: [
      "0/3", "4/3", "-1/3", "1/0", "1", "1/", "/3", "", "1/3/4", "+1/3", " 1/3", "1/3 ", "a/b", "1/10001", "１/3",
    ])
  func noShards(_ text: String) { #expect(Shard(text) == nil) }

  /// The variables of an array's job, from the array's ends, its number of jobs and the job's own number.
  private static func slurm(_ ends: String, of count: Int, id: Int) -> [String: String] {
    let ends = ends.split(separator: "-").map(String.init)
    return [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": ends[0],
      "SLURM_ARRAY_TASK_MAX": ends[1],
    ]
  }

  struct Job: Sendable {
    var variables: [String: String]
    var count: Int?
    var shard: String
  }

  @Test(
    "Schedulers' own ways of counting are understood",
    arguments: [
      Job(variables: ["BATCHMARK_SHARD": "3/5"], shard: "3/5"),
      Job(variables: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"], shard: "2/4"),
      Job(variables: ["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "4"], shard: "1/4"),
      Job(variables: ["BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4"], count: 4, shard: "4/4"),
      Job(
        variables: ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "6", "SLURM_ARRAY_TASK_MIN": "1"],
        shard: "2/6"),
      // An array that begins at 0.
      Job(
        variables: ["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "6", "SLURM_ARRAY_TASK_MIN": "0"],
        shard: "1/6"),
      Job(variables: slurm("3-8", of: 6, id: 4), count: 6, shard: "2/6"),
      Job(variables: slurm("1-6", of: 6, id: 6), shard: "6/6"),
      Job(variables: ["JOB_COMPLETION_INDEX": "0"], count: 3, shard: "1/3"),
      Job(variables: ["JOB_COMPLETION_INDEX": "2"], count: 3, shard: "3/3"),
      // A runner inside a cluster: its own variables take precedence.
      Job(
        variables: ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "JOB_COMPLETION_INDEX": "7"], shard: "1/2"),
    ])
  func schedulers(_ job: Job) throws {
    #expect(try ShardVariables.shard(count: job.count, in: job.variables).description == job.shard)
  }

  struct Refusal: Sendable {
    var variables: [String: String]
    var count: Int?
    var message: String
  }

  @Test(
    "Without a scheduler's variables, or with impossible ones, no shard is chosen",
    arguments: [
      Refusal(variables: ["PATH": "/bin"], message: "found none of the variables BATCHMARK_SHARD, CI_NODE_INDEX"),
      Refusal(variables: ["CI_NODE_TOTAL": "1"], message: "found none of the variables"),
      Refusal(variables: ["JOB_COMPLETION_INDEX": "0"], message: "Kubernetes does not give it, so say --shard auto/N"),
      Refusal(
        variables: ["JOB_COMPLETION_INDEX": "3"], count: 3, message: "found JOB_COMPLETION_INDEX=3; expected 0 to 2"),
      Refusal(
        variables: ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"],
        message: "found CI_NODE_INDEX=5 CI_NODE_TOTAL=4; expected 1 to 4"),
      Refusal(
        variables: ["CI_NODE_INDEX": "\(Int.max)", "CI_NODE_TOTAL": "4"],
        message: "found CI_NODE_INDEX=\(Int.max) CI_NODE_TOTAL=4; expected 1 to 4"),
      Refusal(
        variables: ["JOB_COMPLETION_INDEX": "\(Int.max)"], count: 3,
        message: "found JOB_COMPLETION_INDEX=\(Int.max); expected 0 to 2"),
      Refusal(
        variables: ["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "\(Int.max)"],
        message: "expected 1 to 10000 shards"),
      Refusal(
        variables: [
          "SLURM_ARRAY_TASK_ID": "\(Int.max)", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "\(Int.max)",
        ], count: 5, message: "expected 5 shards, as --shard says"),
      Refusal(
        variables: [
          "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "\(Int.max)",
        ], message: "expected \(Int.max) to \(Int.max)"),
      // One part that is repeated, and arrays with gaps.
      Refusal(variables: slurm("3-3", of: 1, id: 3), message: "expected numbers from 0 or 1 on; for some parts"),
      Refusal(variables: slurm("3-3", of: 1, id: 3), count: 6, message: "expected 6 shards, as --shard says"),
      Refusal(
        variables: slurm("0-10", of: 6, id: 4),
        message: "SLURM_ARRAY_TASK_MAX=10; expected every number from 0 to 10; for some parts of a run, say --shard K/N"
      ),
      Refusal(variables: slurm("2-5", of: 2, id: 2), count: 2, message: "expected every number from 2 to 5"),
      Refusal(variables: ["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "4"], message: "expected a number of GitLab's"),
      Refusal(
        variables: ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": ""], message: "expected the number of shards as well"),
      Refusal(
        variables: ["BATCHMARK_SHARD": "0/3"], message: "found BATCHMARK_SHARD=0/3; expected a shard such as 2/6"),
      Refusal(variables: ["BATCHMARK_SHARD": "1/3"], count: 4, message: "expected 4 shards, as --shard says"),
    ])
  func refusals(_ refusal: Refusal) throws {
    let error = try #require(throws: ShardVariablesError.self) {
      try ShardVariables.shard(count: refusal.count, in: refusal.variables)
    }
    #expect(error.description.hasPrefix("--shard auto: found "))
    #expect(error.description.contains(refusal.message), "\(error)")
  }
}

extension ShardTests {
  @Test("The longest cell is assigned first, each to the shard with the least work")
  func division() {
    #expect(ShardRecord.shards(weights: [1, 5, 2, 4, 3], count: 2) == [1, 1, 1, 2, 2])
    #expect(ShardRecord.shards(weights: [7, 7, 7], count: 3) == [1, 2, 3])
    #expect(ShardRecord.shards(weights: [3, 3], count: 4) == [1, 2])
    #expect(ShardRecord.shards(weights: [0, .nan, -1, .infinity], count: 4) == [1, 2, 3, 4])
    #expect(ShardRecord.shards(weights: [], count: 4) == [])
  }

  @Test("No shard has more than 4/3 of the optimum, and every block is taken once, whatever the weights")
  func bounds() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let weights = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        Double.random(in: 0...100, using: &generator)
      }
      let count = Int.random(in: 1...8, using: &generator)
      let division = ShardRecord.shards(weights: weights, count: count)
      #expect(division.count == weights.count && division.allSatisfy { (1...count).contains($0) })
      var loads = [Double](repeating: 0, count: count)
      for (shard, weight) in zip(division, weights) { loads[shard - 1] += weight }
      let least = max(weights.reduce(0, +) / Double(count), weights.max() ?? 0)
      // The bound is for the best division, which may need more than this minimum. The greedy division never needs more
      // than the last block plus the mean of all others.
      #expect((loads.max() ?? 0) <= least * (2 - 1 / Double(count)) + 1e-9)
      #expect(division == ShardRecord.shards(weights: weights, count: count))
    }
  }

  @Test("Shards of one run derive the same seed, and another run has another seed")
  func seed() throws {
    let plan = plan(try scenario("one"), try scenario("two"))
    let build = BuildIdentity(version: "1", configuration: "release", executable: "a")
    let records = try (1...3).map { index in
      ShardRecord(try #require(Shard(index: index, of: 3)), of: plan, weights: [1, 1], build: build)
    }
    #expect(Set(records.map(\.sharedSeed)).count == 1)
    #expect(records.map { $0.ownScenarios.sorted() } == [["one"], ["two"], []])
    let other = ShardRecord(
      try #require(Shard("1/3")), of: self.plan(try scenario("one", rounds: 5), try scenario("two")), weights: [1, 1],
      build: build)
    #expect(other.sharedSeed != records[0].sharedSeed)
    #expect(other.blocks[0].fingerprint != records[0].blocks[0].fingerprint)
    #expect(other.blocks[1].fingerprint == records[0].blocks[1].fingerprint)
  }

  @Test(
    "Every machine takes the same number of shared rounds, together at least the requested number",
    arguments: [(1, 5, 1), (9, 5, 2), (10, 5, 2), (11, 5, 3), (7, 1, 7)])
  func sharedRounds(rounds: Int, machines: Int, share: Int) throws {
    let plan = plan(try scenario("one", rounds: rounds), try scenario("two", rounds: rounds))
    let build = BuildIdentity(version: "1", configuration: "release", executable: "a")
    for index in 1...machines {
      let record = ShardRecord(try #require(Shard(index: index, of: machines)), of: plan, weights: nil, build: build)
      #expect(record.blocks.allSatisfy { $0.shard == nil })
      let part = record.part(of: plan.scenarios)
      #expect(part.map(\.scenario.name) == ["one", "two"] && part.allSatisfy { $0.scenario.measure.rounds == share })
    }
    let divided = ShardRecord(try #require(Shard("1/2")), of: plan, weights: [1, 1], build: build)
    #expect(divided.part(of: plan.scenarios).map(\.scenario.measure.rounds) == [rounds])
  }

  private func plan(_ scenarios: Scenario...) -> RunPlan {
    RunPlan(scenarios: scenarios.map(planned), seed: 7, isQuick: false)
  }
}

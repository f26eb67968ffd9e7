// `--shard auto`: the environment variables with which schedulers number their jobs.

/// The environment variables of schedulers that define shards.
package enum ShardVariables {
  /// Finds this job's shard.
  ///
  /// One scheduler may run inside another, and both set their variables. The first in this order counts:
  /// BATCHMARK_SHARD, GitLab, Buildkite, Slurm, Kubernetes.
  ///
  /// - Parameters:
  ///   - count: The number of shards, if the user gives it. A scheduler that reports another number is refused.
  ///   - environment: The environment of the process.
  /// - Returns: The shard.
  /// - Throws: ``ShardVariablesError`` if no scheduler is found, or its variables do not define a shard. Otherwise
  ///   every job would take the whole run.
  package static func shard(count: Int?, in environment: [String: String]) throws(ShardVariablesError) -> Shard {
    if let text = environment[own] {
      guard let shard = Shard(text) else {
        throw ShardVariablesError(found: "\(own)=\(text)", expected: "a shard such as 2/6")
      }
      return try checked(shard, count, "\(own)=\(text)")
    }
    for scheduler in schedulers {
      guard let index = environment[scheduler.index] else { continue }
      let total = scheduler.count.flatMap { environment[$0] }
      let found = ([scheduler.index + "=" + index] + (total.map { [(scheduler.count ?? "") + "=" + $0] } ?? []))
        .joined(separator: " ")
      guard let number = Shard.number(index) else {
        throw ShardVariablesError(found: found, expected: "a number of \(scheduler.name)'s")
      }
      guard let all = total.flatMap({ Shard.number($0) }) ?? (total == nil ? count : nil) else {
        throw ShardVariablesError(
          found: found,
          expected: "the number of shards as well; \(scheduler.name) does not give it, so say --shard auto/N")
      }
      let first = scheduler.least.flatMap { environment[$0] }.flatMap { Shard.number($0) } ?? scheduler.first
      if let most = scheduler.most, let text = environment[most], let last = Shard.number(text),
        last - first != all - 1
      {
        throw ShardVariablesError(
          found: "\(found) \(most)=\(text)",
          expected: "every number from \(first) to \(last); for some parts of a run, say --shard K/N")
      }
      guard (1...Shard.mostCount).contains(all) else {
        throw ShardVariablesError(found: found, expected: "1 to \(Shard.mostCount) shards")
      }
      // Both numbers are at least 0, so their difference cannot overflow; their sum can.
      let distance = number - first
      guard distance < all, let shard = Shard(index: distance + 1, of: all) else {
        let last = first > .max - all ? .max : first + all - 1
        throw ShardVariablesError(found: found, expected: "\(first) to \(last)")
      }
      // Without a count, this may be a rerun of a part of an array, which looks like a smaller array.
      guard count != nil || scheduler.least == nil || first <= 1 else {
        throw ShardVariablesError(
          found: found, expected: "numbers from 0 or 1 on; for some parts of a run, say --shard K/N")
      }
      return try checked(shard, count, found)
    }
    let names = ([own] + schedulers.map(\.index)).joined(separator: ", ")
    throw ShardVariablesError(
      found: "none of the variables \(names)", expected: "a job of a scheduler; without one, say --shard K/N")
  }

  /// The variable for workflows without one of their own, such as GitHub's.
  package static let own = "BATCHMARK_SHARD"

  private struct Scheduler {
    var name: String
    var index: String
    /// The variable with the number of jobs; `nil` if there is none.
    var count: String?
    /// The index of the first job.
    var first: Int
    /// The variable with the first index, if users can choose it.
    var least: String?
    /// The variable with the last index.
    ///
    /// If it is further away than the number of jobs, the indexes have gaps.
    var most: String?
  }

  /// GitLab: docs.gitlab.com/ci/variables/predefined_variables; Buildkite: buildkite.com/docs/pipelines/environment-variables;
  /// Slurm: slurm.schedmd.com/job_array.html; Kubernetes: kubernetes.io/docs/concepts/workloads/controllers/job.
  private static let schedulers = [
    Scheduler(name: "GitLab", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    Scheduler(
      name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
    Scheduler(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: 1,
      least: "SLURM_ARRAY_TASK_MIN", most: "SLURM_ARRAY_TASK_MAX"),
    Scheduler(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: nil, first: 0),
  ]

  private static func checked(_ shard: Shard, _ count: Int?, _ found: String) throws(ShardVariablesError) -> Shard {
    guard count == nil || count == shard.count else {
      throw ShardVariablesError(found: found, expected: "\(count ?? 0) shards, as --shard says")
    }
    return shard
  }
}

/// The variables do not define a shard.
package struct ShardVariablesError: Error, Sendable, Hashable, CustomStringConvertible {
  package let found: String
  package let expected: String

  package var description: String { "--shard auto: found \(found); expected \(expected)" }
}

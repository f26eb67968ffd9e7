// `--shard`: the part of a run to take here, as given by the user or a scheduler.
internal import Analysis
internal import Foundation
internal import Harness
internal import BatchmarkEngine

/// The forms of `--shard`.
enum ShardArgument: Hashable {
  case one(Shard)
  /// Every shard in turn, which is only possible in a dry run.
  case all(count: Int)

  /// Parses `2/6`, `auto`, `auto/6` or, for a dry run, `all/6`.
  ///
  /// - Parameters:
  ///   - text: The user's text.
  ///   - option: The option's name.
  ///   - environment: The environment of the process.
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  init(
    _ text: String, option: String = "--shard",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) {
    if let shard = Shard(text) {
      self = .one(shard)
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let count = parts.count == 2 ? Shard(index: 1, of: Int(parts[1]) ?? 0)?.count : nil
    switch (parts[0], count) {
    case ("auto", let count) where parts.count == 1 || count != nil:
      do throws(ShardVariablesError) {
        self = .one(try ShardVariables.shard(count: count, in: environment))
      } catch {
        throw CommandError(.usage, "\(error)")
      }
    case ("all", let count?): self = .all(count: count)
    default:
      throw CommandError(
        .usage,
        "\(option) \(text): expected K/N with K from 1 to N and N up to \(Shard.mostCount), auto, auto/N"
          + (option == "--shard" ? ", or all/N with --dry-run" : "")
      )
    }
  }
}

extension ShardRecord {
  /// Divides a whole run by the times of its scenarios in an earlier run, or by their rows; or divides the rounds of
  /// each scenario.
  ///
  /// - Throws: ``ReportError`` if earlier results cannot be read.
  init(_ shard: Shard, of plan: RunPlan, sharesRounds: Bool, durations: String?) throws {
    if sharesRounds {
      self.init(shard, of: plan, weights: nil, build: Executable.identity)
      return
    }
    let earlier = try durations.map { try StoredResults($0).results }
    let weights = RunForecast(of: plan, from: earlier).weights(of: plan.scenarios.map(\.scenario.name))
    self.init(shard, of: plan, weights: weights, build: Executable.identity)
  }
}

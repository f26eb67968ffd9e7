// Values that several commands parse alike: settings, percentages, looks, times and rounds.
internal import Analysis
internal import Harness
internal import BatchmarkEngine
internal import Scenarios
internal import ArgumentParser

/// Parses values of options that several commands have.
enum SharedArguments {
  /// The overrides of `--set key=value` options, in order.
  static func overrides(_ settings: [String]) throws(CommandError) -> [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw CommandError(.usage, noSetting(setting))
      }
      overrides.append(ScenarioOverride(key: parts[0], value: parts[1], origin: "--set \(setting)"))
    }
    return overrides
  }

  /// The message about an option `--set` that sets no key.
  static func noSetting(_ setting: String) -> String {
    "--set \(setting): found no \(setting.hasPrefix("=") ? "key before " : "")'='; expected key=value, as in --set rows=1_000"
  }

  /// A percentage as a share, `5%` as 0.05.
  ///
  /// It must be above 0 %, or at least `least` percent.
  static func share(_ text: String, _ option: String, from least: Int? = nil) throws(CommandError) -> Double {
    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent >= Double(least ?? 0),
      percent <= 100
    else {
      let range = least.map { "from \($0)%" } ?? "above 0% and up"
      throw CommandError(.usage, "\(option) \(text): expected a percentage \(range) to 100%, as in 5%")
    }
    return percent / 100
  }

  /// The looks of a comparison by default.
  static let standardLooks = PairRules().looks.map { "\($0)" }.joined(separator: ",")

  /// Parses increasing numbers of pairs.
  static func looks(_ text: String) throws(CommandError) -> [Int] {
    let counts = text.split(separator: ",").map { Int($0) }
    let numbers = counts.compactMap(\.self)
    guard numbers.count == counts.count, !numbers.isEmpty, zip([0] + numbers, numbers).allSatisfy(<) else {
      throw CommandError(.usage, "--looks \(text): expected increasing numbers of pairs, as in 12,18,27")
    }
    return numbers
  }

  /// A time in seconds: `60s`, `5m`, `1h`.
  static func seconds(_ text: String, _ option: String) throws(CommandError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number > 0, number.isFinite
    else { throw CommandError(.usage, "\(option) \(text): expected a time such as 60s, 5m or 1h") }
    return number * unit
  }
}

extension RoundRules {
  /// Parses `--max-time`, `--min-rounds` and `--precision`.
  init(maxTime: String?, minRounds: Int?, until: String?) throws(CommandError) {
    if let minRounds, !(1...10_000).contains(minRounds) {
      throw CommandError(.usage, "--min-rounds \(minRounds): expected a number from 1 to 10000")
    }
    self.init(
      maxSeconds: try maxTime.map { (text) throws(CommandError) in try SharedArguments.seconds(text, "--max-time") },
      minRounds: minRounds,
      until: try until.map { (text) throws(CommandError) in try SharedArguments.share(text, "--precision") })
  }
}

/// The user's commands to run around each sample.
struct HookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run this in the shell before each sample; its time does not count. BATCHMARK_CELL, BATCHMARK_PASS, \
      BATCHMARK_ROUND and BATCHMARK_DIRECTORY describe the sample, BATCHMARK_SIDE the side of a pair. When it fails, \
      so does the sample.
      """,
      valueName: "command"))
  var prepare: String?

  @Option(
    help: ArgumentHelp(
      "Run this in the shell after each sample, also after one that failed, with the variables of --prepare.",
      valueName: "command"))
  var cleanup: String?

  var hooks: SampleHooks { SampleHooks(prepare: prepare, cleanup: cleanup) }
}

/// The options that select cells.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Take only cells with this scenario, engine, strategy, key=value, id or tag:NAME. * matches any text, ? any \
      character, and /expression/ any part of the id (repeatable: a cell needs to match one).
      """, valueName: "cells"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out matching cells, in the words of --only, also those that --only selects (repeatable).",
      valueName: "cells"))
  var skip: [String] = []
}

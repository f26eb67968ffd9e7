// What several commands read alike from the command line: settings, percentages and looks.
internal import Analysis
internal import Harness
internal import Scenarios

enum SettingArgument {
  /// What `--set key=value` asks for, in order.
  static func overrides(_ settings: [String]) throws(CommandError) -> [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw CommandError(.usage, "--set \(setting): found no '='; expected key=value, as in --set rows=1_000")
      }
      overrides.append(ScenarioOverride(key: parts[0], value: parts[1], origin: "--set \(setting)"))
    }
    return overrides
  }
}

enum PercentArgument {
  /// A percentage as a share: `5%` is 0.05.
  static func share(_ text: String, _ option: String, above least: Double) throws(CommandError) -> Double {
    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 100 * least, percent <= 100 else {
      throw CommandError(
        .usage, "\(option) \(text): expected a percentage above \(100 * least)% and up to 100%, as in 5%")
    }
    return percent / 100
  }
}

enum LooksArgument {
  /// The looks of a comparison without the option.
  static let standard = PairRules().looks.map { "\($0)" }.joined(separator: ",")

  /// Increasing numbers of pairs.
  static func looks(_ text: String) throws(CommandError) -> [Int] {
    let counts = text.split(separator: ",").map { Int($0) }
    let numbers = counts.compactMap(\.self)
    guard numbers.count == counts.count, !numbers.isEmpty, zip([0] + numbers, numbers).allSatisfy(<) else {
      throw CommandError(.usage, "--looks \(text): expected increasing numbers of pairs, as in 12,18,27")
    }
    return numbers
  }
}

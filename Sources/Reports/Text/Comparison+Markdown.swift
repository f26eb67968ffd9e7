// Comparisons and settings as text.
internal import Analysis

extension Comparison {
  /// `2.31 times as long`, with the interval where there is one.
  var wording: String {
    [Digits.significant(ratio.median) + " times as long", HumanUnits.ratioInterval(ratio)]
      .compactMap(\.self).joined(separator: " ")
  }
}

extension Setting {
  /// The text as a column's title: `10,000`.
  var title: String { Int(text).map { Digits.grouped($0) } ?? text }
}

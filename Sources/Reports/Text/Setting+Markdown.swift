// A parameter's value as text.
internal import Analysis

extension Setting {
  /// The text as a column's title: `10,000`.
  var title: String { Int(text).map { Digits.grouped($0) } ?? text }
}

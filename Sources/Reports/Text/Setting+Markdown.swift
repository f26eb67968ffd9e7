// A parameter's value as text.
internal import Analysis
internal import BatchmarkEngine

extension Setting {
  /// The text as a column's title: `10,000`.
  var title: String { Int(text).map { Digits.grouped($0) } ?? text }
}

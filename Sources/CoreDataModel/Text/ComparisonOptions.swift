// What a comparison of texts ignores.

/// How to compare text: `[c]`, `[d]`, `[cd]`.
///
/// ```swift
/// let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]  // [cd]: "zurich" is like "Zürich"
/// options.contains(.caseInsensitive)  // true
/// ```
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Letters that differ only in case are equal, by Unicode's full case folding.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// Letters that differ only in marks above, below or through them are equal.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
}

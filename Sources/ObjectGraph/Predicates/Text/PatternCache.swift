// Patterns of LIKE and MATCHES, read once and kept.
internal import CoreDataModel
internal import _StringProcessing

/// The patterns that one connection or one evaluator has met; used by one thread at a time.
final class PatternCache {
  private struct Key: Hashable {
    // UTF-8, because Swift's equality of text takes composed and decomposed letters for the same.
    let pattern: [UInt8]
    let options: ComparisonOptions
  }

  /// Patterns may come from a column, so that there is a limit to how many are kept.
  private static let capacity = 256
  private var expressions: [Key: Regex<AnyRegexOutput>] = [:]
  private var wildcards: [Key: WildcardPattern] = [:]

  /// Whether the whole text fits the pattern of `LIKE`; both are folded by the caller.
  func like(_ text: String, _ pattern: String) -> Bool {
    let key = Key(pattern: Array(pattern.utf8), options: [])
    if let known = wildcards[key] { return known.matches(text) }
    let wildcard = WildcardPattern(pattern)
    if wildcards.count == PatternCache.capacity { wildcards = [:] }
    wildcards[key] = wildcard
    return wildcard.matches(text)
  }

  /// Whether the whole text fits the regular expression.
  ///
  /// Diacritics are taken off text and pattern; case is left to the expression, whose `\W` must not become `\w`.
  /// - Throws: ``FetchPredicateError/invalidPattern(pattern:reason:)``.
  func matches(_ text: String, _ pattern: String, _ options: ComparisonOptions) throws(FetchPredicateError) -> Bool {
    let expression = try expression(pattern, options)
    // Matching throws only where a transformation of a capture does, and an expression from text has none.
    return (try? expression.wholeMatch(in: text.folded(options.subtracting(.caseInsensitive)))) != nil
  }

  /// Reads the expression, or finds it already read.
  @discardableResult
  func expression(
    _ pattern: String, _ options: ComparisonOptions
  ) throws(FetchPredicateError) -> Regex<AnyRegexOutput> {
    let key = Key(pattern: Array(pattern.utf8), options: options)
    if let known = expressions[key] { return known }
    do {
      // By code points, as everything else is compared, and not by what a reader takes for one letter.
      let expression = try Regex(pattern.folded(options.subtracting(.caseInsensitive)))
        .matchingSemantics(.unicodeScalar).ignoresCase(options.contains(.caseInsensitive))
      if expressions.count == PatternCache.capacity { expressions = [:] }
      expressions[key] = expression
      return expression
    } catch {
      throw .invalidPattern(pattern: pattern, reason: "\(error)")
    }
  }
}

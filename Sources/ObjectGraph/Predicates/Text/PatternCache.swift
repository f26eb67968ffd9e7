// Patterns of LIKE and MATCHES, read once and kept.
internal import CoreDataModel

/// The patterns that one connection or one evaluator has met; used by one thread at a time.
final class PatternCache {
  private struct Key: Hashable {
    // UTF-8, because Swift's equality of text takes composed and decomposed letters for the same.
    let pattern: [UInt8]
    let options: ComparisonOptions
  }

  /// Patterns may come from a column, so that there is a limit to how many are kept.
  private static let capacity = 256
  private var expressions: [Key: TextPattern] = [:]
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
  /// - Throws: ``FetchPredicateError/invalidPattern(pattern:reason:)``,
  ///   ``FetchPredicateError/costlyPattern(pattern:found:reason:advice:)``.
  func matches(_ text: String, _ pattern: String, _ options: ComparisonOptions) throws(FetchPredicateError) -> Bool {
    let expression = try expression(pattern, options)
    do throws(CostlyMatch) {
      return try expression.matches(text.folded(options.subtracting(.caseInsensitive)))
    } catch {
      throw .costlyPattern(pattern: pattern, found: error.found, reason: error.reason, advice: error.advice)
    }
  }

  /// Reads the expression, or finds it already read.
  @discardableResult
  func expression(_ pattern: String, _ options: ComparisonOptions) throws(FetchPredicateError) -> TextPattern {
    let key = Key(pattern: Array(pattern.utf8), options: options)
    if let known = expressions[key] { return known }
    do throws(InvalidTextPattern) {
      let expression = try TextPattern(
        pattern.folded(options.subtracting(.caseInsensitive)), ignoresCase: options.contains(.caseInsensitive))
      if expressions.count == PatternCache.capacity { expressions = [:] }
      expressions[key] = expression
      return expression
    } catch {
      throw .invalidPattern(pattern: pattern, reason: error.reason)
    }
  }
}

// Caches compiled patterns of LIKE and MATCHES.
internal import CoreDataModel

/// The patterns of one connection or one evaluator; use it on one thread at a time.
final class PatternCache {
  private struct Key: Hashable {
    // Use UTF-8, because Swift's text equality does not distinguish composed and decomposed letters.
    let pattern: [UInt8]
    let options: ComparisonOptions
  }

  /// Patterns may come from a column, so their number must be limited.
  private static let capacity = 256
  private var expressions: [Key: TextPattern] = [:]
  private var wildcards: [Key: WildcardPattern] = [:]

  /// Whether the whole text matches the `LIKE` pattern; the caller folds both.
  func like(_ text: String, _ pattern: String) -> Bool {
    let key = Key(pattern: Array(pattern.utf8), options: [])
    if let known = wildcards[key] { return known.matches(text) }
    let wildcard = WildcardPattern(pattern)
    if wildcards.count == PatternCache.capacity { wildcards = [:] }
    wildcards[key] = wildcard
    return wildcard.matches(text)
  }

  /// Whether the whole text matches the regular expression.
  ///
  /// Diacritics are removed from text and pattern; case is left to the expression, because `\W` must not become `\w`.
  ///
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

  /// Returns the cached expression, or compiles it.
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

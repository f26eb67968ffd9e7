// Errors of predicates.

/// A predicate that cannot be parsed, or does not fit its objects.
///
/// ```swift
/// do {
///   _ = try FetchPredicate(format: "magnitude >> 4")
/// } catch {
///   print(error)  // names the column, what was found there and what was expected
/// }
/// ```
public enum FetchPredicateError: Error, Sendable, Hashable {
  /// The format is wrong at a column, counted in code points from 1.
  case syntax(format: String, column: Int, found: String, expected: String, suggestion: String?)
  /// There are more arguments than `%` placeholders in the format.
  case unusedArguments(format: String, count: Int)
  /// The entity has no such property.
  case unknownKey(entity: String, key: String, expected: [String], suggestion: String?)
  /// A variable that no subquery introduces and that has no value.
  case unknownVariable(String)
  /// Values that cannot be compared with each other.
  case typeMismatch(in: String, found: String, expected: String)
  /// A regular expression that cannot be parsed.
  case invalidPattern(pattern: String, reason: String)
  /// A regular expression that took too long to match a text and was stopped.
  case costlyPattern(pattern: String, found: String, reason: String, advice: String)
  /// An expression without a meaning, such as a to-many path that is compared without `ANY` or `ALL`.
  case unsupported(in: String, reason: String)
  /// Integers with a sum that does not fit into 64 bits.
  case overflow(in: String)
  /// More constants than SQLite accepts in one statement.
  case tooManyValues(found: Int, limit: Int)
  /// More relationships in paths than SQLite can join in one statement.
  case tooManyTables(found: Int, limit: Int)
}

extension FetchPredicateError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .syntax(let format, let column, let found, let expected, let suggestion):
      "predicate \(format.debugDescription), column \(column): found \(found); expected \(expected)"
        + FetchPredicateError.hint(suggestion)
    case .unusedArguments(let format, let count):
      "predicate \(format.debugDescription): found \(count) more argument\(count == 1 ? "" : "s") than the format takes; expected one for each %"
    case .unknownKey(let entity, let key, let expected, let suggestion):
      "\(entity) has no property '\(key)'; expected one of \(expected.joined(separator: ", "))"
        + FetchPredicateError.hint(suggestion)
    case .unknownVariable(let name):
      "found the variable $\(name); expected one that a SUBQUERY around it introduces, or that was given a value"
    case .typeMismatch(let position, let found, let expected): "in '\(position)': found \(found); expected \(expected)"
    case .invalidPattern(let pattern, let reason):
      "found the pattern \(pattern.debugDescription); expected a regular expression: \(reason)"
    case .costlyPattern(let pattern, let found, let reason, let advice):
      "found \(found) beside the pattern \(pattern.debugDescription): \(reason); expected \(advice)"
    case .unsupported(let position, let reason): "in '\(position)': \(reason)"
    case .overflow(let position):
      "in '\(position)': found a sum beyond 64-bit integers; expected one that fits: sum fewer objects"
    case .tooManyValues(let found, let limit):
      "found \(found) values in one statement; expected at most \(limit), SQLite's limit: put values that are compared with "
        + "one property into a list for IN, or ask in several parts"
    case .tooManyTables(let found, let limit):
      "found \(found) tables that key paths join in one statement; expected at most \(limit), SQLite's limit: follow fewer "
        + "relationships, or ask in several parts"
    }
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

/// The candidate that is most similar to the word: at most two letters, and fewer than half of them, may differ.
func nearestWord(to word: String, among candidates: [String]) -> String? {
  let letters = Array(word.lowercased())
  guard letters.count < 64 else { return nil }
  let ranked = candidates.map { (distance(letters, Array($0.lowercased())), $0) }
  guard let best = ranked.min(by: { $0 < $1 }), best.0 <= 2, best.0 * 2 < letters.count else { return nil }
  return best.1
}

/// The Levenshtein distance.
private func distance(_ left: [Character], _ right: [Character]) -> Int {
  var row = Array(0...right.count)
  for (i, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let substitution = diagonal + (letter == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
    }
  }
  return row[right.count]
}

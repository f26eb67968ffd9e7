// Patterns that select cells on the command line: words, words with wildcards, and regular expressions.
package import BatchmarkEngine
internal import CoreDataModel

/// One value of `--only` or `--skip`.
///
/// - A word selects the cells that have it: scenario, engine, strategy, `key=value`, id, a whole part of the id, or
///   `tag:NAME`.
/// - `*` matches any text and `?` one character of such a word. Brackets are literal, because ids contain them.
/// - `/expression/` is a regular expression in ICU's syntax; it may match any part of the id.
package struct CellPattern {
  /// The text as the user typed it.
  package let text: String
  private let kind: Kind

  private enum Kind {
    case word
    case wildcards([Character])
    case expression(BoundedSearch)
  }

  /// - Throws: ``CellPatternError`` if a regular expression is invalid.
  package init(_ text: String) throws(CellPatternError) {
    self.text = text
    if text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      do throws(InvalidTextPattern) {
        let expression = try TextPattern(String(text.dropFirst().dropLast()), matchesWhole: false)
        kind = .expression(BoundedSearch(expression))
      } catch {
        throw CellPatternError(text: text, reason: error.reason)
      }
    } else if text.contains(where: { "*?".contains($0) }) {
      kind = .wildcards(Array(text))
    } else {
      kind = .word
    }
  }

  /// Whether the pattern selects a cell with these tags.
  package func selects(_ cell: Cell, tags: [String] = []) -> Bool {
    selects(id: cell.id, words: cell.words + tags.map { CellPattern.tag + $0 })
  }

  /// Whether the pattern selects a cell with this id and these words.
  package func selects(id: String, words: some Sequence<String>) -> Bool {
    switch kind {
    case .word: words.contains(text)
    case .wildcards(let pattern): words.contains { CellPattern.matches(Array($0), pattern) }
    case .expression(let search): search.isFound(in: id)
    }
  }

  /// Why matching was stopped for some id, which then counts as no match; `nil` if it was not stopped.
  package var problem: CellPatternError? {
    guard case .expression(let search) = kind, let reason = search.problem else { return nil }
    return CellPatternError(text: text, reason: reason)
  }

  /// The prefix of a tag's word.
  package static let tag = "tag:"

  /// Whether the pattern matches the whole text.
  ///
  /// Each star first matches as little as possible, and more if the rest does not match.
  ///
  /// O(text · pattern).
  private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    var place = 0
    var next = 0
    // Where to continue if the last star takes one more character.
    var star: (next: Int, place: Int)?
    while place < text.count {
      if next < pattern.count, pattern[next] == "*" {
        star = (next + 1, place)
        next += 1
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place] {
        (place, next) = (place + 1, next + 1)
      } else if let last = star {
        star = (last.next, last.place + 1)
        (next, place) = (last.next, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}

/// An invalid regular expression.
package struct CellPatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text as the user typed it.
  package let text: String
  package let reason: String

  package var description: String {
    "found \(text), which is no regular expression: \(reason); expected one in ICU's syntax between slashes, as in /save_every=1\\d*/"
  }
}

/// An expression that is searched for in many ids, with a time limit for all of them together.
private final class BoundedSearch {
  private let expression: TextPattern
  private var time = Duration.zero
  private(set) var problem: String?

  private static let longest = Duration.seconds(2)

  init(_ expression: TextPattern) { self.expression = expression }

  func isFound(in id: String) -> Bool {
    guard problem == nil else { return false }
    let start = ContinuousClock.now
    defer {
      time += ContinuousClock.now - start
      if problem == nil, time > BoundedSearch.longest {
        problem = "looking for it takes more than \(BoundedSearch.longest.components.seconds) s"
      }
    }
    do throws(CostlyMatch) {
      return try expression.matches(id)
    } catch {
      problem = "\(error.reason) in \(error.found); use \(error.advice)"
      return false
    }
  }
}

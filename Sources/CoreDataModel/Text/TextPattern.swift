// Core Data's regular expressions, which are ICU's, with a limit on the work of one match.
internal import Foundation

/// A regular expression in ICU's syntax, by code points, that is tried on whole texts or looked for in them.
///
/// ICU tries one way after another, and there are patterns for which each further character doubles their number. A match
/// therefore ends after ten million steps, which take a fifth of a second, or after two seconds.
package struct TextPattern: Sendable {
  /// As it was written.
  package let source: String
  private let expression: NSRegularExpression
  /// Whether a single step may read ahead through all of the text.
  private let readsAhead: Bool

  /// ICU says after every 10,000 steps that it is still trying.
  private static let mostReports = 1_000
  private static let longestTime = Duration.seconds(2)
  /// UTF-16 units of a text in which a step that reads through all of it is still a short one.
  private static let longestReadAhead = 100_000
  /// UTF-16 units of a pattern: reading one takes time with the square of its length, and a step keeps all its groups.
  private static let longestSource = 10_000

  /// Reads an expression that a whole text is to match, or that is looked for anywhere in it.
  /// - Throws: ``InvalidTextPattern``.
  package init(_ source: String, matchesWhole: Bool = true, ignoresCase: Bool = false) throws(InvalidTextPattern) {
    guard source.utf16.count <= TextPattern.longestSource else {
      throw InvalidTextPattern("it has more than \(TextPattern.longestSource) characters")
    }
    let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
    func read(_ pattern: String) -> NSRegularExpression? {
      try? NSRegularExpression(pattern: pattern, options: options)
    }
    // By itself first, since a) | (b is one only between parentheses. An empty one is none for Foundation.
    let own = source.isEmpty ? read("(?:)") : read(source)
    // The end belongs to the expression, so that ICU tries on until it gets there. A comment of (?x) ends with a line,
    // and what \Q begins with \E.
    let whole = matchesWhole ? [")\\z", "\n)\\z", "\\E)\\z"].lazy.compactMap { read("(?:" + source + $0) }.first : own
    guard own != nil, let whole else { throw InvalidTextPattern(TextPattern.reason(against: source)) }
    self.source = source
    expression = whole
    readsAhead = TextPattern.readingAhead.contains { source.contains($0) }
    self.matchesWhole = matchesWhole
  }

  private let matchesWhole: Bool

  /// Looking ahead and behind, references to groups, and what gives nothing back; also inside of brackets, where they mean
  /// less.
  private static let readingAhead =
    ["(?=", "(?!", "(?<=", "(?<!", "(?>", "*+", "++", "?+", "}+", "\\k"] + (1...9).map { "\\\($0)" }

  /// Whether the whole text matches, or any part of it where the pattern is one that is looked for.
  /// - Throws: ``CostlyMatch`` when that is not known within the bounds.
  package func matches(_ text: String) throws(CostlyMatch) -> Bool {
    let length = text.utf16.count
    if readsAhead, length > TextPattern.longestReadAhead {
      throw CostlyMatch(
        pattern: source, text: text,
        reason: "lookaround, references to groups and possessive repetitions are tried on at most "
          + "\(TextPattern.longestReadAhead) characters",
        advice: "a shorter text, or a pattern without them")
    }
    var isMatch = false
    var isIncomplete = false
    var reports = 0
    var start: ContinuousClock.Instant?
    let options: NSRegularExpression.MatchingOptions =
      matchesWhole ? [.anchored, .reportProgress, .reportCompletion] : [.reportProgress, .reportCompletion]
    expression.enumerateMatches(in: text, options: options, range: NSRange(location: 0, length: length)) {
      result, flags, stop in
      if result != nil {
        isMatch = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        isIncomplete = true
      } else if flags.contains(.progress) {
        reports += 1
        let now = ContinuousClock.now
        let begin = start ?? now
        start = begin
        if reports >= TextPattern.mostReports || now - begin > TextPattern.longestTime { stop.pointee = true }
        isIncomplete = stop.pointee.boolValue
      }
    }
    if isMatch { return true }
    guard isIncomplete else { return false }
    throw CostlyMatch(
      pattern: source, text: text,
      reason: reports >= TextPattern.mostReports
        ? "trying it takes more than \(TextPattern.mostReports / 100) million steps"
        : "trying it takes more memory or time than one text may",
      advice: "a pattern without a repetition inside a repetition, such as a+ in place of (a+)+")
  }

  /// Swift's parser reports the mistake and its place.
  ///
  /// Its recursion is limited, because the text is short and has few groups.
  private static func reason(against source: String) -> String {
    let groups = source.utf8.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }
    if source.utf8.count <= 1_000, groups <= 100 {
      do { _ = try Regex(source) } catch { return "\(error)" }
    }
    return "ICU has no such syntax, or no such deep one"
  }
}

/// Why a text is not a regular expression.
package struct InvalidTextPattern: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A match that was stopped because it took too long.
package struct CostlyMatch: Error {
  package let pattern: String
  /// The beginning of the text that it was tried on, and how long that is.
  package let found: String
  package let reason: String
  package let advice: String

  init(pattern: String, text: String, reason: String, advice: String) {
    self.pattern = pattern
    // A cut between two halves of one letter would show none.
    let isLong = text.unicodeScalars.count > CostlyMatch.shown
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(CostlyMatch.shown)))
    found = "the text \(beginning.debugDescription)" + (isLong ? "… (\(text.utf16.count) characters)" : "")
    self.reason = reason
    self.advice = advice
  }

  private static let shown = 60
}

extension TextPattern {
  /// How long all of the texts are tried.
  private static let longestTrial = Duration.seconds(2)

  /// A hard text whose match takes too long; nil if there is none among those tried.
  ///
  /// The work multiplies when something is repeated and the end does not fit. So the texts repeat the letters of the
  /// pattern and end with a character that hardly any pattern has: some tens of letters for work that doubles with each
  /// letter, thousands for a few nested repetitions.
  package func costlyMatch() -> CostlyMatch? {
    var units = ["a", "0", " ", "a "]
    for character in source where character.isLetter || character.isNumber {
      if !units.contains(String(character)) { units.append(String(character)) }
      if units.count == 10 { break }
    }
    let clock = ContinuousClock()
    let start = clock.now
    for count in [50, 3_000] {
      for unit in units where clock.now - start < TextPattern.longestTrial {
        do throws(CostlyMatch) {
          _ = try matches(String(repeating: unit, count: count) + "\u{1}!")
        } catch {
          return error
        }
      }
    }
    return nil
  }
}

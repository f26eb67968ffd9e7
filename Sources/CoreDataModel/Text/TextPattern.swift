// Regular expressions in ICU's syntax, as in Core Data, with a limit on the work of one match.
internal import Foundation

/// A regular expression in ICU's syntax, by code points, for matching whole texts or searching in them.
///
/// ICU backtracks, and some patterns take twice as long for each further character. A match therefore stops after ten
/// million steps, which take a fifth of a second, or after two seconds.
package struct TextPattern: Sendable {
  /// The pattern as it was written.
  package let source: String
  private let expression: NSRegularExpression
  /// Whether a single step may read ahead through all of the text.
  private let readsAhead: Bool

  /// ICU reports progress after every 10,000 steps.
  private static let mostReports = 1_000
  private static let longestTime = Duration.seconds(2)
  /// The longest text, in UTF-16 units, in which a step may read all of it and still be short.
  private static let longestReadAhead = 100_000
  /// The longest pattern, in UTF-16 units: parsing takes time quadratic in its length, and each step saves all of its
  /// groups.
  private static let longestSource = 10_000

  /// Compiles an expression that must match a whole text, or that is searched for.
  ///
  /// - Throws: ``InvalidTextPattern``.
  package init(_ source: String, matchesWhole: Bool = true, ignoresCase: Bool = false) throws(InvalidTextPattern) {
    guard source.utf16.count <= TextPattern.longestSource else {
      throw InvalidTextPattern("it has more than \(TextPattern.longestSource) characters")
    }
    let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
    func read(_ pattern: String) -> NSRegularExpression? {
      try? NSRegularExpression(pattern: pattern, options: options)
    }
    // Compile it alone first, because a) | (b is only valid inside parentheses. Foundation rejects an empty expression.
    let own = source.isEmpty ? read("(?:)") : read(source)
    // Make the end part of the expression, so that ICU backtracks until it reaches the end. A line break ends a comment
    // of (?x), and \E ends a quotation of \Q.
    let whole = matchesWhole ? [")\\z", "\n)\\z", "\\E)\\z"].lazy.compactMap { read("(?:" + source + $0) }.first : own
    guard own != nil, let whole else { throw InvalidTextPattern(TextPattern.reason(against: source)) }
    self.source = source
    expression = whole
    readsAhead = TextPattern.readingAhead.contains { source.contains($0) }
    self.matchesWhole = matchesWhole
  }

  private let matchesWhole: Bool

  /// Lookahead, lookbehind, back references, and possessive or atomic groups.
  ///
  /// Inside brackets they mean less, but count as well.
  private static let readingAhead =
    ["(?=", "(?!", "(?<=", "(?<!", "(?>", "*+", "++", "?+", "}+", "\\k"] + (1...9).map { "\\\($0)" }

  /// Whether the whole text matches, or any part of it for a pattern that is searched for.
  ///
  /// - Throws: ``CostlyMatch`` if the limits are reached first.
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

  /// Swift's parser reports the mistake and its position.
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
  /// The beginning of the text that was matched, and its length.
  package let found: String
  package let reason: String
  package let advice: String

  init(pattern: String, text: String, reason: String, advice: String) {
    self.pattern = pattern
    // Cut by Unicode scalars: cutting between the halves of a surrogate pair would break a character.
    let isLong = text.unicodeScalars.count > CostlyMatch.shown
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(CostlyMatch.shown)))
    found = "the text \(beginning.debugDescription)" + (isLong ? "… (\(text.utf16.count) characters)" : "")
    self.reason = reason
    self.advice = advice
  }

  private static let shown = 60
}

extension TextPattern {
  /// The total time for trying all of the texts.
  private static let longestTrial = Duration.seconds(2)

  /// A text that takes too long to match; `nil` if there is none among those tried.
  ///
  /// The work multiplies when something is repeated and the end does not match. So the texts repeat letters of the
  /// pattern and end with a character that hardly any pattern has. A few dozen letters suffice if the work doubles with
  /// each letter; a few nested repetitions take thousands.
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

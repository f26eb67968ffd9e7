// Texts that patterns with many ways are costly for: a pattern is tried on them before it meets the rows of a source.

extension TextPattern {
  /// How long all of the texts are tried.
  private static let longestTrial = Duration.seconds(2)

  /// A match with a hard text that is given up; nil where none of those tried is.
  ///
  /// Ways multiply where something is repeated and the end does not fit, so the texts repeat the letters of the pattern
  /// and end with what hardly any pattern has: some tens of letters for ways that double, thousands for a few nested
  /// repetitions.
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

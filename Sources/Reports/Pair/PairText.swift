// The text of a paired comparison on the terminal: the verdict, a line for each cell, and what explains a change.

package import Analysis

/// Writes a comparison for the terminal.
package enum PairText {
  /// The verdict with its table, and a section for each cell that did not simply pass.
  ///
  /// The report says how and on what machine it was compared.
  ///
  /// - Parameters:
  ///   - results: The comparison.
  ///   - columns: The width of the terminal.
  ///   - isASCII: Whether the terminal shows only ASCII characters.
  /// - Returns: Lines, each ending with a line feed.
  package static func render(
    _ results: PairResults, columns: Int = TerminalTable.lineWidth, isASCII: Bool = false
  ) -> String {
    PairMarkdown.summary(of: results).text(width: min(columns, TerminalTable.lineWidth), isASCII: isASCII)
  }

  /// A cause, for programs and for people.
  package struct FirstCause {
    /// The cause alone, for a program.
    package let sentence: String
    /// The cause after the word Cause, for a person.
    package let line: String

    /// Uses the same text for both.
    package init(_ sentence: String) { (self.sentence, line) = (sentence, sentence) }

    init(_ explanation: PairExplanation, of comparison: PairComparison) {
      sentence = Markdown.plain(PairMarkdown.firstCause(explanation, of: comparison))
      line = Markdown.plain(PairMarkdown.cause(explanation, of: comparison))
    }
  }

  /// The first cause of each cell's change, for cells that were explained.
  package static func causes(_ results: PairResults) -> [FirstCause] {
    results.comparisons.compactMap { comparison in
      comparison.explanation(results.rules).map { FirstCause($0, of: comparison) }
    }
  }
}

// What a paired comparison says on the terminal: the verdict, a line for each cell, and what explains a change.

package import Analysis

/// Writes a comparison for the terminal.
package enum PairText {
  /// The verdict with its table, and a section for each cell that did not simply pass.
  ///
  /// How it was compared, and where, is in the report.
  ///
  /// - Parameters:
  ///   - results: The comparison.
  ///   - columns: How wide the terminal is.
  ///   - isASCII: Whether the terminal shows no characters but those of ASCII.
  /// - Returns: Lines, each ended by a line feed.
  package static func render(
    _ results: PairResults, columns: Int = TerminalTable.lineWidth, isASCII: Bool = false
  ) -> String {
    PairMarkdown.summary(of: results).text(width: min(columns, TerminalTable.lineWidth), isASCII: isASCII)
  }

  /// A cause for two readers.
  package struct FirstCause {
    /// The cause alone, for a program.
    package let sentence: String
    /// After the word Cause, for a person.
    package let line: String

    /// The same words for both.
    package init(_ sentence: String) { (self.sentence, line) = (sentence, sentence) }

    init(_ explanation: PairExplanation, of comparison: PairComparison) {
      sentence = Markdown.plain(PairMarkdown.firstCause(explanation, of: comparison))
      line = Markdown.plain(PairMarkdown.cause(explanation, of: comparison))
    }
  }

  /// The first cause of each cell's change; none of a cell that was not explained.
  package static func causes(_ results: PairResults) -> [FirstCause] {
    results.comparisons.compactMap { comparison in
      comparison.explanation(results.rules).map { FirstCause($0, of: comparison) }
    }
  }
}

// Text for a terminal: wrapped to its width, and limited to its characters.

/// Lays out text in columns.
package enum TerminalText {
  /// Wraps text between words into lines of at most `width` characters.
  ///
  /// A word that is too long for a line continues on the next one, if possible after a punctuation mark. Nothing is
  /// dropped.
  ///
  /// - Parameters:
  ///   - text: The text; control characters become spaces.
  ///   - width: The maximum length of a line.
  ///   - indent: The number of spaces before every line except the first.
  /// - Returns: The lines, without line feeds; empty for empty text.
  package static func folded(_ text: String, to width: Int, indent: Int = 0) -> [String] {
    let text = text.onOneLine
    guard text.count > width else { return text.isEmpty ? [] : [text] }
    let indent = indent < width / 2 ? indent : 0
    var lines: [String] = []
    // Keep spaces within a line, because they align columns.
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    while let word = words.popFirst() {
      let room = max(width - (lines.count > 1 ? indent : 0), 1)
      if let last = lines.last, last.count + 1 + word.count <= room {
        lines[lines.count - 1] = last + " " + word
      } else if !word.isEmpty {
        lines += pieces(word, width: max(width - indent, 1))
      }
    }
    let blanks = String(repeating: " ", count: indent)
    return lines.enumerated().map { index, line in
      // Text from the middle of a line may now be at the beginning of one.
      ((index == 0 ? "" : blanks) + line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]).withoutWorkflowCommands
    }
  }

  /// Splits a word into pieces that fit.
  private static func pieces(_ word: Substring, width: Int) -> [String] {
    var pieces: [String] = []
    var rest = word
    while rest.count > width {
      let start = rest.prefix(width)
      // Not near the beginning, where a piece would be almost empty.
      let end = start.dropFirst(width / 3)
      let mark = end.lastIndex { ",;/[".contains($0) } ?? end.lastIndex { !$0.isLetter && !$0.isNumber }
      let piece = mark.map { start[...$0] } ?? start
      pieces.append(String(piece))
      rest = rest[piece.endIndex...]
    }
    return pieces + [String(rest)]
  }

  /// The text in ASCII.
  ///
  /// Batchmark's own symbols are replaced one by one, so that columns keep their width; the user's text stays
  /// unchanged.
  package static func ascii(_ text: String) -> String { String(text.map { marks[$0] ?? $0 }) }

  private static let marks: [Character: Character] = [
    "├": "|", "┤": "|", "─": "-", "●": "o", "█": "#", "░": ".", "—": "-", "…": "~", "·": "-", "µ": "u", "×": "x",
    "\u{2212}": "-", "\u{A0}": " ",
  ]
}

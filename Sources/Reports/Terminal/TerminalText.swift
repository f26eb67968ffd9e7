// Text for a terminal: in lines that fit, and in characters that it has.

/// Lays out text in columns.
package enum TerminalText {
  /// The text in lines of at most so many characters that break between words.
  ///
  /// A word too long for a line continues on the next, if possible after a punctuation mark: nothing is left out.
  ///
  /// - Parameters:
  ///   - text: What to lay out; control characters become blanks.
  ///   - width: The most characters of a line.
  ///   - indent: Blanks before every line but the first.
  /// - Returns: The lines, without line feeds; none for no text.
  package static func folded(_ text: String, to width: Int, indent: Int = 0) -> [String] {
    let text = text.onOneLine
    guard text.count > width else { return text.isEmpty ? [] : [text] }
    let indent = indent < width / 2 ? indent : 0
    var lines: [String] = []
    // Blanks within a line are kept, because they align columns.
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
      // Text from the middle of a line may begin one now.
      ((index == 0 ? "" : blanks) + line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]).withoutWorkflowCommands
    }
  }

  /// A word in pieces that fit.
  private static func pieces(_ word: Substring, width: Int) -> [String] {
    var pieces: [String] = []
    var rest = word
    while rest.count > width {
      let start = rest.prefix(width)
      // Not right at the beginning, where a piece would be almost empty.
      let end = start.dropFirst(width / 3)
      let mark = end.lastIndex { ",;/[".contains($0) } ?? end.lastIndex { !$0.isLetter && !$0.isNumber }
      let piece = mark.map { start[...$0] } ?? start
      pieces.append(String(piece))
      rest = rest[piece.endIndex...]
    }
    return pieces + [String(rest)]
  }

  /// The text in ASCII: marks that Batchmark writes are replaced one by one, so that columns keep their width; what is
  /// the user's own stays as it is.
  package static func ascii(_ text: String) -> String { String(text.map { marks[$0] ?? $0 }) }

  private static let marks: [Character: Character] = [
    "├": "|", "┤": "|", "─": "-", "●": "o", "█": "#", "░": ".", "—": "-", "…": "~", "·": "-", "µ": "u", "×": "x",
    "\u{2212}": "-", "\u{A0}": " ",
  ]
}

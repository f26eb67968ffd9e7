// Makes text from elsewhere, such as a worker's output or a file name, safe to show: it cannot control a terminal,
// begin a new line, or give commands to the runner of a CI job.
internal import Support

extension String {
  /// The text on one line: every run of line ends, tabs and other control characters becomes one space.
  package var onOneLine: String {
    // A fast path for nearly all text: names, numbers and words.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return withoutWorkflowCommands }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if !scalar.isControl {
        result.append(scalar)
      } else if result.last != " " {
        result.append(" ")
      }
    }
    return String(result).withoutWorkflowCommands
  }

  /// Wraps text between words into lines of at most `width` characters.
  ///
  /// A word that is too long for a line is split.
  func folded(to width: Int) -> [String] {
    var lines: [String] = []
    for word in onOneLine.split(separator: " ").map({ String($0).cut(to: width) }) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    // Text from the middle of a line may now be at the beginning of one.
    return lines.map(\.withoutWorkflowCommands)
  }

  /// A message, shortened to its beginning and its end if it is excessively long.
  package var withoutExcess: String {
    let longest = 8_192
    guard utf8.count > longest else { return self }
    let scalars = unicodeScalars
    return String(String.UnicodeScalarView(scalars.prefix(longest / 2))) + "… (\(scalars.count) characters) …"
      + String(String.UnicodeScalarView(scalars.suffix(longest / 8)))
  }

  /// The text, or as much of it as fits with an ellipsis.
  func cut(to width: Int) -> String { count <= width ? self : prefix(max(width - 1, 0)) + "…" }

  /// The text with line feeds as line ends and every other control character except tabs replaced, so that a program's
  /// output cannot control a terminal.
  package var withoutControls: String {
    var result = String.UnicodeScalarView()
    for character in self {
      if character.isNewline {
        result.append("\n")
      } else {
        // One by one, because otherwise the text would be copied for each character.
        for scalar in character.unicodeScalars {
          result.append(scalar.isControl && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
      }
    }
    return String(result).split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).withoutWorkflowCommands }.joined(separator: "\n")
  }

  /// A line without commands for GitHub's runners.
  ///
  /// They look for `::` at the beginning of a line, also after spaces, and for `##[` anywhere in it
  /// (https://github.com/actions/runner, `ActionCommand.cs`).
  var withoutWorkflowCommands: String {
    guard utf8.contains(UInt8(ascii: ":")) || utf8.contains(UInt8(ascii: "#")) else { return self }
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let line = self[start...].hasPrefix("::") ? "\(self[..<start]): :\(self[start...].dropFirst(2))" : self
    return line.contains("##[") ? line.replacing("##[", with: "## [") : line
  }
}

extension String {
  /// The text with an uppercase first letter.
  var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The text with a lowercase first letter, unless it begins with an abbreviation.
  var lowercasedFirst: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
  }
}

// The progress line of a terminal, which is overwritten as things proceed.
internal import Reports

/// A line that is overwritten on a terminal, and lines that stay.
struct OverwrittenLine {
  /// Whether a line can be overwritten.
  ///
  /// Otherwise it is not shown.
  let isTerminal: Bool
  /// Asked again for each line, because the window may have become narrower.
  private let columns: () -> Int
  private let isASCII: Bool
  private let write: (String) -> Void
  /// The length of the current line in characters.
  private var shown = 0

  init(
    isTerminal: Bool = Console.Stream.error.isTerminal,
    columns: @escaping () -> Int = { Console.Stream.error.columns ?? 80 }, isASCII: Bool = !Console.usesUnicode,
    write: @escaping (String) -> Void = Console.write(encoded:)
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.isASCII = isASCII
    self.write = write
  }

  /// Overwrites the last line with the first selection of parts that fits, or with nothing.
  ///
  /// - Parameter selections: The selections from the longest to the shortest. Parts that are `nil` are left out.
  mutating func rewrite(_ selections: [[String?]]) {
    guard isTerminal else { return }
    let text = plain(OverwrittenLine.text(selections, columns: columns() - 1))
    write(erasure + text)
    shown = text.count
  }

  /// Writes a line that stays, with the program's name in front.
  mutating func say(_ text: String) {
    clear()
    write(plain("\(Console.programName): \(text.onOneLine)\n"))
  }

  /// Clears the line.
  mutating func clear() {
    if shown > 0 { write(erasure) }
    shown = 0
  }

  /// The first selection that fits into the width.
  ///
  /// The caller must leave one column of the terminal free, because some terminals wrap when the last one is filled.
  static func text(_ selections: [[String?]], columns: Int) -> String {
    selections.lazy.map { $0.compactMap(\.self).joined(separator: " · ") }.first { $0.count <= columns } ?? ""
  }

  /// A text bar that is filled to `done` of `total`.
  static func bar(_ done: Int, of total: Int) -> String {
    let width = 16
    let full = total > 0 ? min(max(done * width / total, 0), width) : 0
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }

  /// Spaces over the last line, so that it also works on terminals without escape sequences.
  private var erasure: String {
    shown > 0 ? "\r" + String(repeating: " ", count: max(min(shown, columns() - 1), 0)) + "\r" : ""
  }

  private func plain(_ text: String) -> String { isASCII ? TerminalText.ascii(text) : text }
}

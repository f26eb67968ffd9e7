// The one line of a terminal that says how far things are, and is overwritten as they proceed.
internal import Reports

/// A line that is written over on a terminal, and lines that stay anywhere.
struct OverwrittenLine {
  /// Whether a line can be written over; elsewhere nothing of it is shown.
  let isTerminal: Bool
  /// Asked again for each line: a window may have become narrower.
  private let columns: () -> Int
  private let isASCII: Bool
  private let write: (String) -> Void
  /// Characters of the line that is written over.
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

  /// Writes the parts over the last line: the first selection of parts that there is room for, or nothing.
  ///
  /// - Parameter selections: From the longest to the shortest; parts that are nil are left out.
  mutating func rewrite(_ selections: [[String?]]) {
    guard isTerminal else { return }
    let text = plain(OverwrittenLine.text(selections, columns: columns() - 1))
    write(erasure + text)
    shown = text.count
  }

  /// Writes a line that stays, with the program's name before it.
  mutating func say(_ text: String) {
    clear()
    write(plain("\(Console.programName): \(text.onOneLine)\n"))
  }

  /// Leaves a clean line behind.
  mutating func clear() {
    if shown > 0 { write(erasure) }
    shown = 0
  }

  /// The first selection that is at most so many characters wide.
  ///
  /// One column of the terminal is to stay free, since some wrap when the last is filled.
  static func text(_ selections: [[String?]], columns: Int) -> String {
    selections.lazy.map { $0.compactMap(\.self).joined(separator: " · ") }.first { $0.count <= columns } ?? ""
  }

  /// A bar of text that is full in the share `done` of `total`.
  static func bar(_ done: Int, of total: Int) -> String {
    let width = 16
    let full = total > 0 ? min(max(done * width / total, 0), width) : 0
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }

  /// Blanks over the last line, so that terminals that know no escape sequences are served too.
  private var erasure: String {
    shown > 0 ? "\r" + String(repeating: " ", count: max(min(shown, columns() - 1), 0)) + "\r" : ""
  }

  private func plain(_ text: String) -> String { isASCII ? TerminalText.ascii(text) : text }
}

// The commands that a history's page suggests, quoted for a shell.
package import Analysis

/// Makes command lines.
package struct HistoryCommands: Sendable {
  private let program: String
  /// The options of this command that the next command needs too.
  private let options: [String]
  /// Quotes a word for a shell.
  private let quoted: @Sendable (String) -> String

  package init(program: String, options: [String], quoted: @escaping @Sendable (String) -> String) {
    self.program = program
    self.options = options
    self.quoted = quoted
  }

  package func pair(_ pair: HistoryPair) -> String {
    let sides = ["--base-ref", HistoryCommit.name(of: pair.base), "--head-ref", HistoryCommit.name(of: pair.head)]
    return line(["pair"] + sides + pair.options + pair.limits + ["--explain"])
  }

  func bisect(_ change: HistoryChange) -> String { line(["history", "bisect"] + selection(change) + options) }

  func accept(_ change: HistoryChange) -> String {
    line(["history", "accept"] + selection(change) + ["--reason"]) + " '…'"
      + options.map { " " + quoted($0) }.joined()
  }

  private func selection(_ change: HistoryChange) -> [String] {
    let key = change.key
    // A counter may have changed in several phases at once.
    let figure = key.isTime ? key.figure : "\(key.phase.rawValue).\(key.figure)"
    return [HistoryCommit.name(of: change.commit), "--only", key.cell, "--metric", figure]
  }

  private func line(_ words: [String]) -> String { ([program] + words).map(quoted).joined(separator: " ") }
}

// Whether a store's connection uses the settings of the scenario: SQLite ignores a pragma that it cannot apply.
internal import SQLiteDriver
internal import BatchmarkEngine

extension StorePragma {
  /// The pragmas with different values on an engine's connection and in the scenario, each as a note of a sample.
  ///
  /// If a pragma is set twice, the later value counts. Pragmas without an answer are not compared.
  static func differences(set: [StorePragma], answered: [StorePragma]) -> [String] {
    answered.compactMap { answer in
      guard let wanted = set.last(where: { $0.name == answer.name }), !answer.isAnswer(to: wanted) else { return nil }
      return "the scenario sets \(answer.name) to \(wanted.value); the engine's connection answers \(answer.value)"
    }
  }

  /// Whether a connection that applied the pragma would give this answer.
  private func isAnswer(to wanted: StorePragma) -> Bool {
    PragmaValue(value, of: name).isAnswer(to: PragmaValue(wanted.value, of: wanted.name))
  }
}

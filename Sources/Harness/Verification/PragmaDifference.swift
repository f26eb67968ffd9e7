// Whether a store's connection does what the scenario sets: SQLite ignores a pragma that it cannot obey.
internal import SQLiteDriver
internal import BatchmarkEngine

/// A pragma that a scenario sets and an engine's connection answers otherwise.
struct PragmaDifference: Hashable, CustomStringConvertible {
  let name: String
  let set: String
  let answered: String

  /// A note of a sample.
  var description: String { "the scenario sets \(name) to \(set); the engine's connection answers \(answered)" }

  /// Compares what was set, the later of two alike, with what was answered; what was not answered is not compared.
  static func all(set: [StorePragma], answered: [StorePragma]) -> [PragmaDifference] {
    answered.compactMap { answer in
      guard let wanted = set.last(where: { $0.name == answer.name }), !answer.isAnswer(to: wanted) else { return nil }
      return PragmaDifference(name: answer.name, set: wanted.value, answered: answer.value)
    }
  }
}

extension StorePragma {
  /// Whether a connection that obeys the pragma would answer so.
  fileprivate func isAnswer(to wanted: StorePragma) -> Bool {
    PragmaValue(value, of: name).isAnswer(to: PragmaValue(wanted.value, of: wanted.name))
  }
}

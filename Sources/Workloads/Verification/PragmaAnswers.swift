// Whether a store's connection does what the scenario sets: SQLite ignores a pragma that it cannot obey.
internal import Scenarios

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
  /// The words that SQLite answers with their numbers (https://www.sqlite.org/pragma.html).
  private static let numbers: [String: [String: String]] = [
    "synchronous": ["off": "0", "normal": "1", "full": "2", "extra": "3"],
    "temp_store": ["default": "0", "file": "1", "memory": "2"],
    "auto_vacuum": ["none": "0", "full": "1", "incremental": "2"],
    "secure_delete": ["off": "0", "on": "1", "fast": "2"],
  ]

  private var number: String {
    let word = value.lowercased()
    if let number = StorePragma.numbers[name]?[word] { return number }
    return ["on": "1", "off": "0"][word] ?? word
  }

  /// Whether a connection that obeys the pragma would answer so.
  func isAnswer(to wanted: StorePragma) -> Bool {
    // SQLite answers the size from which the cache spills.
    if name == "cache_spill", wanted.number == "1" { return number != "0" }
    return number == wanted.number
  }
}

// The keys of readers and writers beside the operation, and of what readers ask for.
import BatchmarkEngine

extension ValueDomain {
  /// Readers or writers, whatever they run in.
  static let processes = number(0...64, of: " of processes")
  static let milliseconds = number(0...2_147_483_647, of: " of milliseconds")
  /// Operations in a second.
  static let rates = 1...100_000
}

extension ScenarioKey {
  static let besideKeys = [
    ScenarioKey(
      "readers", .value(.processes), in: .beside, [.sweep, .setting], default: "\(ConcurrentWork().readers)",
      help: "how many read the store while the operation is measured"),
    ScenarioKey(
      "writers", .value(.processes), in: .beside, [.sweep, .setting], default: "\(ConcurrentWork().writers)",
      help: "how many write rows of their own meanwhile, into a table that no model has"),
    ScenarioKey(
      "rate", .value(.rate(ValueDomain.rates)), in: .beside, [.sweep, .setting], default: "\(ConcurrentWork().rate)/s",
      help: "operations that each of them begins in a second, whether or not the last has ended"),
    ScenarioKey(
      "in", .value(.words(ConcurrentWork.Place.allCases.map(\.rawValue))), in: .beside, [.sweep, .setting],
      default: ConcurrentWork().place.rawValue,
      help: "whether each is a process of its own, or a thread of the one that is measured"),
    ScenarioKey(
      "query", .mapping("what is read", .keys(.query)), in: .beside,
      help: "the rows that each read is of, with all their attributes"),
    ScenarioKey(
      "transaction", .value(.words(ConcurrentWork.TransactionStart.allCases.map(\.rawValue))), in: .beside,
      [.sweep, .setting], default: ConcurrentWork().transaction.rawValue,
      help: "how a write begins: with the lock for writing, or by reading"),
    ScenarioKey(
      "timeout", .value(.milliseconds), in: .beside, [.sweep, .setting], default: "\(ConcurrentWork().busyTimeout)",
      help: "milliseconds that each of them waits for a lock before it is refused and tries again"),
    ScenarioKey(
      "reader", .cellParameter, in: .beside, help: "the same as the scenario's own, for every cell that says nothing"),
  ]

  static let queryKeys = [
    ScenarioKey(
      "where", .text("predicate"), in: .query, help: "which rows are read, by their own attributes; any without it"),
    ScenarioKey(
      "limit", .value(.rowCount), in: .query, default: "\(ConcurrentWork.Query().limit)",
      help: "the most rows of a read, the first by key"),
  ]
}

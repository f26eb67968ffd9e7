// The key `beside`: other readers and writers that use the store while the operation is measured.
import BatchmarkEngine

extension ScenarioVariant {
  /// Reads the readers and writers.
  ///
  /// Missing or invalid settings keep their defaults.
  ///
  /// Its `reader` applies to every cell that does not set one. It is read with the cells.
  ///
  /// - Parameters:
  ///   - node: The section.
  ///   - entity: The entity of the query; `nil` if it could not be read.
  ///   - pragmas: The store's pragmas; some lock out all other connections.
  /// - Returns: The concurrent readers and writers.
  func readBeside(_ node: YAMLNode, of entity: EntityReading?, pragmas: [StorePragma]) -> ConcurrentWork {
    var work = ConcurrentWork()
    guard let section = section(node, .beside) else { return work }
    if let readers = section["readers"].flatMap({ count($0, of: .processes) }) { work.readers = readers }
    if let writers = section["writers"].flatMap({ count($0, of: .processes) }) { work.writers = writers }
    if let rate = section["rate"].flatMap({ rate($0, in: ValueDomain.rates) }) { work.rate = rate }
    if let place = section["in"].flatMap({ choice($0, of: ConcurrentWork.Place.self) }) { work.place = place }
    if let start = section["transaction"].flatMap({ choice($0, of: ConcurrentWork.TransactionStart.self) }) {
      work.transaction = start
    }
    if let timeout = section["timeout"].flatMap({ count($0, of: .milliseconds) }) { work.busyTimeout = timeout }
    if let query = section["query"].flatMap({ self.section($0, .query) }) {
      if let node = query["where"], let entity {
        work.query.condition = WhereSection(diagnostics: diagnostics).read(node, on: entity)
      }
      if let limit = query["limit"].flatMap({ count($0, of: .rowCount) }) { work.query.limit = limit }
    }
    let isExclusive = pragmas.contains { $0.name == "locking_mode" && $0.value == "exclusive" }
    if work.isThere, isExclusive {
      diagnose(
        node.place, found: "readers or writers beside a store whose locking_mode is exclusive",
        expected: "locking_mode: normal, since exclusive lets nobody else read or write")
    }
    return work
  }
}

extension NodeReading {
  /// A rate of operations: `200/s`.
  func rate(_ node: YAMLNode, in range: ClosedRange<Int>) -> Int? {
    let expected = "a rate from \(range.lowerBound)/s to \(range.upperBound)/s, such as 200/s"
    guard let text = text(node, expected: expected) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    if parts.count == 2, parts[1] == "s", let number = wholeNumberDigits(parts[0]).flatMap(Int.init),
      range.contains(number)
    {
      return number
    }
    let isNumber = wholeNumberDigits(text).flatMap(Int.init).map(range.contains) == true
    diagnose(node.place, found: node.kind, expected: expected, suggestion: isNumber ? "\(text)/s" : nil)
    return nil
  }
}

extension ValueDomain {
  /// The number of readers or writers, as processes or threads.
  static let processes = number(0...64, of: " of processes")
  static let milliseconds = number(0...2_147_483_647, of: " of milliseconds")
  /// Operations per second.
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
      help: "whether each is a process of its own, or a thread of the measured process"),
    ScenarioKey(
      "query", .mapping("what is read", .keys(.query)), in: .beside,
      help: "the rows that each read is of, with all their attributes"),
    ScenarioKey(
      "transaction", .value(.words(ConcurrentWork.TransactionStart.allCases.map(\.rawValue))), in: .beside,
      [.sweep, .setting], default: ConcurrentWork().transaction.rawValue,
      help: "how a write begins: with the write lock, or by reading"),
    ScenarioKey(
      "timeout", .value(.milliseconds), in: .beside, [.sweep, .setting], default: "\(ConcurrentWork().busyTimeout)",
      help: "milliseconds that each of them waits for a lock before it fails and tries again"),
    ScenarioKey(
      "reader", .cellParameter, in: .beside, help: "as in the scenario, for cells that do not set it"),
  ]

  static let queryKeys = [
    ScenarioKey(
      "where", .text("predicate"), in: .query, help: "which rows are read, by their own attributes; any by default"),
    ScenarioKey(
      "limit", .value(.rowCount), in: .query, default: "\(ConcurrentWork.Query().limit)",
      help: "the most rows of a read, the first by key"),
  ]
}

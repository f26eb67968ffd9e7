// The key `beside`: who else uses the store while the operation is measured.
import BatchmarkEngine

/// Reads what happens beside the operation.
///
/// Its `reader` is that of every cell that says nothing itself, as the scenario's own is; cells read it.
struct BesideSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the readers and writers; what is missing or wrong is as it is without them.
  ///
  /// - Parameters:
  ///   - node: The section.
  ///   - entity: The entity that the query is of; nil where it could not be read.
  ///   - pragmas: Those of the store; some lock all others out.
  /// - Returns: Who uses the store beside the operation.
  func read(_ node: YAMLNode, of entity: EntityReading?, pragmas: [StorePragma]) -> ConcurrentWork {
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

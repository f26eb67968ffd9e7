// The conformance rules about rows for an engine that is a program, each as a small scenario.
internal import BatchmarkEngine
internal import Programs

/// A rule about what is stored, with rows that a program stores wrongly if it breaks the rule.
package struct ConformanceCase: Sendable {
  /// The rule, as a sentence without its full stop.
  package var rule: String
  var entity = "Thing"
  /// The entity's attributes by name, as in a scenario.
  var attributes: [(name: String, declaration: String)] = []
  /// The value source of each attribute, in the same order.
  ///
  /// An attribute without a source is null in every row.
  var values: [String?] = []
  var rows = 40
  /// The whole source; it replaces the sources of single attributes.
  var source: String?
  /// The rows as lines of JSON; they replace both.
  ///
  /// A feed can have rows that a scenario would refuse.
  var feed: [String] = []
  var unique = ""
  /// Whether some rows repeat unique values.
  var repeatsValues = false
  var policy = "error"
  var store = "journal_mode: wal, synchronous: normal, wal_autocheckpoint: 1000"
  /// Rows per transaction; `nil` for all in one.
  var transaction: Int?
  /// The operation on the rows.
  var operation = Operation.Kind.insert
  var more = ""

  /// The scenario for a strategy; `nil` if it does not claim to follow the rule, or lacks a parameter that the case
  /// sets.
  func scenario(engine: String, strategy: Strategy, _ offer: ProgramStrategy?) -> String? {
    if repeatsValues, offer?.upserts == false { return nil }
    if let known = offer?.entities, !known.contains(entity) { return nil }
    var parameters = ""
    if let transaction {
      guard let key = transactionKey(of: strategy) else { return nil }
      parameters = ", \(key): \(transaction)"
    }
    let declarations = attributes.map { "      \($0.name): \($0.declaration)" }.joined(separator: "\n")
    let drawn = zip(attributes, values).compactMap { attribute, values in values.map { "\(attribute.name): \($0)" } }
    let synthetic =
      "{synthetic: {entities: {\(entity): {rows: \(rows), attributes: {\(drawn.joined(separator: ", "))}}}}}"
    let source = feed.isEmpty ? source ?? synthetic : "{feed: \(ConformanceCase.feedName)}"
    return """
      scenario: conformance
      model:
        \(entity):
          attributes:
      \(declarations)
          \(unique.isEmpty ? "" : "unique: [\(unique)]")
      entity: \(entity)
      source: \(source)
      operation: \(operation.rawValue)
      merge_policy: \(policy)
      store: {\(store)}
      cells: [{engine: \(engine), strategy: \(strategy.name)\(parameters)}]
      measure: {warm_up: 0}
      \(more)

      """
  }

  /// The name of the feed's file, which is next to the scenario.
  static let feedName = "rows.jsonl"

  /// The name of the strategy's parameter for the rows per transaction; `nil` if it has none.
  func transactionKey(of strategy: Strategy) -> String? {
    ["save_every", "request_size"].first { key in strategy.parameters.contains { $0.name == key } }
  }

  /// The expected number of transactions; `nil` if the case does not set it.
  var transactions: Int? { transaction.map { (rows + $0 - 1) / $0 } }
}

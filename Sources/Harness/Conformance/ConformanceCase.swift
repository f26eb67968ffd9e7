// What an engine that is a program must do right with rows: a small scenario for each rule.
internal import BatchmarkEngine
internal import Programs

/// A rule about what is stored, with rows that break it where it is not kept.
package struct ConformanceCase: Sendable {
  /// The rule, as a sentence without its full stop.
  package var rule: String
  var entity = "Thing"
  /// The entity's attributes by name, as in a scenario.
  var attributes: [(name: String, declaration: String)] = []
  /// What each is drawn from, in the same order; an attribute without any is null in every row.
  var values: [String?] = []
  var rows = 40
  /// The whole source, in place of one of the values.
  var source: String?
  /// The rows as lines of JSON, in place of either: what a scenario would refuse, it cannot know of a feed.
  var feed: [String] = []
  var unique = ""
  /// Whether rows have unique values that are taken.
  var repeatsValues = false
  var policy = "error"
  var store = "journal_mode: wal, synchronous: normal, wal_autocheckpoint: 1000"
  /// Rows of each transaction; nil for all.
  var transaction: Int?
  /// What is done with the rows.
  var operation = Operation.Kind.insert
  var more = ""

  /// The scenario for a strategy; nil where it does not claim to keep the rule, or has no parameter that the case sets.
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

  /// The feed's file, beside the scenario.
  static let feedName = "rows.jsonl"

  /// The strategy's parameter that says how many rows a transaction has; nil where it has none.
  func transactionKey(of strategy: Strategy) -> String? {
    ["save_every", "request_size"].first { key in strategy.parameters.contains { $0.name == key } }
  }

  /// The transactions that a case asks for.
  var transactions: Int? { transaction.map { (rows + $0 - 1) / $0 } }
}

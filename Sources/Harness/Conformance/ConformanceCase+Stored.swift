// The conformance rules about rows that are already in the store: what a fetch must read, and what an update or a
// deletion must leave.
internal import BatchmarkEngine

extension ConformanceCase {
  /// The same case as a fetch: its rows are in the store and are read back.
  var fetched: ConformanceCase {
    var other = self
    other.rule = "fetched as stored: " + rule
    other.operation = .fetch
    return other
  }

  private static func quakes(
    _ operation: Operation.Kind, _ rule: String, _ more: String, transaction: Int? = nil
  ) -> ConformanceCase {
    ConformanceCase(
      rule: rule, entity: "Quake", attributes: quake, rows: 200,
      source: "{generate: {rows: 200, seed: 7, duplicates: 0%}}", unique: "[code]", transaction: transaction,
      operation: operation,
      more: more)
  }

  static let fetches = [
    quakes(.fetch, "only rows that meet the condition are read", "where: magnitude >= 1"),
    quakes(
      .fetch, "a condition may have every part that there is",
      #"where: (magnitude BETWEEN {1, 3} OR place CONTAINS ", CA") AND NOT (place BEGINSWITH "1" OR magnitude = NULL)"#),
    quakes(
      .fetch, "a condition may compare with times and lists",
      #"where: time > "2018-06-12T12:00:00Z" AND magnitude IN {0.01, 0.05, 0.13}"#),
    quakes(.fetch, "rows come in their order", "order: code"),
    quakes(.fetch, "rows come in their order, the last first", "order: code\ndescending: true"),
    quakes(.fetch, "a page of the rows is read", "order: code\noffset: 30\nlimit: 20"),
    quakes(.fetch, "the last page may have fewer rows", "order: code\noffset: 190\nlimit: 20"),
  ]

  private static func update(_ rule: String, _ type: String, _ value: String) -> ConformanceCase {
    ConformanceCase(
      rule: rule, attributes: [("size", "{type: int32}"), ("value", "{type: \(type), optional: true}")],
      values: ["{range: [1, 9]}", nil], operation: .update, more: "where: size < 5\nset: {value: \(value)}")
  }

  static let updates = [
    update("an update gives integers", "int64", "9007199254740993"),
    update("an update gives doubles", "double", "0.1"),
    update("an update gives whole doubles, which stay REAL", "double", "3"),
    update("an update gives true", "boolean", "true"),
    update("an update gives times", "date", "\"2001-01-01T00:00:00.5Z\""),
    update("an update gives text", "string", #""it's \"quoted\" 日本語""#),
    quakes(.update, "an update takes values away", "where: magnitude < 1\nset: {place: null, magnitude: null}"),
    quakes(.update, "an update may be of every row", "set: {place: nowhere}"),
    quakes(
      .update, "each updated row may have a transaction of its own", "set: {place: nowhere}", transaction: 1),
    quakes(
      .update, "the last transaction of an update may have fewer rows", "set: {place: nowhere}", transaction: 7),
  ]

  static let deletions = [
    quakes(.delete, "only rows that meet the condition are deleted", "where: magnitude < 1"),
    quakes(.delete, "every row may be deleted", ""),
    quakes(.delete, "each deleted row may have a transaction of its own", "", transaction: 1),
    quakes(.delete, "the last transaction of a deletion may have fewer rows", "", transaction: 7),
  ]
}

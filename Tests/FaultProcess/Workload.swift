// The subject of fault tests: stores, the work on them, and the parts that may be stored.
internal import ObjectGraph

/// Work on stores that succeeds without faults.
struct Workload: Sendable {
  /// The part of the work that may be stored without the rest.
  enum Unit: Sendable {
    /// No part: all of it or none.
    case whole
    /// The layout of a new store, then its history.
    case layout
    /// Transactions, with the number of rows in the error.
    case rows(table: String)
    /// Whole versions of the model, in order.
    case versions
  }

  let name: String
  var storeNames = ["a.sqlite"]
  /// Whether the stores have a write-ahead log instead of a rollback journal.
  var hasLog = true
  var mergePolicy = MergePolicy.error
  var unit = Unit.whole
  /// Stores the contents before the work; with nil there are no stores, and the work is to make them.
  var fill: (@Sendable (Session) throws -> Void)?
  /// Whether the pending changes stay in their context if the work fails, or may move from child to parent.
  var keepsPendingChanges = true
  /// Makes the changes in the context that the work stores; there are no faults during this.
  var prepare: @Sendable (Session) throws -> Void = { _ in }
  /// The model versions that the stores are migrated through when they are opened, which is the work; they are filled
  /// with the first version.
  var migration: MigrationWork?
  /// Whether the work is to open the stores.
  var opens: Bool { fill == nil || migration?.isDone == false }
  /// The work; it is repeated after a failure.
  var attempt: @Sendable (Session) throws -> Void = { _ in }

  /// Every workload, in the order of the report.
  static let all =
    [create, save, saveWithRelationships, update, delete, saveWithJournal, saveThroughChildren, childrenWithJournal]
    + batchInserts
    + [batchUpdate, batchDelete, purgeHistory, severalStores, boundedLog] + migrations
}

extension Workload {
  /// The contents for most workloads: items, and entries in folders with tags, over several transactions of history.
  @Sendable static func stock(_ session: Session) throws {
    let context = session.context
    for number in 0..<30 { try context.makeItem(Int64(number), text: number % 3 == 0 ? nil : "item \(number)") }
    try context.save()
    let tags = try ["red", "green", "blue"].map { try context.makeTag($0) }
    for title in ["first", "second"] {
      let folder = try context.makeFolder(title)
      for number in 0..<8 {
        let entry = try context.makeEntry("\(title) \(number)", in: folder, tags: Array(tags.prefix(number % 4)))
        entry[Entry.text] = String(repeating: "t", count: number == 3 ? 3_000 : 40)
      }
      try context.save()
    }
    try context.makeEntry("loose")
    try context.save()
  }
}

// What meets the faults: stores, what is to be done to them, and how its parts may be stored.
internal import ObjectGraph

/// Work on stores that succeeds when nothing fails.
struct Workload: Sendable {
  /// What of the work may be stored when the rest is not.
  enum Unit: Sendable {
    /// Nothing: all of it or none.
    case whole
    /// The layout of a new store, and then its history.
    case layout
    /// Transactions with the number of rows that the error names.
    case rows(table: String)
    /// Whole versions of the model, one after another.
    case versions
  }

  let name: String
  var storeNames = ["a.sqlite"]
  /// Whether the stores have a write-ahead log, and not a rollback journal.
  var hasLog = true
  var mergePolicy = MergePolicy.error
  var unit = Unit.whole
  /// What is stored before; with nil there are no stores, and the work is to make them.
  var fill: (@Sendable (Session) throws -> Void)?
  /// Whether the pending changes stay in the context that has them when the work fails; they may pass from child to parent.
  var keepsPendingChanges = true
  /// Changes in the context that the work is to store; nothing fails meanwhile.
  var prepare: @Sendable (Session) throws -> Void = { _ in }
  /// The versions of the model that the stores are migrated through when they are opened, which is then the work; the
  /// stores are filled with the first.
  var migration: MigrationWork?
  /// Whether the work is to open the stores.
  var opens: Bool { fill == nil || migration?.isDone == false }
  /// The work, done again after it failed.
  var attempt: @Sendable (Session) throws -> Void = { _ in }

  /// Every workload, in the order in which they are reported.
  static let all =
    [create, save, saveWithRelationships, update, delete, saveWithJournal, saveThroughChildren, childrenWithJournal]
    + batchInserts
    + [batchUpdate, batchDelete, purgeHistory, severalStores, boundedLog] + migrations
}

extension Workload {
  /// What most workloads find: items, and entries in folders with tags, all over several transactions of history.
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

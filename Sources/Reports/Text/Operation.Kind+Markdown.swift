// Words for operations in reports.
internal import Analysis

extension Operation.Kind {
  /// A noun for the operation's phase.
  var noun: String {
    switch self {
    case .insert: "ingest"
    case .update: "the update"
    case .delete: "the delete"
    case .fetch: "the fetch"
    case .migrate: "the migration"
    }
  }

  /// A verb for what it does to rows, in the third person.
  var verb: String {
    switch self {
    case .insert: "inserts"
    case .update: "changes"
    case .delete: "removes"
    case .fetch: "reads"
    case .migrate: "changes the store of"
    }
  }

  /// What happens to a row, as a participle.
  var participle: String {
    switch self {
    case .insert: "inserted"
    case .update: "updated"
    case .delete: "deleted"
    case .fetch: "fetched"
    case .migrate: "migrated"
    }
  }
}

extension ScenarioReport.RowCounts {
  /// The rows of the operation: all rows of the source, or those that are updated, deleted or fetched.
  ///
  /// A fetch that follows relationships may read more rows than there are.
  var words: String {
    let all = HumanUnits.counted(most, "row")
    if let least { return "\(Digits.grouped(least)) to \(all)" }
    guard let changed, changed != most || changedLeast != nil else { return all }
    let some = (changedLeast.map { "\(Digits.grouped($0)) to " } ?? "") + Digits.grouped(changed)
    return changed > most ? "\(some) rows" : "\(some) of \(all)"
  }
}

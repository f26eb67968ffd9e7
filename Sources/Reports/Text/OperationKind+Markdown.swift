// What a scenario's operation is called in a report.
internal import Analysis
internal import Harness
internal import Scenarios

extension Operation.Kind {
  /// The heading over the operation's phase.
  var title: String {
    switch self {
    case .insert: "Ingest"
    case .update: "Update"
    case .delete: "Delete"
    case .fetch: "Fetch"
    }
  }

  /// The operation's phase within a sentence.
  var noun: String {
    switch self {
    case .insert: "ingest"
    case .update: "the update"
    case .delete: "the delete"
    case .fetch: "the fetch"
    }
  }

  /// What becomes of a row.
  var participle: String {
    switch self {
    case .insert: "inserted"
    case .update: "updated"
    case .delete: "deleted"
    case .fetch: "fetched"
    }
  }
}

extension ScenarioResults {
  /// The rows that the operation is about: the source's, or those of them that are updated or deleted.
  var rowsInWords: String {
    let least = sweptValues(of: "rows")?.compactMap { value -> Int? in
      if case .count(let rows) = value { rows } else { nil }
    }.min()
    let range = least.flatMap { $0 < rows ? Digits.grouped($0) + " to " : nil } ?? ""
    let all = range + HumanUnits.counted(rows, "row")
    if !range.isEmpty { return all }
    guard operation != .insert, let changed = cells.lazy.compactMap(\.main?.rows).first, changed != rows else {
      return all
    }
    return "\(Digits.grouped(changed)) of \(all)"
  }
}

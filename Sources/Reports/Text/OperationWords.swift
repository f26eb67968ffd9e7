// What a scenario's operation is called in a report.
internal import Harness
internal import Scenarios

extension ScenarioOperation {
  /// The heading over the operation's phase.
  var title: String {
    switch self {
    case .insert: "Ingest"
    case .update: "Update"
    case .delete: "Delete"
    }
  }

  /// The operation's phase within a sentence.
  var noun: String {
    switch self {
    case .insert: "ingest"
    case .update: "the update"
    case .delete: "the delete"
    }
  }

  /// What becomes of a row.
  var participle: String {
    switch self {
    case .insert: "inserted"
    case .update: "updated"
    case .delete: "deleted"
    }
  }
}

extension ScenarioResults {
  /// The rows that the operation is about: the source's, or those of them that are updated or deleted.
  var rowsInWords: String {
    let all = HumanUnits.counted(rows, "row")
    guard operation != .insert, let changed = cells.lazy.compactMap(\.main?.rows).first, changed != rows else {
      return all
    }
    return "\(Digits.grouped(changed)) of \(all)"
  }
}

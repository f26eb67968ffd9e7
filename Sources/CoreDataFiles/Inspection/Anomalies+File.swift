// Finds anomalies of the file, its metadata and its history.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Anomalies {
  func ofFile() -> [String] {
    var sentences = complaints.map { "SQLite's check of the file complains: \($0)." }
    if let journalBytes, journalBytes > 0 {
      sentences.append(
        "A rollback journal of \(counted(journalBytes, "byte")) lies beside the file: "
          + "a transaction was not finished, and the figures may be of its middle.")
    }
    return sentences
  }

  func ofBookkeeping() -> [String] {
    var sentences: [String] = []
    switch metadata {
    case .absent: sentences.append("Z_PLIST in Z_METADATA is null: the store does not say which model it is of.")
    case .unreadable(let problem):
      sentences.append("Z_PLIST in Z_METADATA cannot be read: found \(problem.found), expected \(problem.expected).")
    case .read: break
    }
    if inspection.metadata.uuid == nil { sentences.append("Z_METADATA has no identifier of the store.") }
    if inspection.metadata.modelCacheBytes == nil {
      // Core Data has kept one since version 637, in 2015.
      let isUsual = inspection.metadata.frameworkVersion.map { $0 < 637 } ?? false
      sentences.append(
        "The store has no copy of its model"
          + (isUsual ? ", as is usual before 2015" : "")
          + (inspection.model.origin == .schema ? ", so the model was worked out from its tables." : "."))
    }
    let unhashed = inspection.metadata.entitiesWithoutHash
    if !unhashed.isEmpty {
      sentences.append(
        "Z_PRIMARYKEY names the \(verb(unhashed.count, "entity", "entities")) \(list(unhashed)), of which the metadata has "
          + "no version hash.")
    }
    let unnamed = inspection.metadata.hashesWithoutEntity
    if !unnamed.isEmpty {
      sentences.append(
        "The metadata has a version hash of \(list(unnamed)), which Z_PRIMARYKEY does not name.")
    }
    return sentences
  }

  func ofHistory() throws(SQLiteError) -> [String] {
    guard let history = inspection.history, history.transactions > 0 else { return [] }
    var sentences: [String] = []
    // The first transaction has key 1, and a purge deletes it first.
    let isWhole = try store.connection.scalar("SELECT min(Z_PK) FROM ATRANSACTION") == 1
    if isWhole, history.changes >= 1_000, (history.share ?? 1) >= 0.1 {
      let share = history.share.map { " and takes \(Int(($0 * 100).rounded())) % of the file" } ?? ""
      sentences.append(
        "History has never been purged: it holds \(counted(history.changes, "change"))\(share).")
    }
    let lost = try store.connection.scalar(
      """
      SELECT count(*) FROM ACHANGE AS c LEFT JOIN ATRANSACTION AS t ON t.Z_PK = c.ZTRANSACTIONID WHERE t.Z_PK IS NULL
      """)
    if let lost, lost > 0 {
      sentences.append(
        "\(counted(lost, "change")) of history \(verb(lost, "belongs", "belong")) to a transaction that is not there.")
    }
    return sentences
  }
}

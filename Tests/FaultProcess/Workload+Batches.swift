// The workloads that bypass the objects: batch requests, and deletion of history.
internal import CoreDataModel
internal import ObjectGraph

extension Workload {
  /// Each style of batch insert, with a different result type and a different handling of unique values.
  static let batchInserts = [
    Workload(
      name: "batch insert, dictionaries", fill: stock,
      attempt: { session in
        let rows = (0..<130).map { number -> [String: AttributeValue] in
          ["number": .integer(Int64(number)), "text": number % 4 == 0 ? .null : .string("row \(number)")]
        }
        var request = BatchInsertRequest(entityName: Item.name, objects: rows)
        request.resultType = .count
        try session.execute(request, expecting: .count(130))
      }),
    Workload(
      name: "batch insert, dictionary handler", mergePolicy: .mergeByPropertyObjectTrump, fill: stock,
      attempt: { session in
        var number = 0
        var request = BatchInsertRequest(entityName: Entry.name) { (row: inout [String: AttributeValue]) in
          if number == 40 { return true }
          // The rows of the first folder already exist.
          row["code"] = .string("first \(number)")
          row["number"] = .integer(Int64(number))
          row["text"] = .string(String(repeating: "d", count: number == 20 ? 4_000 : 20))
          number += 1
          return false
        }
        request.resultType = .objectIDs
        try session.context.execute(request)
      }),
    Workload(
      name: "batch insert, object handler", mergePolicy: .mergeByPropertyStoreTrump, fill: stock,
      attempt: { session in
        var number = 0
        var request = BatchInsertRequest(entityName: Entry.name) { (entry: ManagedObject) in
          if number == 40 { return true }
          entry[Entry.code] = "second \(number)"
          entry[Entry.number] = Int64(number)
          number += 1
          return false
        }
        request.resultType = .changes
        try session.context.execute(request)
      }),
  ]

  static let batchUpdate = Workload(
    name: "batch update", fill: stock,
    attempt: { session in
      var request = BatchUpdateRequest(
        entityName: Item.name, propertiesToUpdate: ["text": .string(String(repeating: "u", count: 200))],
        predicate: Item.number >= 5)
      request.resultType = .objectIDs
      try session.context.execute(request)
    })

  /// Deletes folders with their entries, which are removed from their tags.
  static let batchDelete = Workload(
    name: "batch delete", fill: stock,
    attempt: { session in
      var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: Folder.name))
      request.resultType = .changes
      try session.context.execute(request)
    })

  static let purgeHistory = Workload(
    name: "history purge", fill: stock,
    attempt: { session in
      let token = try session.coordinator.currentPersistentHistoryToken()
      try session.context.execute(PersistentHistoryChangeRequest.deleteHistory(before: token))
    })

  /// A log limited to a few dozen pages, and rows for several times as many.
  static let boundedLog = Workload(
    name: "bounded log", unit: .rows(table: "ZITEM"), fill: stock,
    attempt: { session in
      let rows = (session.rowsStored..<90).map { number -> [String: AttributeValue] in
        ["number": .integer(Int64(number)), "text": .string(String(repeating: "b", count: 400))]
      }
      var request = BatchInsertRequest(entityName: Item.name, objects: rows)
      request.walSizeLimit = 48 << 10
      try session.context.execute(request)
    })
}

/// A request returned a wrong result.
struct WrongResult: Error {
  let found: BatchResult
  let expected: BatchResult
}

extension Session {
  fileprivate func execute(_ request: BatchInsertRequest, expecting expected: BatchResult) throws {
    let found = try context.execute(request)
    if found != expected { throw WrongResult(found: found, expected: expected) }
  }
}

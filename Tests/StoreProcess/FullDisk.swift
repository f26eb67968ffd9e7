// Fills a disk with a batch insert and with a save, and continues once there is space.
internal import Foundation
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// A store that runs out of space twice.
struct FullDisk {
  /// The reason for the missing space.
  enum Cause: String {
    /// The folder is on a small disk; the file `filler` takes a part of it until space is needed.
    case smallDisk
    /// No file of this process may grow beyond a limit.
    case fileSizeLimit
  }

  /// The result.
  struct Outcome: Encodable {
    let what: String
    /// SQLite's code for the failure; nil after a success.
    var code: Int32?
    var message: String?
    /// The rows that are stored according to the error; nil if it does not say.
    var rowsStored: Int?
    /// Objects that are still to be inserted.
    var pending = 0
  }

  private let folder: String
  private let cause: Cause

  init(_ folder: String, _ cause: Cause) {
    self.folder = folder
    self.cause = cause
  }

  func run() throws {
    let path = folder + "/store.sqlite"
    let coordinator = try PersistentStoreCoordinator.entries(at: path)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      try insert(10, named: "before", into: context)
      try context.save()
      takeRoom()
      var bounded = batch("several")
      bounded.walSizeLimit = 512 << 10
      report(outcome("in several", of: bounded, context))
      report(outcome("in one transaction", of: batch("one"), context))
      try insert(20_000, named: "saved", into: context)
      report(outcome("save", context) { () throws(ObjectGraphError) in try context.save() })
      try makeRoom()
      report(outcome("save again", context) { () throws(ObjectGraphError) in try context.save() })
      report(outcome("batch again", of: batch("one"), context))
    }
    try coordinator.close()
  }

  private func takeRoom() {
    switch cause {
    case .smallDisk: break
    case .fileSizeLimit:
      // By default, the signal ends the process. If it is ignored, the write fails.
      signal(SIGXFSZ, SIG_IGN)
      setLimit(1 << 20)
    }
  }

  private func makeRoom() throws {
    switch cause {
    case .smallDisk: try FileManager.default.removeItem(atPath: folder + "/filler")
    case .fileSizeLimit: setLimit(nil)
    }
  }

  private func setLimit(_ bytes: Int?) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  private func insert(_ count: Int, named name: String, into context: ManagedObjectContext) throws {
    for number in 0..<count {
      let entry = try context.insertNewObject(forEntityName: Entry.name)
      entry[Entry.group] = 0
      entry[Entry.size] = Int64(count)
      entry[Entry.generation] = 0
      entry[Entry.code] = "\(name) \(number)"
    }
  }

  private func batch(_ name: String) -> BatchInsertRequest {
    var number = 0
    return BatchInsertRequest(entityName: Entry.name) { (entry: inout [String: AttributeValue]) in
      if number == 20_000 { return true }
      entry["group"] = 1
      entry["size"] = 1
      entry["generation"] = 1
      entry["code"] = .string("\(name) \(number)")
      number += 1
      return false
    }
  }

  private func outcome(_ what: String, of request: BatchInsertRequest, _ context: ManagedObjectContext) -> Outcome {
    outcome(what, context) { () throws(ObjectGraphError) in try context.execute(request) }
  }

  private func outcome(
    _ what: String, _ context: ManagedObjectContext, _ body: () throws(ObjectGraphError) -> Void
  ) -> Outcome {
    var outcome = Outcome(what: what)
    do throws(ObjectGraphError) {
      try body()
    } catch {
      var cause = error
      if case .partlyStored(_, let rows, _, let because) = error {
        outcome.rowsStored = rows
        cause = because
      }
      outcome.message = "\(error)"
      outcome.code = if case .store(let error, _) = cause { error.code.rawValue } else { -1 }
    }
    outcome.pending = context.insertedObjects.count
    return outcome
  }
}

// A store that can be blocked for a while, like on a failing disk.
import Foundation
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver

/// A stack on a store without a write-ahead log, in which a writer blocks readers.
struct BusyStore {
  let stack: TestStack
  let coordinator: PersistentStoreCoordinator
  let path: String

  init(_ stack: TestStack) throws {
    self.stack = stack
    path = stack.directory.appending(path: "busy.sqlite").path
    coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    var description = PersistentStoreDescription(path: path)
    description.pragmas = [.init("journal_mode", "delete")]
    description.busyTimeout = 5
    try coordinator.addPersistentStore(description)
  }

  /// Runs the body while nothing can be read.
  func whileBusy(_ body: () throws -> Void) throws {
    let other = try Connection(path: path, access: .readWrite)
    try other.begin(.exclusive)
    let result = Result { try body() }
    try other.commit()
    try other.close()
    try result.get()
  }

  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }
}

/// The validation failures, if those made the body fail.
func failures(_ body: () throws(ObjectGraphError) -> Void) -> [ValidationFailure] {
  do throws(ObjectGraphError) {
    try body()
  } catch {
    if case .validation(let failures) = error { return failures }
  }
  return []
}

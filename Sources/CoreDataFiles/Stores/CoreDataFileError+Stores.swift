// What a file that should be a store of Core Data's turns out to be, in one sentence.
internal import ObjectGraph
internal import SQLiteDriver

extension CoreDataFileError {
  static func noStore(_ path: String, found: String) -> CoreDataFileError {
    .invalid(
      path: path, found: found, expected: "a store that Core Data wrote, with the tables Z_PRIMARYKEY and Z_METADATA")
  }

  static func damaged(_ path: String, found: String) -> CoreDataFileError {
    .damaged(path: path, found: found)
  }

  /// What SQLite says of the file.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case .notADatabase: .noStore(path, found: "a file that is no SQLite database, or an encrypted one")
      case .corrupt: .damaged(path, found: "damaged pages (\(error.message))")
      // A schema that SQLite can read and that says something else than it should.
      case .error: .damaged(path, found: "tables that cannot be read (\(error.message))")
      default: .unreadable(path: path, reason: error.message)
      }
  }

  /// What the object graph says of the file.
  init(_ error: ObjectGraphError, path: String) {
    self =
      switch error {
      case .incompatibleStore(_, let differences):
        .invalid(
          path: path, found: "a store that does not fit its model: \(differences.joined(separator: "; "))",
          expected: "every table and column of the model")
      case .store(let error, _): CoreDataFileError(error, path: path)
      default: .unreadable(path: path, reason: "\(error)")
      }
  }
}

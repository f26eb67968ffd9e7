// Why a file cannot be read as a Core Data store or model.
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// An error that says in one sentence what was found in a file and what was expected.
///
/// ```swift
/// do {
///   let file = try StoreFile(path: "MyApp.sqlite")
/// } catch .invalid(let path, let found, let expected) {
///   print("\(path) is \(found), not \(expected)")
/// }
/// ```
public enum CoreDataFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no file at the path, or this process may not read it.
  case unreadable(path: String, reason: String)
  /// The file has other content: `found` and `expected` are noun phrases.
  case invalid(path: String, found: String, expected: String)
  /// The file is or was a store, but is damaged or truncated: `found` is a noun phrase.
  case damaged(path: String, found: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .invalid(let path, let found, let expected): "\(path): found \(found); expected \(expected)"
    case .damaged(let path, let found): "\(path): found \(found); expected \(CoreDataFileError.wholeStore)"
    }
  }

  /// What is expected instead of a damaged store.
  package static let wholeStore = "a whole store; copy it again, with the -wal file beside it"
}

extension CoreDataFileError {
  static func noStore(_ path: String, found: String) -> CoreDataFileError {
    .invalid(
      path: path, found: found, expected: "a store that Core Data wrote, with the tables Z_PRIMARYKEY and Z_METADATA")
  }

  static func damaged(_ path: String, found: String) -> CoreDataFileError {
    .damaged(path: path, found: found)
  }

  /// Converts SQLite's error for the file.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case .notADatabase: .noStore(path, found: "a file that is no SQLite database, or an encrypted one")
      case .corrupt: .damaged(path, found: "damaged pages (\(error.message))")
      // SQLite can read the schema, but not the tables that should be in it.
      case .error: .damaged(path, found: "tables that cannot be read (\(error.message))")
      default: .unreadable(path: path, reason: error.message)
      }
  }

  /// Converts ObjectGraph's error for the file.
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

extension MalformedContent {
  /// The error for a file with this content.
  func inFile(_ path: String) -> CoreDataFileError { .invalid(path: path, found: found, expected: expected) }
}

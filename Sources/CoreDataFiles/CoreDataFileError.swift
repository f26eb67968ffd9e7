// Why a file cannot be read as a store or a model of Core Data's.

/// A file that is not what it should be, in one sentence that says what was found and what was expected.
///
/// ```swift
/// do {
///   let file = try StoreFile(path: "MyApp.sqlite")
/// } catch .invalid(let path, let found, let expected) {
///   print("\(path) is \(found), not \(expected)")
/// }
/// ```
public enum CoreDataFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is nothing at the path, or nothing this process may read.
  case unreadable(path: String, reason: String)
  /// The file is there and is something else: `found` and `expected` are noun phrases.
  case invalid(path: String, found: String, expected: String)
  /// The file is a store or was one, and is damaged or cut off: `found` is a noun phrase.
  case damaged(path: String, found: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .invalid(let path, let found, let expected): "\(path): found \(found); expected \(expected)"
    case .damaged(let path, let found): "\(path): found \(found); expected \(CoreDataFileError.wholeStore)"
    }
  }

  /// What is expected in the place of a damaged store.
  package static let wholeStore = "a whole store; copy it again, with the -wal file beside it"
}

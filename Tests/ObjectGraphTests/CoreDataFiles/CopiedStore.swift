// A copy of a store in a folder of its own, to be changed as a test needs it.
import Foundation
import CoreDataFiles
import CoreDataModel
import ObjectGraph
import SQLiteDriver
import StoreFixtures

/// A store in a folder that goes with it.
final class CopiedStore {
  let directory: URL
  let path: String

  /// Copies a store; without one, the folder is empty.
  init(_ store: SampleStore? = nil) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "copied-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appending(path: "store.sqlite").path
    if let store {
      // As bytes: the originals may not be written.
      try Data(contentsOf: URL(filePath: store.path)).write(to: URL(filePath: path))
    }
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    try? FileManager.default.removeItem(at: directory)
  }

  /// Changes the copy past the library, in one file: no log stays beside it.
  func execute(_ sql: String) throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.setPragma("journal_mode", to: "delete")
    try connection.execute(sql)
    try connection.close()
  }

  /// Takes away the triggers of derived attributes, which call a function that Core Data alone has.
  func dropTriggers() throws {
    for name in try PlainSQL(path).rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try execute("DROP TRIGGER \(name)")
    }
  }

  /// The bytes of each file of the folder by name.
  func files() throws -> [String: Data] { try CopiedStore.files(in: directory) }

  static func files(in directory: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      files[name] = try Data(contentsOf: directory.appending(path: name))
    }
    return files
  }
}

/// Questions in SQL to a file that stays as it is.
struct PlainSQL {
  let connection: Connection

  init(_ path: String) throws { connection = try Connection(path: path, access: .immutable) }

  func count(_ sql: String) throws -> Int { Int(try connection.scalar(sql) ?? 0) }

  /// Every row as text, columns joined by `|`.
  func rows(_ sql: String) throws -> [String] {
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      // SQLite's own text of a number has fifteen digits.
      let texts = (0..<statement.columnCount).map { column in
        statement.columnType(column) == .real ? "\(statement.double(column))" : statement.string(column) ?? "NULL"
      }
      rows.append(texts.joined(separator: "|"))
    }
    return rows
  }
}

extension StoreFile {
  /// Runs the body in a context of the store's own.
  func read<T: Sendable>(_ body: (ManagedObjectContext) throws -> T) throws -> T {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    return try context.performAndWait { () throws in try body(context) }
  }

  /// How many objects each entity has of its own.
  func counts() throws -> [String: Int] {
    try read { context in
      var counts: [String: Int] = [:]
      for entity in recoveredModel.model.entities {
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        counts[entity.name] = try context.count(for: request)
      }
      return counts
    }
  }
}

/// What is wrong with the file, when that is why the body failed.
func fileError(_ body: () throws -> Void) -> CoreDataFileError? {
  do { try body() } catch { return error as? CoreDataFileError }
  return nil
}

/// A value as SQL would show it: seconds, hexadecimal digits of a UUID, the number of bytes.
func text(_ value: AttributeValue) -> String {
  switch value {
  case .null: "NULL"
  case .integer(let number): "\(number)"
  case .boolean(let flag): flag ? "1" : "0"
  case .real(let number): "\(number)"
  case .decimal(let number): "\(number)"
  case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
  case .string(let text): text
  case .binary(let data): "\(data.count)"
  case .uuid(let id): id.uuidString.filter { $0 != "-" }
  case .uri(let url): url.absoluteString
  case .reference: "an object"
  }
}

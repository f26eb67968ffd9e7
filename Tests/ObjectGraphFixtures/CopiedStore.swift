// A copy of a store in its own folder, which a test can change.
package import CoreDataModel
package import Foundation
package import SQLiteDriver
package import StoreFixtures

/// A store in a folder that is removed with it.
package final class CopiedStore {
  package let directory: URL
  package let path: String

  /// Copies a store; without one, the folder is empty.
  package init(_ store: SampleStore? = nil) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "copied-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appending(path: "store.sqlite").path
    if let store {
      // Copy the bytes, because the originals are read-only.
      try Data(contentsOf: URL(filePath: store.path)).write(to: URL(filePath: path))
    }
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    try? FileManager.default.removeItem(at: directory)
  }

  /// Changes the copy without the library, in a single file: no log stays next to it.
  package func execute(_ sql: String) throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.setPragma("journal_mode", to: "delete")
    try connection.execute(sql)
    try connection.close()
  }

  /// Removes the triggers of derived attributes, which call a function that only Core Data has.
  package func dropTriggers() throws {
    for name in try PlainSQL(path).rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try execute("DROP TRIGGER \(name)")
    }
  }

  /// The bytes of each file of the folder by name.
  package func files() throws -> [String: Data] { try CopiedStore.files(in: directory) }

  package static func files(in directory: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      files[name] = try Data(contentsOf: directory.appending(path: name))
    }
    return files
  }
}

/// SQL queries of a file that does not change.
package struct PlainSQL {
  package let connection: Connection

  package init(_ path: String) throws { connection = try Connection(path: path, access: .immutable) }

  package func count(_ sql: String) throws -> Int { Int(try connection.scalar(sql) ?? 0) }

  /// Every row as text, columns joined by `|`.
  package func rows(_ sql: String) throws -> [String] {
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

/// A value like SQL would show it: seconds, hexadecimal digits of a UUID, the number of bytes.
package func text(_ value: AttributeValue) -> String {
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

// A folder for a test's files, removed when the test ends.
import Foundation
import SQLiteDriver

/// A new folder under the system's temporary one, removed when no longer referenced.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    // The VFS resolves links, so paths can only be compared without them.
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("SQLiteDriverTests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String = "store.sqlite") -> String { url.appendingPathComponent(name).path }

  /// The names of the files in the folder.
  var fileNames: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

/// The size of a file in bytes; nil if it does not exist.
func fileSize(_ path: String) -> Int64? {
  guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
  return (attributes[.size] as? NSNumber)?.int64Value
}

extension Connection {
  /// The first column of every row, as text.
  func strings(_ sql: String) throws(SQLiteError) -> [String?] {
    let statement = try prepare(sql)
    var strings: [String?] = []
    while try statement.step() { strings.append(statement.string(0)) }
    return strings
  }
}

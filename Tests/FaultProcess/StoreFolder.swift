// The files of a workload's stores: copied before each fault, and copied after it like a crash would leave them.
internal import Foundation

/// Stores in their own folder.
struct StoreFolder {
  let path: String
  let names: [String]

  /// The files of the stores, in the coordinator's order.
  var paths: [String] { names.map { path + "/" + $0 } }

  /// Makes an empty folder and removes an old one.
  func empty() throws {
    for file in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] { unlink(path + "/" + file) }
    mkdir(path, 0o700)
  }

  /// The files that are neither stores nor SQLite's files next to one.
  func otherFiles() throws -> [String] {
    let known = Set(names.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } })
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { !known.contains($0) }
  }

  /// Copies the other folder's files to this one, without the log's index, which must be rebuilt after a crash.
  func fill(from other: StoreFolder) throws {
    try empty()
    for file in try FileManager.default.contentsOfDirectory(atPath: other.path) where !file.hasSuffix("-shm") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: other.path + "/" + file))
      try bytes.write(to: URL(fileURLWithPath: path + "/" + file))
    }
  }
}

// The files of a workload's stores: copied before each fault, and after it as a crash would leave them.
internal import Foundation

/// Stores in a folder of their own.
struct StoreFolder {
  let path: String
  let names: [String]

  /// The files of the stores, in the coordinator's order.
  var paths: [String] { names.map { path + "/" + $0 } }

  /// Makes the folder; what was in it is gone.
  func empty() throws {
    for file in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] { unlink(path + "/" + file) }
    mkdir(path, 0o700)
  }

  /// What is neither a store nor what SQLite keeps beside one.
  func otherFiles() throws -> [String] {
    let known = Set(names.flatMap { name in ["", "-wal", "-shm", "-journal"].map { name + $0 } })
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { !known.contains($0) }
  }

  /// Fills this folder with the other one's files, but for the log's index, which must be rebuilt after a crash.
  func fill(from other: StoreFolder) throws {
    try empty()
    for file in try FileManager.default.contentsOfDirectory(atPath: other.path) where !file.hasSuffix("-shm") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: other.path + "/" + file))
      try bytes.write(to: URL(fileURLWithPath: path + "/" + file))
    }
  }
}

// Reads commits and the state of the WAL from the files of an open store, without SQLite.
internal import Support

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The headers of an open store's files, read through SQLite's own descriptors.
///
/// Opening and closing another descriptor of such a file would release SQLite's locks
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
enum OpenStoreFiles {
  /// The number of WAL frames that are not in the database file yet; `nil` if unknown.
  ///
  /// The WAL-index (https://www.sqlite.org/walformat.html, "WAL-Index File Format") has the last valid frame at byte 16
  /// and the number of checkpointed frames at byte 96.
  static func framesLeft(ofStoreAt path: String) -> Int? {
    guard let status = FileStatus(path + "-wal"), status.bytes > 0 else { return 0 }
    return bytes(of: path + "-shm", count: 100).map { index in
      let words = (16...19).map { index[$0] } + (96...99).map { index[$0] }
      return max(number(words[..<4]) - number(words[4...]), 0)
    }
  }

  /// A value that changes with every commit.
  ///
  /// The WAL-index counts commits at byte 8, the database file, for other journals, at byte 24. `nil` if neither can be
  /// read, or if the WAL-index is only open in another process.
  static func commits(ofStoreAt path: String) -> [UInt8]? {
    let index = bytes(of: path + "-shm", count: 12)?.suffix(4)
    if index == nil && FileStatus(path + "-shm") != nil { return nil }
    let header = bytes(of: path, count: 28)?.suffix(4)
    return index == nil && header == nil ? nil : Array(index ?? []) + Array(header ?? [])
  }

  /// A number in this machine's byte order.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
  }

  private static func bytes(of path: String, count: Int) -> [UInt8]? {
    guard let descriptor = descriptor(of: path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return read == count ? bytes : nil
  }

  /// This process's descriptor for a file; `nil` if there is none, or the system does not tell.
  private static func descriptor(of path: String) -> Int32? {
    #if os(Linux)
      guard let wanted = FileIdentity(of: path), let folder = opendir("/proc/self/fd") else { return nil }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let descriptor = Int32(name), FileIdentity(of: "/proc/self/fd/\(name)") == wanted else { continue }
        return descriptor
      }
    #endif
    return nil
  }
}

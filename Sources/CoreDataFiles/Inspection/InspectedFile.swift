// Reads a file without SQLite: its size, its header, and the frame headers of a write-ahead log.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A file open for reading.
///
/// Nothing changes, not even its access time if the system allows that.
final class InspectedFile {
  let bytes: Int64
  private let descriptor: Int32

  /// Opens a regular file; `nil` if none can be read there.
  init?(_ path: String) {
    // Do not block: a pipe would wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    bytes = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes at an offset; `nil` if the file is too short.
  func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    return read == count ? buffer : nil
  }
}

extension [UInt8] {
  /// The big-endian number in four bytes; `nil` if there are fewer.
  fileprivate func number(at offset: Int) -> UInt32? {
    guard offset + 4 <= count else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension StoreInspection.WriteAheadLog {
  /// Reads the log beside a store; `nil` if there is none.
  ///
  /// O(frames); reads only their headers. See https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
  init?(besideStoreAt path: String) {
    guard let log = InspectedFile(path + "-wal") else { return nil }
    bytes = log.bytes
    sharedMemoryBytes = InspectedFile(path + "-shm")?.bytes
    frames = 0
    committedFrames = 0
    guard let header = log.read(32, at: 0), let magic = header.number(at: 0), magic & ~1 == 0x377f_0682,
      let size = header.number(at: 8), (512...65_536).contains(size)
    else { return }
    pageSize = Int64(size)
    let frameSize = 24 + Int64(size)
    frames = (log.bytes - 32) / frameSize
    let salts = header[16..<24]
    for frame in 0..<frames {
      // Frames from before the log restarted have other salts.
      guard let frameHeader = log.read(24, at: 32 + frame * frameSize), frameHeader[8..<16] == salts else { break }
      if frameHeader.number(at: 4) != 0 { committedFrames = frame + 1 }
    }
  }
}

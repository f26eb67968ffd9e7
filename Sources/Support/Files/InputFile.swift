// The one way in for files that are read whole: anything but a plain file is refused before it is opened, and so are files
// beyond a limit and files that are being written.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A plain file, open for reading.
package struct InputFile: ~Copyable {
  /// The most bytes that are read of a file, in steps that a person can name.
  package struct Limit: Sendable, Hashable {
    package let bytes: Int64

    package init(bytes: Int64) { self.bytes = bytes }

    package static let feed = Limit(bytes: 4 << 30)
    package static let scenario = Limit(bytes: 64 << 20)
    package static let model = Limit(bytes: 16 << 20)
    /// Results and journals; a large one has a few megabytes.
    package static let results = Limit(bytes: 1 << 30)

    /// `4 GiB`, `64 MiB` or `4096 bytes`.
    package var text: String {
      if bytes % (1 << 30) == 0 { return "\(bytes >> 30) GiB" }
      if bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
      return "\(bytes) bytes"
    }
  }

  private let descriptor: Int32
  private let opened: FileStatus

  /// Opens a plain file; a pipe, a device or a socket is not touched.
  package init(_ path: String) throws(InputFileError) {
    if InputFile.isStandardStream(path) { throw .standardInput }
    // Opening is not harmless: a pipe may wait for a writer, and a device may do something.
    guard let status = FileStatus(path) else { throw .system(errno) }
    guard status.kind == .plainFile else { throw .kind(status.kind) }
    // What was a file a moment ago may have become a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    guard let opened = FileStatus(of: descriptor), opened.kind == .plainFile else {
      close(descriptor)
      throw .kind(FileStatus(path)?.kind ?? .other)
    }
    self.descriptor = descriptor
    self.opened = opened
  }

  deinit { close(descriptor) }

  /// The whole file's bytes.
  package static func bytes(of path: String, limit: Limit) throws(InputFileError) -> [UInt8] {
    try InputFile(path).bytes(limit: limit)
  }

  /// The whole content, if the file was not written to since it was opened.
  package func bytes(limit: Limit) throws(InputFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Reserves at most a gigabyte: a sparse file may claim more than there is memory.
    if opened.bytes <= limit.bytes { bytes.reserveCapacity(Int(min(opened.bytes, 1 << 30))) }
    try readBlocks(limit: limit) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Calls `body` with the content, a megabyte at a time; every block but the last is full.
  package func readBlocks(
    limit: Limit? = nil, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(InputFileError) {
    // A sparse file claims any size at once, and is refused as fast.
    if let limit, opened.bytes > limit.bytes { throw .tooLong(limit) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { block.deallocate() }
    var total: Int64 = 0
    while true {
      let count = try fill(block)
      total += Int64(count)
      // One byte more than expected is enough: a file that grows as fast as it is read has no end.
      if let limit, total > limit.bytes { throw .tooLong(limit) }
      guard total <= opened.bytes else { throw .changed }
      if count > 0 { body(UnsafeRawBufferPointer(rebasing: block[..<count])) }
      if count < block.count { break }
    }
    let now = FileStatus(of: descriptor)
    guard now?.bytes == opened.bytes, now?.written == opened.written, total == opened.bytes else { throw .changed }
  }

  /// Reads until the block is full or the file at its end.
  private func fill(_ block: UnsafeMutableRawBufferPointer) throws(InputFileError) -> Int {
    var filled = 0
    while filled < block.count {
      let count = read(descriptor, block.baseAddress.map { $0 + filled }, block.count - filled)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Whether the path means a stream that the process was started with, which can be read once at most.
  package static func isStandardStream(_ path: String) -> Bool {
    path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}

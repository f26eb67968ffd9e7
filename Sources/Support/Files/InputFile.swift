// The one way to read whole files. It refuses anything but a plain file before opening it, files beyond a limit, and
// files that change while they are read.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A plain file, open for reading.
package struct InputFile: ~Copyable {
  /// The most bytes to read from a file, in units that are easy to name.
  package struct Limit: Sendable, Hashable {
    package let bytes: Int64

    package init(bytes: Int64) { self.bytes = bytes }

    package static let feed = Limit(bytes: 4 << 30)
    package static let scenario = Limit(bytes: 64 << 20)
    package static let model = Limit(bytes: 16 << 20)
    /// Results and journals; even large ones have only a few megabytes.
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

  /// Opens a plain file; pipes, devices and sockets are not opened.
  package init(_ path: String) throws(InputFileError) {
    if InputFile.isStandardStream(path) { throw .standardInput }
    // Check before opening: opening a pipe may wait for a writer, and opening a device may have effects.
    guard let status = FileStatus(path) else { throw .system(errno) }
    guard status.kind == .plainFile else { throw .kind(status.kind) }
    // Check again: the file may have been replaced by a pipe in the meantime.
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

  /// The whole content; throws if the file was written to since it was opened.
  package func bytes(limit: Limit) throws(InputFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Reserve at most a gigabyte: a sparse file may claim more than fits into memory.
    if opened.bytes <= limit.bytes { bytes.reserveCapacity(Int(min(opened.bytes, 1 << 30))) }
    try readBlocks(limit: limit) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Calls `body` with the content, a megabyte at a time; every block but the last is full.
  package func readBlocks(
    limit: Limit? = nil, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(InputFileError) {
    // Refuse a large file before reading: a sparse file can claim any size.
    if let limit, opened.bytes > limit.bytes { throw .tooLong(limit) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { block.deallocate() }
    var total: Int64 = 0
    while true {
      let count = try fill(block)
      total += Int64(count)
      // Stop at one byte more than expected: a file that grows as fast as it is read never ends.
      if let limit, total > limit.bytes { throw .tooLong(limit) }
      guard total <= opened.bytes else { throw .changed }
      if count > 0 { body(UnsafeRawBufferPointer(rebasing: block[..<count])) }
      if count < block.count { break }
    }
    let now = FileStatus(of: descriptor)
    guard now?.bytes == opened.bytes, now?.written == opened.written, total == opened.bytes else { throw .changed }
  }

  /// Reads until the block is full or the file ends.
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

  /// Whether the path names a stream that the process inherited, which can be read only once.
  package static func isStandardStream(_ path: String) -> Bool {
    path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}

// Files through the system's own calls: every error is seen, also those that come only with fsync or close.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A finished file under a temporary name beside its final one, so that a reader never sees half a file.
struct StagedFile {
  let path: String
  private let temporaryPath: String

  /// Writes the text, flushes it to the disk and closes the file; on any error the temporary file is removed.
  init(_ text: String, for path: String) throws(ReportError) {
    self.path = path
    temporaryPath = StagedFile.temporaryPath(for: path)
    do {
      try StagedFile.create(temporaryPath, holding: text, for: path)
    } catch {
      discard()
      throw error
    }
  }

  /// Gives the file its final name, in place of any file that has it.
  func publish() throws(ReportError) {
    if rename(temporaryPath, path) != 0 { throw ReportError(path, .rename, errno) }
  }

  /// Removes the temporary file, if it is still there.
  func discard() { unlink(temporaryPath) }

  /// Hidden, in the same directory (a rename does not cross file systems), and one's own: two processes that write
  /// into one directory do not meet.
  static func temporaryPath(for path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).\(getpid()).partial"
  }

  private static func create(_ temporaryPath: String, holding text: String, for path: String) throws(ReportError) {
    let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ReportError(path, .open, errno) }
    do throws(ReportError) {
      try writeAll(Array(text.utf8), to: descriptor, for: path)
      if fsync(descriptor) != 0 { throw ReportError(path, .synchronise, errno) }
    } catch {
      _ = close(descriptor)
      throw error
    }
    // A file system may keep an error back until here. EINTR leaves the descriptor closed and the data flushed.
    if close(descriptor) != 0 && errno != EINTR { throw ReportError(path, .close, errno) }
  }

  /// Writes every byte: a short write is followed by another, which then tells why.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, for path: String) throws(ReportError) {
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        done += written
      } else if written == 0 || errno != EINTR {
        // Nothing written and no error would go on for ever; it can only mean that there is no room.
        throw ReportError(path, .write, written == 0 ? ENOSPC : errno)
      }
    }
  }
}

/// Creates the directory and those above it, where they are missing.
func createDirectory(_ path: String) throws(ReportError) {
  if mkdir(path, 0o777) == 0 { return }
  var reason = errno
  if reason == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
    try createDirectory(String(path[..<slash]))
    reason = mkdir(path, 0o777) == 0 ? 0 : errno
  }
  // Darwin says EISDIR of the root directory.
  if reason == EEXIST || reason == EISDIR { reason = isDirectory(path) ? 0 : ENOTDIR }
  if reason != 0 { throw ReportError(path, .createDirectory, reason) }
}

private func isDirectory(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Makes the names in a directory durable, as far as the file system can.
func synchroniseDirectory(_ path: String) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  _ = fsync(descriptor)
  _ = close(descriptor)
}

/// The whole of a file.
func readFile(_ path: String) throws(ReportError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw ReportError(unreadable: path, errno) }
  defer { _ = close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes += chunk[..<count]
    } else if count == 0 {
      return bytes
    } else if errno != EINTR {
      throw ReportError(unreadable: path, errno)
    }
  }
}

extension ReportError {
  fileprivate init(_ file: String, _ step: WritingStep, _ errorNumber: Int32) {
    self.init(
      file: file,
      problem: .unwritable(step: step, errorNumber: errorNumber, message: String(cString: strerror(errorNumber))))
  }

  fileprivate init(unreadable file: String, _ errorNumber: Int32) {
    self.init(
      file: file, problem: .unreadable(errorNumber: errorNumber, message: String(cString: strerror(errorNumber))))
  }

  /// What to do about a file that cannot be written.
  var advice: String {
    guard case .unwritable(_, let errorNumber, _) = problem else { return "" }
    return switch errorNumber {
    case ENOSPC, EDQUOT: "free space on that disk, or name a folder on another with --out"
    case EACCES, EPERM, EROFS: "allow writing there, or name another folder with --out"
    case ENOTDIR: "part of the path is a file; name another folder with --out"
    default: "name another folder with --out"
    }
  }
}

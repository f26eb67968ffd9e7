// Writes files with system calls, so that every error is detected, including those that only fsync or close report.
internal import Analysis
internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A complete file under a temporary name next to its final one, so that a reader never sees an incomplete file.
struct StagedFile {
  let path: String
  private let temporaryPath: String

  /// Writes the text, flushes it to disk and closes the file; on any error it removes the temporary file.
  init(_ text: String, for path: String) throws(ReportError) {
    self.path = path
    temporaryPath = HiddenFile.path(for: path)
    Leftovers.note(temporaryPath)
    var step = ReportError.WritingStep.open
    do {
      try StagedFile.create(temporaryPath, holding: text, step: &step)
    } catch {
      discard()
      throw ReportError(path, step, error as? Errno ?? .ioError)
    }
  }

  /// Renames the file to its final name, replacing any existing file.
  func publish() throws(ReportError) {
    if rename(temporaryPath, path) != 0 { throw ReportError(path, .rename, Errno(rawValue: errno)) }
    Leftovers.forget(temporaryPath)
  }

  /// Removes the temporary file, if it still exists.
  func discard() {
    unlink(temporaryPath)
    Leftovers.forget(temporaryPath)
  }

  private static func create(
    _ path: String, holding text: String, step: inout ReportError.WritingStep
  ) throws {
    // Remove the leftover of an ended process with this id, and a link, so that the file is not written through it.
    if FileKind(at: path) == .plainFile { unlink(path) }
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    do {
      step = .write
      try file.writeAll(text.utf8)
      step = .synchronize
      if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
    } catch {
      try? file.close()
      throw error
    }
    // A file system may report an error only here. After EINTR the descriptor is closed and the data is flushed.
    step = .close
    do { try file.close() } catch Errno.interrupted {}
  }
}

/// Creates the directory and its missing parents.
func createDirectory(_ path: String) throws(ReportError) {
  do {
    try Folder.create(FilePath(path))
  } catch {
    throw ReportError(path, .createDirectory, error)
  }
}

/// Removes a directory if it is empty.
func removeIfEmpty(_ path: String) { rmdir(path) }

/// Makes the names in a directory durable, as far as the file system can.
func synchronizeDirectory(_ path: String) {
  guard let directory = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return }
  _ = fsync(directory.rawValue)
  try? directory.close()
}

/// The contents of a file.
func readFile(_ path: String) throws(ReportError) -> [UInt8] {
  do {
    return try InputFile.bytes(of: path, limit: .results)
  } catch {
    throw ReportError(file: path, problem: .unreadable(reason: error.reason))
  }
}

extension ReportError {
  fileprivate init(_ file: String, _ step: WritingStep, _ error: Errno) {
    self.init(
      file: file, problem: .unwritable(step: step, errorNumber: error.rawValue, message: error.description))
  }

  /// What to do about a file that cannot be written.
  var advice: String {
    guard case .unwritable(_, let errorNumber, _) = problem else { return "" }
    return switch errorNumber {
    case ENOSPC, EDQUOT: "free space on that disk, or name a folder on another"
    case EACCES, EPERM, EROFS: "allow writing there, or name another folder"
    case ENOTDIR: "part of the path is a file; name another folder"
    default: "name another folder"
    }
  }
}

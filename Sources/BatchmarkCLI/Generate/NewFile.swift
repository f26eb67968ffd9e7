// Files that commands create without ever overwriting another.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// A file that does not exist yet.
enum NewFile {
  /// Makes a file under a hidden name and renames it when it is complete, because an incomplete feed looks like a
  /// complete one.
  ///
  /// - Throws: ``OutputError`` if the file exists or cannot be made, or the error of `write`.
  static func make(at path: String, write: (FileHandle) throws(OutputError) -> Void) throws(OutputError) {
    if FileKind(atPathItself: path) != nil { throw .unwritableFile(path: path, reason: exists) }
    let hidden = HiddenFile.path(for: path)
    HiddenFile.sweep(beside: [path])
    // Remove the leftover of an ended process with this id.
    unlink(hidden)
    let descriptor = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unwritableFile(path: path, reason: String(cString: strerror(errno))) }
    Leftovers.note(hidden)
    defer {
      unlink(hidden)
      Leftovers.forget(hidden)
    }
    try write(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    try name(hidden, path)
  }

  /// Makes a file with a text.
  static func make(at path: String, of text: String) throws(OutputError) {
    try make(at: path) { file throws(OutputError) in
      do {
        try file.write(contentsOf: Data(text.utf8))
      } catch {
        throw OutputError.unwritableFile(path: path, reason: OutputError.reason(error))
      }
    }
  }

  private static let exists = "it exists already"

  /// Renames a complete file without replacing another one, which may be irreplaceable.
  private static func name(_ hidden: String, _ path: String) throws(OutputError) {
    if link(hidden, path) == 0 { return }
    var error = errno
    // Not every file system supports hard links.
    if [EPERM, EOPNOTSUPP, ENOSYS].contains(error) {
      error = FileKind(atPathItself: path) == nil ? (rename(hidden, path) == 0 ? 0 : errno) : EEXIST
    }
    if error == 0 { return }
    throw .unwritableFile(path: path, reason: error == EEXIST ? exists : String(cString: strerror(error)))
  }
}

// Files that commands make and never write over.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// A file that does not exist yet.
enum NewFile {
  /// Makes a file under a hidden name and renames it when it is finished: half a feed looks like a whole one.
  ///
  /// - Throws: ``OutputError`` for a file that is there already or cannot be made, and what `write` throws.
  static func make(at path: String, write: (FileHandle) throws(OutputError) -> Void) throws(OutputError) {
    if FileKind(atPathItself: path) != nil { throw .unwritableFile(path: path, reason: exists) }
    let hidden = HiddenFile.path(for: path)
    HiddenFile.sweep(beside: [path])
    // What an ended process of this number left.
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

  /// Makes a file of a text.
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

  /// Gives a finished file its name, never in place of another: that may be one that cannot be had again.
  private static func name(_ hidden: String, _ path: String) throws(OutputError) {
    if link(hidden, path) == 0 { return }
    var error = errno
    // Not every file system has second names.
    if [EPERM, EOPNOTSUPP, ENOSYS].contains(error) {
      error = FileKind(atPathItself: path) == nil ? (rename(hidden, path) == 0 ? 0 : errno) : EEXIST
    }
    if error == 0 { return }
    throw .unwritableFile(path: path, reason: error == EEXIST ? exists : String(cString: strerror(error)))
  }
}

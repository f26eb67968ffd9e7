// Files that commands make and never write over.
internal import Analysis
internal import CoreDataFiles
internal import Foundation
internal import Harness

/// A file that is not there yet.
enum NewFile {
  /// Makes a file; one that was begun and cannot be finished is removed.
  ///
  /// - Throws: ``OutputError`` for a file that is there already or cannot be made, and what `write` throws.
  static func make(at path: String, write: (FileHandle) throws(OutputError) -> Void) throws(OutputError) {
    // Never over a file: it may be one that cannot be had again.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw errno == EEXIST
        ? .unwritable(path: path, reason: "it exists already")
        : .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    Leftovers.note(path)
    defer { Leftovers.forget(path) }
    do throws(OutputError) {
      try write(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Makes a file of a text.
  static func make(at path: String, of text: String) throws(OutputError) {
    try make(at: path) { file throws(OutputError) in
      do {
        try file.write(contentsOf: Data(text.utf8))
      } catch {
        throw OutputError.unwritable(path: path, reason: OutputError.reason(error))
      }
    }
  }
}

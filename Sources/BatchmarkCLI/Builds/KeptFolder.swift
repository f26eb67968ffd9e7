// A folder that outlives its process. It is either complete or ignored.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// A folder with files, and a mark that means that they are complete.
///
/// The process may be killed at any moment while it makes the files. A folder without a mark is garbage, which the next
/// process that makes a folder removes. Each name ends with new random letters, so that the compiler of a killed
/// command cannot write into a later folder.
struct KeptFolder {
  let path: String

  /// The path of the files.
  var files: String { path + "/files" }

  /// The name of the folder, which describes its content.
  var name: Substring { path.split(separator: "/").last ?? "" }

  /// The content of this file explains the folder to people.
  ///
  /// Its date is the date of the last use.
  private var mark: String { path + "/complete" }

  init(at path: String) { self.path = path }

  /// Makes an incomplete folder.
  ///
  /// - Parameters:
  ///   - name: The prefix of its name.
  ///   - place: An existing folder.
  /// - Throws: ``CommandError`` if it cannot be made.
  init(new name: String, in place: String) throws(CommandError) {
    var template = Array("\(place)/\(name)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandError(.unwritableOutput, "no folder can be made in \(place): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Leftovers.note(path)
    do { try Folder.make(files) } catch { throw CommandError(error) }
  }

  var isComplete: Bool { FileManager.default.fileExists(atPath: mark) }

  /// The date of the last use; the distant past if unknown.
  var lastUse: Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: mark)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  /// Marks it as complete and as just used.
  ///
  /// - Parameter what: A description for people.
  /// - Throws: ``CommandError`` if the mark cannot be written.
  func complete(_ what: String) throws(CommandError) {
    do {
      try Data((what.onOneLine + "\n").utf8).write(to: URL(fileURLWithPath: mark))
    } catch {
      throw CommandError(.unwritableOutput, "\(mark) cannot be written: \(OutputError.reason(error))")
    }
    Leftovers.forget(path)
  }

  /// Marks it as just used.
  func use() { try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: mark) }

  /// Removes the mark, because the files are about to change.
  func change() {
    Leftovers.note(path)
    unlink(mark)
  }

  /// Removes it, unless it is in use.
  func remove() {
    guard let lock = FileLock.take(path, .alone) else { return }
    // Do this first, so that a partly removed folder does not look complete.
    unlink(mark)
    try? FileManager.default.removeItem(atPath: path)
    Leftovers.forget(path)
    withExtendedLifetime(lock) {}
  }
}

// A folder that outlives the process that made it. It is either complete or ignored.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// A folder with files, and a mark that says that they are complete.
///
/// Making the files may end at any moment. Without its mark a folder is waste, which the next one to make a folder removes. A
/// name ends in new random letters: what the compiler of a killed command still writes reaches no later folder.
struct KeptFolder {
  let path: String

  /// Where the files are.
  var files: String { path + "/files" }

  /// What the folder's name says it is.
  var name: Substring { path.split(separator: "/").last ?? "" }

  /// Its content explains the folder to people; its date is the last use.
  private var mark: String { path + "/complete" }

  init(at path: String) { self.path = path }

  /// Makes a folder, still incomplete.
  ///
  /// - Parameters:
  ///   - name: What its name begins with.
  ///   - place: An existing folder.
  /// - Throws: ``CommandError`` when it cannot be made.
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

  /// When it was used last; the distant past where that is not known.
  var lastUse: Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: mark)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  /// Marks it as complete, and as used now.
  ///
  /// - Parameter what: What it is, for people.
  /// - Throws: ``CommandError`` when that cannot be written.
  func complete(_ what: String) throws(CommandError) {
    do {
      try Data((what.onOneLine + "\n").utf8).write(to: URL(fileURLWithPath: mark))
    } catch {
      throw CommandError(.unwritableOutput, "\(mark) cannot be written: \(OutputError.reason(error))")
    }
    Leftovers.forget(path)
  }

  /// Marks it as used now.
  func use() { try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: mark) }

  /// Takes the mark away, since the files are about to be changed.
  func change() {
    Leftovers.note(path)
    unlink(mark)
  }

  /// Removes it, unless it is in use.
  func remove() {
    guard let lock = FileLock.take(path, .alone) else { return }
    // This comes first, so that nothing half removed looks complete.
    unlink(mark)
    try? FileManager.default.removeItem(atPath: path)
    Leftovers.forget(path)
    withExtendedLifetime(lock) {}
  }
}

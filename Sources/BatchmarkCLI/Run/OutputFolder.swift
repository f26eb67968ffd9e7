// The output folder of a run.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// A run's output folder, checked before anything is measured.
struct OutputFolder {
  /// The absolute path.
  let path: String

  /// Takes the path as typed; `nil` means `Reports/<UTC time>`.
  init(_ path: String?, now: Date = Date()) {
    let path = path ?? "Reports/" + UTC.fileName(now)
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Refuses a folder that exists, or a path that is too long for its stores.
  ///
  /// - Parameter mayResume: Whether the command can resume a run in the folder.
  /// - Throws: ``OutputError``.
  func checkIsNew(mayResume: Bool = false) throws(OutputError) {
    if FileManager.default.fileExists(atPath: path) {
      throw .exists(path: path, hasRun: mayResume && FileKind(at: path + "/" + Journal.fileName) == .plainFile)
    }
    try SampleDirectories.checkPath(output: path)
    if let reason = HiddenFile.obstacle(toMakingFolder: path) { throw .unwritable(path: path, reason: reason) }
  }

  /// Makes the folder and its parents.
  func create(mayResume: Bool = false) throws(OutputError) {
    try checkIsNew(mayResume: mayResume)
    try Folder.make(path)
  }

  /// Makes the folder and writes its files.
  ///
  /// If a file cannot be written, or the program is interrupted, it removes everything.
  func fill<Written>(_ write: () throws -> Written) throws -> Written {
    try create()
    Leftovers.note(path)
    defer { Leftovers.forget(path) }
    do {
      return try write()
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Removes the folder of a run that could not start, so that the same command works again.
  func removeIfEmpty() { rmdir(path) }
}

/// Points in time for outputs, independent of locale and time zone.
enum UTC {
  /// `2026-01-31T12:00:05Z`.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }

  /// `2026-01-31T120005Z`, without colons, because some file systems do not allow them.
  static func fileName(_ date: Date) -> String { text(date).filter { $0 != ":" } }
}

// `--export-json`, `--export-csv` and `--export-markdown`: a file of the report where the user wants it.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import SystemPackage

/// A file of a run's report that is written to another place as well.
struct ReportExport: Sendable {
  private let file: ReportWriter.File
  private let option: String
  /// Absolute: a resumed run works in the folder where it was begun.
  private let path: String

  init(_ file: ReportWriter.File, option: String, path: String) {
    self.file = file
    self.option = option
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Refuses a place that cannot be written, before anything is measured for it.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func check() throws(CommandError) {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    // The finished file takes the place of the one that is there: that must not be a device, and it is the folder that
    // must be writable.
    if files.fileExists(atPath: path, isDirectory: &isFolder) {
      if isFolder.boolValue { throw refusal("it is a folder") }
      let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      guard type == .typeRegular else { throw refusal("it is no plain file") }
    }
    let folder = FilePath(path).removingLastComponent().string
    guard files.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw refusal("there is no folder \(folder)")
    }
    guard isFolder.boolValue else { throw refusal("\(folder) is no folder") }
    guard files.isWritableFile(atPath: folder) else { throw refusal("the folder \(folder) cannot be written") }
  }

  /// Writes the file, in place of an older one.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/unwritableOutput``.
  func write(_ results: RunResults) throws {
    do throws(ReportError) {
      try file.write(results, to: path)
    } catch {
      guard case .unwritable(_, _, let message) = error.problem else { throw error }
      throw refusal(message)
    }
  }

  private func refusal(_ reason: String) -> CommandError {
    CommandError(.unwritableOutput, "\(option) \(path) cannot be written: \(reason); name another file")
  }
}

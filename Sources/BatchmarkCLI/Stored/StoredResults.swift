// Results of earlier runs, as commands that measure nothing take them.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import SystemPackage

/// The results of a run, read from its folder or file.
struct StoredResults {
  /// As the user typed it.
  let path: String
  /// The file that was read.
  let file: String
  let results: Report

  init(_ path: String) throws(ReportError) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    file = exists && isFolder.boolValue ? FilePath(path).appending("results.json").string : path
    results = try ResultsFile.read(file)
  }

  /// Refuses figures that mean nothing; the environment lets the tests judge them all the same.
  func refuseDebugBuild() throws(CommandError) {
    guard !results.run.isComparable, ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] != "1" else { return }
    throw CommandError(
      .notComparable,
      "\(path): found results of a debug build, whose figures mean nothing; run again with a release build")
  }
}

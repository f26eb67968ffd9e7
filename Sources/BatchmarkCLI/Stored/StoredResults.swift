// Results of earlier runs, for commands that measure nothing.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support
internal import SystemPackage

/// The results of a run, read from its folder or file.
struct StoredResults {
  /// The path as the user typed it.
  let path: String
  /// The file that was read.
  let file: String
  let results: Report

  init(_ path: String) throws(ReportError) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    file = exists && isFolder.boolValue ? FilePath(path).appending("results.json").string : path
    if FileKind(at: file) == nil, FileKind(at: FilePath(path).appending(PairReportWriter.resultsName).string) != nil {
      throw ReportError(file: path, problem: .comparison)
    }
    results = try ResultsFile.read(file)
  }

  /// Refuses the meaningless figures of a debug build.
  ///
  /// An environment variable allows them for tests.
  func refuseDebugBuild() throws(CommandError) {
    guard !results.run.isComparable, ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] != "1" else { return }
    throw CommandError(
      .notComparable,
      "\(path): found results of a debug build, whose figures mean nothing; run again with a release build")
  }
}

extension StoredResults {
  /// The output folder of runs without `--out`.
  static let standardFolder = "Reports"

  /// The results of every run in the folder, the newest first.
  static func newestFirst(in folder: String = standardFolder) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let runs = names.compactMap { name -> (file: String, time: Date)? in
      let file = FilePath(folder).appending(name).appending(ReportWriter.File.results.rawValue).string
      guard FileKind(at: file) == .plainFile,
        let time = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
      else { return nil }
      return (file, time)
    }
    return runs.sorted { ($1.time, $1.file) < ($0.time, $0.file) }.map(\.file)
  }
}

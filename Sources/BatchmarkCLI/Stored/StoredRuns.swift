// The runs that lie where runs write without `--out`, as commands look for the newest of them.
internal import CoreDataFiles
internal import Foundation
internal import Reports
internal import Support
internal import SystemPackage

/// The runs of a folder.
enum StoredRuns {
  /// Where runs write without `--out`.
  static let standard = "Reports"

  /// The results of every run there, the newest first.
  static func newestFirst(in folder: String = standard) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let runs = names.compactMap { name -> (file: String, time: Date)? in
      let file = FilePath(folder).appending(name).appending(ReportWriter.File.results.name).string
      guard FileKind(at: file) == .plainFile,
        let time = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
      else { return nil }
      return (file, time)
    }
    return runs.sorted { ($1.time, $1.file) < ($0.time, $0.file) }.map(\.file)
  }
}

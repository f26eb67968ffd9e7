// All exports of a run. Invalid ones are reported before anything is measured.
internal import Analysis
internal import CoreDataFiles
internal import Foundation
internal import Harness
internal import Reports
internal import Support
internal import SystemPackage

/// The exports requested on the command line.
struct ReportExports: Sendable {
  private let exports: [ReportExport]
  /// `--force`.
  private let isForced: Bool
  /// Exports that the interrupted run wrote and that have not changed since.
  private var own: Set<FileIdentity> = []

  init(_ exports: [ReportExport], isForced: Bool) {
    self.exports = exports
    self.isForced = isForced
  }

  /// Whether standard output is reserved for an export.
  var takeStandardOutput: Bool { exports.contains { $0.path == nil } }

  /// Refuses paths that cannot be written, and existing files, unless `--force` is given or the interrupted run wrote
  /// them.
  ///
  /// - Parameter resumed: The folder of the run to resume; `nil` for a new one.
  /// - Throws: ``CommandError``.
  mutating func check(resuming resumed: String?) throws(CommandError) {
    for (index, export) in exports.enumerated() {
      let identity = export.identity
      if exports[..<index].contains(where: { other in
        other.path == export.path || (identity != nil && other.identity == identity)
      }) {
        let place = export.path ?? "standard output"
        throw CommandError(.usage, "two exports write to \(place); name another file for one of them")
      }
    }
    for export in exports {
      if let resumed, let identity = export.identity, ReportExports.isCopy(export, of: resumed) { own.insert(identity) }
      try export.check(mayReplace: mayReplace(export))
      if let resumed { try refuse(export, in: resumed) }
    }
  }

  /// Refuses exports that would overwrite input files of the run.
  func check(against inputs: InputFiles) throws(CommandError) {
    for export in exports {
      if let path = export.path, let obstacle = inputs.obstacle(toWriting: path) { throw export.refusal(obstacle) }
    }
  }

  /// Writes every export; stops at the first failure.
  ///
  /// - Parameters:
  ///   - results: The results of the run.
  ///   - directory: The run's folder.
  ///   - resumingCommand: The command that resumes the run, for advice; `nil` for stored results.
  /// - Throws: ``CommandError`` if a file cannot be written, or if it was created during the run.
  func write(_ results: Report, of directory: String, resumingCommand: String?) throws {
    for export in exports {
      if export.isBaseline, results.run.isInterrupted || results.hasFailures {
        Console.complain(
          "no baseline is kept of a run that is not whole: \(export.path ?? ""); take what is missing with --resume, and keep it then"
        )
        continue
      }
      if !mayReplace(export) { try export.refuseReplacing(resumingCommand: resumingCommand) }
      try export.write(results, of: directory, resumingCommand: resumingCommand)
    }
  }

  private func mayReplace(_ export: ReportExport) -> Bool { isForced || export.identity.map(own.contains) ?? false }

  /// Refuses an export into the folder itself: its own files are written in any case, and the journal must not be lost.
  private func refuse(_ export: ReportExport, in folder: String) throws(CommandError) {
    guard let path = export.path, let folder = FileIdentity(of: folder),
      FileIdentity.folders(above: path).contains(folder)
    else { return }
    throw export.refusal("it is in the run's own folder")
  }

  /// Whether an export is identical, byte for byte, to what the folder's results give.
  private static func isCopy(_ export: ReportExport, of folder: String) -> Bool {
    guard let path = export.path, let found = try? InputFile.bytes(of: path, limit: .results) else { return false }
    let stored = FilePath(folder).appending(ReportWriter.File.results.rawValue).string
    guard let results = try? ResultsFile.read(stored), let text = try? export.text(results, of: folder) else {
      return false
    }
    return found.elementsEqual(text.utf8)
  }
}

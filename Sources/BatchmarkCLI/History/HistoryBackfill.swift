// `history backfill`: builds and runs the commits of a range, to give a history a past.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// One invocation of `history backfill`.
struct HistoryBackfill {
  let place: HistoryPlace
  let range: String
  /// The arguments of each run: scenario files, and options of `run`.
  let arguments: [String]
  let recipe: BuildRecipe
  let format: OutputFormat

  /// Runs every commit of the range without a run, the oldest first.
  ///
  /// If a commit does not build or run, this reports it and tries the next one.
  func run() throws -> CommandStatus {
    let repository = try HistoryRepository()
    let commits = try repository.firstParents(inRange: range).reversed()
    let known =
      FileManager.default.fileExists(atPath: place.history) ? try place.folder.read().records.map(\.record.commit) : []
    let missing = commits.filter { !known.contains($0) }
    Console.complain(
      "\(missing.count) of \(HumanUnits.counted(commits.count, "commit")) \(missing.count == 1 ? "has" : "have") no run yet"
    )
    // Do this before the builds and the runs, which take long.
    if let reason = HiddenFile.obstacle(toMakingFolder: place.history) {
      throw CommandError(
        .unwritableOutput, "\(place.history) cannot be written: \(reason); choose another folder with --history")
    }
    let folder = OutputFolder(nil)
    try folder.checkIsNew()
    let builds = try RevisionBuilds(recipe)
    var statuses: [CommandStatus] = []
    var document = HistoryBackfillDocument()
    for commit in missing {
      do {
        let added = try run(commit, builds, in: "\(folder.path)/\(HistoryCommit.name(of: commit))")
        statuses.append(added.status)
        document.commits.append(HistoryBackfillDocument.Commit(commit: commit, added: added.document))
      } catch {
        let error = CommandError(error)
        if error.status == .interrupted { throw error }
        Console.complain("\(HistoryCommit.name(of: commit)) is left out:")
        Console.complain(lines: error.lines)
        statuses.append(.failedSamples)
        document.commits.append(HistoryBackfillDocument.Commit(commit: commit, errors: error.lines))
      }
    }
    folder.removeIfEmpty()
    return try format.document(document, .first(of: statuses))
  }

  /// Runs a commit's build.
  ///
  /// The run's folder remains if the history does not contain all of it.
  private func run(_ commit: String, _ builds: RevisionBuilds, in out: String) throws -> (
    document: HistoryAddDocument, status: CommandStatus
  ) {
    Console.complain("building \(HistoryCommit.name(of: commit))")
    let build = try builds.build(of: commit)
    defer { withExtendedLifetime(build) {} }
    let status = try ToolProcess.status(of: [build.executable, "run"] + arguments + ["--out", out])
    if status == CommandStatus.interrupted.rawValue {
      throw CommandError(.interrupted, "interrupted; the runs of earlier commits are kept")
    }
    // A run with a broken budget has results too.
    guard FileManager.default.fileExists(atPath: out + "/results.json") else {
      throw CommandError(
        .failedSamples, "the run ended with status \(status) and wrote no results; its messages above say why")
    }
    let added = try place.folder.record(out, commit: commit, format: format)
    if status == 0, added.status == .success, added.document.isNew {
      try? FileManager.default.removeItem(atPath: out)
    } else {
      Console.complain("\(out.onOneLine) has the run, which ended with status \(status)")
    }
    return added
  }
}

/// Runs programs for a history, with their output on standard error.
extension ToolProcess {
  /// The exit status of a program.
  ///
  /// - Throws: ``CommandError`` if it cannot be started or is killed.
  static func status(of words: [String]) throws(CommandError) -> Int32 {
    let text = words.map(ShellWord.quoted).joined(separator: " ")
    let status: ChildProcess.ExitStatus
    do throws(SystemError) {
      status = try ToolProcess.run(words)
    } catch {
      throw CommandError(.internalError, "\(text) could not be started: \(error)")
    }
    switch status {
    case .exited(let number): return number
    case .signalled(let number): throw CommandError(.internalError, "\(text) was killed by signal \(number)")
    }
  }
}

// The folder of baselines, and results by the user's words: names of baselines, or paths.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

/// The folder of baselines.
struct BaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of baselines; \(BaselineFolder.standard) by default.", valueName: "dir"),
    completion: .directory)
  var baselines = BaselineFolder.standard

  var folder: BaselineFolder { BaselineFolder(baselines) }

  /// Results by the name of a baseline or the path of a run.
  ///
  /// A path that could be a name is written as `./NAME`.
  ///
  /// - Throws: ``ReportError``; ``CommandError`` if the word is neither.
  func results(_ word: String) throws -> Report {
    if folder.has(word) { return try folder.read(word) }
    guard BaselineFolder.isName(word), !FileManager.default.fileExists(atPath: word) else {
      return try StoredResults(word).results
    }
    throw unknown(word)
  }

  /// A baseline's results.
  ///
  /// - Throws: ``ReportError``; ``CommandError`` if there is no baseline with this name.
  func baseline(_ name: String) throws -> Report {
    guard folder.has(name) else { throw unknown(name) }
    return try folder.read(name)
  }

  func unknown(_ name: String) -> CommandError {
    let names = folder.names()
    let nearest = nearestWord(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return CommandError(
      .unreadableFile,
      "\(name): found neither a baseline in \(baselines) nor a run of that name; "
        + (names.isEmpty
          ? "keep one with 'run --save-baseline NAME'" : "the baselines are \(names.joined(separator: ", "))")
        + nearest)
  }
}

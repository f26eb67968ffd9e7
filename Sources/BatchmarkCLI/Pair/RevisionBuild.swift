// Building a side of a comparison from a revision of the git repository one stands in.
internal import Analysis
internal import Foundation
internal import Harness
internal import SystemPackage

/// A revision's files and their build in release, in a folder that the caller removes.
struct RevisionBuild {
  /// The executable of the build.
  let executable: String

  /// Takes the revision's files out and builds them; what the tools say goes to standard error.
  ///
  /// - Parameters:
  ///   - revision: A branch, tag or commit.
  ///   - folder: Where to put the files; it must not exist yet.
  ///   - recipe: What to build of them.
  /// - Throws: ``CommandError`` when there is no repository or no such revision, or it does not build.
  init(of revision: String, in folder: String, recipe: BuildRecipe = .batchmark) throws(CommandError) {
    guard let root = RevisionBuild.output(of: ["git", "rev-parse", "--show-toplevel"]) else {
      throw CommandError(.usage, "there is no git repository here whose revisions could be built")
    }
    guard
      let commit = RevisionBuild.output(
        of: ["git", "-C", root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
    else {
      throw CommandError(.usage, "found the revision '\(revision)'; the repository \(root) has none of that name")
    }
    do { try Folder.make(folder) } catch { throw CommandError(error) }
    // With an index of its own, nothing is noted in the repository: a worktree would be, and stay after a kill.
    try RevisionBuild.run([
      "GIT_INDEX_FILE=\(folder).index", "git", "-C", root, "--work-tree=\(folder)", "read-tree", "--reset", "-u",
      commit,
    ])
    executable = folder + "/" + recipe.executable
    for command in recipe.commands(in: folder) { try RevisionBuild.run(command) }
    guard FileManager.default.isExecutableFile(atPath: executable) else {
      throw CommandError(
        .invalidFile,
        "the build of '\(revision)' made no executable \(recipe.executable); expected one there, as --product or "
          + "--executable names it")
    }
  }

  private static func output(of arguments: [String]) -> String? { ToolProcess.lines(of: arguments)?.first }

  private static func run(_ arguments: [String]) throws(CommandError) {
    let words = arguments.map(ShellWord.quoted).joined(separator: " ")
    let status: ChildProcess.ExitStatus
    do throws(Errno) {
      status = try ToolProcess.run(arguments)
    } catch {
      throw CommandError(.internalError, "\(words) could not be started: \(error)")
    }
    switch status {
    case .exited(0): break
    case .exited(let number):
      throw CommandError(.invalidFile, "\(words) failed with status \(number); it says why above")
    case .signalled(let number): throw CommandError(.invalidFile, "\(words) was killed by signal \(number)")
    }
  }
}

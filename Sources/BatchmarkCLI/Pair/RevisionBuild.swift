// Building a side of a comparison from a revision of the git repository one stands in.
internal import Analysis
internal import Foundation
internal import Harness

/// A revision checked out beside the repository and built in release, until it is removed.
struct RevisionBuild {
  /// The executable of the build.
  let executable: String
  private let worktree: String
  private let repository: String

  /// Checks the revision out and builds it; what the tools say goes to standard error.
  ///
  /// - Parameters:
  ///   - revision: A branch, tag or commit.
  ///   - folder: Where to check it out; it must not exist yet.
  /// - Throws: ``CommandError`` when there is no repository or no such revision, or it does not build.
  init(of revision: String, in folder: String) throws(CommandError) {
    guard let root = RevisionBuild.output(of: ["git", "rev-parse", "--show-toplevel"]) else {
      throw CommandError(.usage, "there is no git repository here whose revisions could be built")
    }
    guard
      let commit = RevisionBuild.output(
        of: ["git", "-C", root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
    else {
      throw CommandError(.usage, "found the revision '\(revision)'; the repository \(root) has none of that name")
    }
    (repository, worktree) = (root, folder)
    try RevisionBuild.run(["git", "-C", root, "worktree", "add", "--detach", "--force", folder, commit])
    executable = folder + "/.build/release/batchmark"
    do throws(CommandError) {
      for product in ["batchmark", "CAllocationMeter"] {
        try RevisionBuild.run(["swift", "build", "--package-path", folder, "-c", "release", "--product", product])
      }
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the checkout and its build.
  func remove() { try? RevisionBuild.run(["git", "-C", repository, "worktree", "remove", "--force", worktree]) }

  private static func output(of arguments: [String]) -> String? { ToolProcess.lines(of: arguments)?.first }

  private static func run(_ arguments: [String]) throws(CommandError) {
    let words = arguments.map(ShellWord.quoted).joined(separator: " ")
    guard let process = ToolProcess.start(arguments, output: .standardError, errors: .standardError) else {
      throw CommandError(.internalError, "\(words) could not be started")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandError(.internalError, "\(words) failed with status \(process.terminationStatus); it says why above")
    }
  }
}

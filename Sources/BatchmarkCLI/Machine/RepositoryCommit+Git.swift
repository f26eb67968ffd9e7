// The commit of a scenario's repository, from git.
internal import Foundation
internal import Harness

extension RepositoryCommit {
  /// What is checked out where a file is, and whether tracked files have been changed since.
  ///
  /// - Returns: Nil where the file is in no git repository, where that has no commit yet, and without git.
  init?(ofFolderOf file: String) {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard
      // Looking must not write: git would otherwise refresh its index.
      let lines = ToolProcess.lines(of: [
        "GIT_OPTIONAL_LOCKS=0", "git", "-C", folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no",
      ])
    else { return nil }
    self.init(porcelain: lines)
  }

  /// Reads what `git status --porcelain=v2 --branch` says: headers that begin with `#`, and a line a changed file.
  init?(porcelain lines: [String]) {
    let head = "# branch.oid "
    guard let line = lines.first(where: { $0.hasPrefix(head) }) else { return nil }
    let id = String(line.dropFirst(head.count))
    // A repository without a commit says `(initial)`.
    guard !id.isEmpty, id.allSatisfy(\.isHexDigit) else { return nil }
    self.init(id: id, isDirty: lines.contains { !$0.hasPrefix("#") })
  }
}

// Reads the commit of a scenario's repository with git.
internal import Foundation
internal import Harness

extension RepositoryCommit {
  /// The commit checked out in a file's folder, and whether tracked files have changed since.
  ///
  /// - Returns: `nil` outside a git repository, in one without commits, and without git.
  init?(ofFolderOf file: String) {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard
      // Reading must not write: git would otherwise refresh its index.
      let lines = ToolProcess.lines(of: [
        "GIT_OPTIONAL_LOCKS=0", "git", "-C", folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no",
      ])
    else { return nil }
    self.init(porcelain: lines)
  }

  /// Reads the output of `git status --porcelain=v2 --branch`: headers that begin with `#`, and a line for each changed
  /// file.
  init?(porcelain lines: [String]) {
    let head = "# branch.oid "
    guard let line = lines.first(where: { $0.hasPrefix(head) }) else { return nil }
    let id = String(line.dropFirst(head.count))
    // A repository without a commit says `(initial)`.
    guard !id.isEmpty, id.allSatisfy(\.isHexDigit) else { return nil }
    self.init(id: id, isDirty: lines.contains { !$0.hasPrefix("#") })
  }
}

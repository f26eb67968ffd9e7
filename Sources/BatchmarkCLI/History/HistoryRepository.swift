// The order of commits in git, for a history.
internal import Analysis
internal import Foundation
internal import Harness

/// The git repository of the current directory.
struct HistoryRepository {
  static let head = "HEAD"

  /// - Throws: ``CommandError`` if there is none.
  init() throws(CommandError) {
    guard ToolProcess.lines(of: ["git", "rev-parse", "--git-dir"]) != nil else {
      throw CommandError(
        .usage, "found no git repository here; expected one, whose commits order the history: change to its folder")
    }
  }

  /// The prefix of addresses of commits, if the remote `origin` is on a known site.
  var commitAddress: String? {
    guard let remote = ToolProcess.lines(of: ["git", "remote", "get-url", "origin"])?.first else { return nil }
    return HistoryRepository.commitAddress(ofRemote: remote)
  }

  /// `https://github.com/owner/name/commit/` for `git@github.com:owner/name.git` and similar remotes; `nil` for others.
  static func commitAddress(ofRemote remote: String) -> String? {
    var rest = remote[...]
    for start in ["https://", "ssh://", "git://"] where rest.hasPrefix(start) { rest = rest.dropFirst(start.count) }
    if let user = rest.firstIndex(of: "@"), !rest[..<user].contains("/") { rest = rest[user...].dropFirst() }
    if rest.hasSuffix(".git") { rest = rest.dropLast(4) }
    let parts = rest.split(whereSeparator: { $0 == "/" || $0 == ":" })
    guard parts.count >= 3, ["github.com", "gitlab.com", "codeberg.org"].contains(parts[0]),
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) } })
    else { return nil }
    return "https://\(parts.joined(separator: "/"))/commit/"
  }

  /// The full hash of a revision.
  ///
  /// - Throws: ``CommandError`` if there is no such commit.
  func commit(_ revision: String) throws(CommandError) -> String {
    guard
      let id = ToolProcess.lines(of: [
        "git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}",
      ])?.first
    else {
      throw CommandError(.usage, "found the revision '\(revision)'; expected a branch, tag or commit of the repository")
    }
    return id
  }

  /// The commits of a branch by first parents, the newest first.
  ///
  /// - Throws: ``CommandError`` if there is no such branch.
  func firstParents(of branch: String) throws(CommandError) -> [String] {
    try revisions([try commit(branch)])
  }

  /// The commits by first parents of `A..B`, the newest first.
  ///
  /// - Throws: ``CommandError`` if the range is invalid.
  func firstParents(inRange range: String) throws(CommandError) -> [String] {
    let ends = range.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let parts = range.range(of: ".."), !range.contains("..."), ends.count >= 3 else {
      throw CommandError(.usage, "found '\(range)'; expected two revisions as A..B")
    }
    let (first, last) = (String(range[..<parts.lowerBound]), String(range[parts.upperBound...]))
    return try revisions([try commit(last), "^" + commit(first)])
  }

  private func revisions(_ words: [String]) throws(CommandError) -> [String] {
    // A line has 41 bytes.
    guard let lines = ToolProcess.lines(of: ["git", "rev-list", "--first-parent"] + words, limit: 1 << 28) else {
      throw CommandError(
        .internalError, "git rev-list --first-parent \(words.joined(separator: " ")) failed; run it to see why")
    }
    return lines
  }

  /// Whether the clone has only the newest commits.
  var isShallow: Bool { ToolProcess.lines(of: ["git", "rev-parse", "--is-shallow-repository"]) == ["true"] }
}

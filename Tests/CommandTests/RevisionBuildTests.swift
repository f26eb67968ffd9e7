// A7: `pair --base-ref` in somebody else's repository, with their own executable.
import Analysis
import Foundation
import Harness
import MissionTags
import Reports
import Testing

@testable import BatchmarkCLI

@Suite("A7 · pairs of revisions", .tags(.a7))
struct RevisionBuildTests {
  /// A repository with two commits.
  ///
  /// Its build puts one of our executables into the folder `bin`, and a file sets how many rows it saves at once.
  private func repository() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent().path
    try workspace.write(
      """
      set -e
      grep -q works state
      mkdir bin
      ln -s '\(products)/batchmark' '\(products)/libCAllocationMeter.so' bin
      """, to: "make.sh")
    try workspace.write("works\n", to: "state")
    try commit(workspace, "one", isFirst: true)
    try workspace.write("works too\n", to: "state")
    try commit(workspace, "two")
    return workspace
  }

  private func commit(_ workspace: Workspace, _ message: String, isFirst: Bool = false) throws {
    func git(_ words: [String]) throws {
      let user = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
      _ = try #require(ToolProcess.lines(of: ["git", "-C", workspace.path] + user + words), "git \(words)")
    }
    if isFirst { try git(["init", "--quiet", "--initial-branch", "main"]) }
    try git(["add", "small.yml", "make.sh", "state"])
    try git(["commit", "--quiet", "-m", message])
  }

  private let options = ["--scenario", "small.yml", "--exact-only", "--no-placebo", "--out", "out"]

  @Test("Both sides are built by a command of the repository's own, and compared")
  func commands() async throws {
    let workspace = try repository()
    let result = try await Program.batchmark.run(
      ["pair", "--base-ref", "HEAD~1", "--build", "sh make.sh", "--executable", "bin/batchmark"] + options,
      in: workspace.path)
    #expect(result.status == 0 || result.status == 1, "\(result.errors)")
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    #expect(results.base.name == "HEAD~1" && results.head.name == "HEAD")
    let comparison = try #require(results.comparisons.first)
    #expect(comparison.failures.isEmpty && comparison.isOfOneContent && comparison.figures(results.rules).count > 8)
    #expect(try #require(ToolProcess.lines(of: ["git", "-C", workspace.path, "worktree", "list"])).count == 1)
  }

  @Test("A build that fails or makes no executable is a mistake of the file; options that clash are wrong usage")
  func mistakes() async throws {
    let workspace = try repository()
    try workspace.write("broken\n", to: "state")
    try commit(workspace, "three")
    let cases: [([String], Int32, String)] = [
      (
        ["--build", "sh make.sh", "--executable", "bin/batchmark"], 65,
        "failed with status 1; its messages above say why"
      ),
      (
        ["--head-ref", "HEAD~1", "--build", "sh make.sh", "--executable", "bin/engine"], 65,
        "made no executable bin/engine"
      ),
      (["--product", "Engine", "--build", "sh make.sh"], 64, "found --product with --build"),
      (["--build", "sh make.sh"], 64, "found --build or --executable alone"),
      (["--head-ref", "nothing"], 64, "found the revision"),
    ]
    for (words, status, message) in cases {
      let base = words.contains("nothing") ? "nothing" : "HEAD~2"
      let result = try await Program.batchmark.run(["pair", "--base-ref", base] + words + options, in: workspace.path)
      #expect(result.status == status && result.errors.contains(message), "\(words): \(result.errors)")
      #expect(!workspace.exists("out"))
    }
  }
}

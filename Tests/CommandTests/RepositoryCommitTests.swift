// A5: a run records the commit of the repository that contains its scenario, or none outside of repositories.
import Analysis
import Foundation
import Harness
import MissionTags
import Reports
import Testing

@testable import BatchmarkCLI

@Suite("A5 · the commit of the scenario's repository", .tags(.a5))
struct RepositoryCommitTests {
  private static let id = String(repeating: "0a", count: 20)

  @Test("The commit of a clean checkout, a changed one and an empty repository is read from git")
  func porcelain() {
    let head = ["# branch.oid \(Self.id)", "# branch.head main"]
    #expect(RepositoryCommit(porcelain: head) == RepositoryCommit(id: Self.id, isDirty: false))
    #expect(RepositoryCommit(porcelain: head)?.description == Self.id)
    let changed = RepositoryCommit(porcelain: head + ["1 .M N... 100644 100644 100644 0a 0a a.yml"])
    #expect(changed == RepositoryCommit(id: Self.id, isDirty: true))
    #expect(changed?.description == Self.id + "-dirty")
    #expect(RepositoryCommit(porcelain: ["# branch.oid (initial)", "# branch.head main"]) == nil)
    #expect(RepositoryCommit(porcelain: []) == nil)
  }

  @Test("A run outside of a repository records no commit")
  func outside() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    // A temporary folder is in no repository.
    #expect(RepositoryCommit(ofFolderOf: workspace.path + "/small.yml") == nil)
    let outside = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "a"], in: workspace.path)
    #expect(outside.status == 0, "\(outside.errors)")
    let run = try ResultsFile.read(workspace.path + "/a/results.json").run
    #expect(run.commit == nil && !run.runID.isEmpty && run.toolchain.hasPrefix("Swift ") && !run.machine.isEmpty)
  }

  @Test(
    "A run in a repository records its commit, also from another folder",
    .enabled(if: ToolProcess.lines(of: ["git", "--version"]) != nil, "git is not on PATH"))
  func inside() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    func git(_ words: String...) throws -> [String] {
      let user = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
      return try #require(ToolProcess.lines(of: ["git", "-C", workspace.path] + user + words), "git \(words)")
    }
    let file = workspace.path + "/small.yml"
    _ = try git("init", "--quiet")
    #expect(RepositoryCommit(ofFolderOf: file) == nil, "there is no commit yet")
    _ = try git("add", "small.yml")
    _ = try git("commit", "--quiet", "-m", "a")
    let id = try #require(try git("rev-parse", "HEAD").first)
    #expect(RepositoryCommit(ofFolderOf: file) == RepositoryCommit(id: id, isDirty: false))
    let clean = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "a"], in: workspace.path)
    #expect(clean.status == 0, "\(clean.errors)")
    let first = try ResultsFile.read(workspace.path + "/a/results.json").run
    #expect(first.commit == RepositoryCommit(id: id, isDirty: false))
    #expect(RepositoryCommit(ofFolderOf: file) == first.commit, "reports are not tracked")
    try workspace.write(try workspace.text(of: "small.yml") + "# more\n", to: "small.yml")
    let inside = try await Program.batchmark.run(["run", file, "--quick", "--out", "b"], in: workspace.path)
    #expect(inside.status == 0, "\(inside.errors)")
    let second = try ResultsFile.read(workspace.path + "/b/results.json").run
    #expect(second.commit == RepositoryCommit(id: id, isDirty: true))
    #expect(second.runID != first.runID && second.machine == first.machine)
    let summary = try workspace.text(of: "b/summary.csv")
    #expect(summary.contains(",\(second.runID),\(second.started),\(id)-dirty,"))
  }
}

// A7: builds of commits are kept in the repository's git folder, complete or not at all.
import Foundation
import Harness
import MissionTags
import Testing

@testable import BatchmarkCLI

/// A repository with a build command that logs each call and makes an executable unless the commit is broken.
private struct Repository {
  let workspace: Workspace
  let recipe = BuildRecipe.command("sh make.sh", executable: "bin/engine")

  init(in folder: String? = nil) throws {
    workspace = try Workspace(in: folder)
    try workspace.write(
      """
      set -e
      echo "begin $(cat state)" >> '\(workspace.path)/calls'
      mkdir bin
      cp make.sh bin/engine
      chmod +x bin/engine
      echo "end $(cat state)" >> '\(workspace.path)/calls'
      ! grep -q broken state
      """, to: "make.sh")
    try git("init", "--quiet", "--initial-branch", "main")
    try commit("one")
  }

  func git(_ words: String...) throws {
    let user = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    _ = try #require(ToolProcess.lines(of: ["git", "-C", workspace.path] + user + words), "git \(words)")
  }

  func commit(_ state: String) throws {
    try workspace.write(state + "\n", to: "state")
    try git("add", "make.sh", "state")
    try git("commit", "--quiet", "-m", state)
  }

  /// Builds like another command would.
  func build(_ revision: String, _ other: BuildRecipe? = nil, in folder: String = "") throws -> RevisionBuild {
    try RevisionBuilds(other ?? recipe, in: workspace.path + folder).build(of: revision)
  }

  /// The builds, in order.
  var calls: [String] {
    ((try? workspace.text(of: "calls")) ?? "").split(separator: "\n").filter { $0.hasPrefix("begin") }
      .map { String($0.dropFirst(6)) }
  }

  var kept: [String] { workspace.names(in: ".git/batchmark") }
}

@Suite("A7 · kept builds", .tags(.a7))
struct KeptBuildTests {
  @Test("A commit is built once, for all worktrees; another commit and another recipe are built again")
  func reused() throws {
    let repository = try Repository()
    let first = try repository.build("HEAD").executable
    #expect(first.hasSuffix("/files/bin/engine") && first.contains("/.git/batchmark/command-"))
    #expect(try repository.build("main").executable == first)
    try repository.git("worktree", "add", "--quiet", "--detach", "other")
    #expect(try repository.build("HEAD", in: "/other").executable == first)
    #expect(repository.calls == ["one"])

    try repository.commit("two")
    #expect(try repository.build("HEAD").executable != first)
    #expect(try repository.build("HEAD~1").executable == first)
    #expect(repository.calls == ["one", "two"])
    let other = BuildRecipe.command("sh make.sh", executable: "bin/../bin/engine")
    #expect(try repository.build("HEAD", other).executable != repository.build("HEAD").executable)
    #expect(repository.calls == ["one", "two", "two"])

    // A build without its executable is useless.
    try FileManager.default.removeItem(atPath: first)
    #expect(try repository.build("HEAD~1").executable != first)
    #expect(repository.calls.count == 4 && repository.kept.count == 3)
  }

  @Test("Builds of different commands, executables, products and compilers are kept apart")
  func fingerprints() {
    let recipes: [BuildRecipe] = [
      .product("a"), .product("b"), .command("a", executable: "b"), .command("a --executable", executable: "b"),
      .command("a", executable: "--executable b"), .command("b", executable: "a"),
    ]
    let all = recipes.flatMap { recipe in ["Swift 6.2", "Swift 6.3"].map { recipe.fingerprint(compiler: $0) } }
    #expect(Set(all).count == all.count)
    #expect(recipes[0].fingerprint(compiler: "Swift 6.3") == all[1])
  }

  @Test("A build that fails, or does not make the executable, leaves nothing, and is tried again")
  func failed() throws {
    let repository = try Repository()
    try repository.commit("broken")
    for count in 1...2 {
      let error = #expect(throws: CommandError.self) { try repository.build("HEAD") }
      #expect(error?.status == .invalidFile && error?.message.contains("failed with status 1") == true)
      #expect(repository.calls.count == count && repository.kept == [])
    }
    let missing = BuildRecipe.command("sh make.sh", executable: "bin/machine")
    let error = #expect(throws: CommandError.self) { try repository.build("HEAD~1", missing) }
    #expect(error?.message.contains("made no executable bin/machine") == true && repository.kept == [])
  }
}

extension KeptBuildTests {
  @Test("Leftovers of a killed build are not used as a build, and are removed by the next one")
  func cutOff() throws {
    let repository = try Repository()
    var folder: String?
    do {
      let build = try repository.build("HEAD")
      folder = build.executable.components(separatedBy: "/files/").first
    }
    let path = try #require(folder)
    try FileManager.default.removeItem(atPath: path + "/complete")
    #expect(try repository.build("HEAD").executable.hasPrefix(path) == false)
    #expect(repository.calls == ["one", "one"])
    #expect(repository.kept.count == 1 && !FileManager.default.fileExists(atPath: path))
  }

  @Test("The most recently used builds and all in use stay; the others are removed")
  func pruned() throws {
    let repository = try Repository()
    for name in ["two", "three", "four", "five", "six"] { try repository.commit(name) }
    let count = BuildPlace.Kind.command.count
    #expect(count == 4)
    let used = try repository.build("HEAD~5")
    for age in [4, 3, 2] { _ = try repository.build("HEAD~\(age)") }
    // The second is used again, so the third is now the least recently used one.
    _ = try repository.build("HEAD~4")
    _ = try repository.build("HEAD~1")
    _ = try repository.build("HEAD")
    #expect(repository.calls.count == 6)
    // The four that were used last, and the first, which is still in use.
    #expect(repository.kept.count == 5)
    _ = try repository.build("HEAD~5")
    _ = try repository.build("HEAD~4")
    #expect(repository.calls.count == 6)
    _ = try repository.build("HEAD~3")
    #expect(repository.calls.last == "three" && repository.calls.count == 7)
    withExtendedLifetime(used) {}
  }

  @Test("Builds that begin at the same time take turns")
  func turns() async throws {
    let repository = try Repository()
    for name in ["two", "three", "four"] { try repository.commit(name) }
    let (path, recipe) = (repository.workspace.path, repository.recipe)
    let executables = try await withThrowingTaskGroup(of: String.self) { group in
      for age in 0...3 {
        group.addTask { try RevisionBuilds(recipe, in: path).build(of: "HEAD~\(age)").executable }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(executables.count == 4)
    let lines = try repository.workspace.text(of: "calls").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == 8)
    for (begin, end) in zip(lines, lines.dropFirst()) where begin[0] == "begin" { #expect(end == ["end", begin[1]]) }
  }

  @Test("If nothing can be preloaded from the git folder, builds are made elsewhere, and not kept")
  func elsewhere() throws {
    let outer = try Workspace()
    let folder = outer.path + "/with a space"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let repository = try Repository(in: folder)
    let build = try repository.build("HEAD")
    #expect(!build.executable.contains(" ") && FileManager.default.isExecutableFile(atPath: build.executable))
    #expect(!repository.workspace.exists(".git/batchmark"))
    withExtendedLifetime(build) {}
  }
}

// `pair --base-ref`: builds the products of revisions one after the other in one folder. The compiler is a shell script
// here.
import Foundation
import MissionTags
import Testing

@testable import BatchmarkCLI

@Suite("A2 A6 · builds of revisions", .tags(.a2, .a6))
struct RevisionTests {
  /// A repository with one commit that has a file `marker`, and a folder for temporary files.
  private func repository(compiler: String) throws -> (Workspace, environment: [String: String]) {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try workspace.write("committed", to: "marker")
    for words in [["init", "--quiet"], ["add", "marker"], ["commit", "--quiet", "-m", "first"]] {
      _ = try #require(
        ToolProcess.lines(of: ["git", "-C", workspace.path, "-c", "user.name=a", "-c", "user.email=a@b.c"] + words))
    }
    try workspace.write("changed since", to: "marker")
    for folder in ["bin", "temporary"] {
      try FileManager.default.createDirectory(atPath: "\(workspace.path)/\(folder)", withIntermediateDirectories: true)
    }
    try workspace.writeCommand("[ \"$1\" = build ] || exit 0\n\(compiler)", to: "bin/swift")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (workspace, ["PATH": "\(workspace.path)/bin:\(path)", "TMPDIR": workspace.path + "/temporary"])
  }

  private let words = ["pair", "--base-ref", "HEAD", "--scenario", "small.yml", "--out", "out"]

  /// The files that builds left in the repository, without the random letters.
  private func kept(_ workspace: Workspace) -> [String] {
    workspace.names(in: ".git/batchmark").map { String($0.prefix { $0 != "-" }) }
  }

  @Test("The compiler gets the revision's files; if it fails, no build is kept, and the repository is unchanged")
  func failing() async throws {
    let (workspace, environment) = try repository(compiler: "cat \"$3/marker\" >> seen; echo no such module; exit 9")
    let result = try await Program.batchmark.run(words, in: workspace.path, environment: environment)
    #expect(result.status == 65)
    #expect(result.errors.contains("no such module\n"))
    #expect(result.errors.contains("--product batchmark failed with status 9; its messages above say why"))
    #expect(try workspace.text(of: "seen") == "committed")
    #expect(workspace.names(in: "temporary") == [])
    #expect(!workspace.exists("out") && !workspace.exists(".git/worktrees"))
    // The files, with those that the compiler finished.
    #expect(kept(workspace) == ["work"])
    #expect(try workspace.text(of: "marker") == "changed since")
  }

  @Test(
    "Output of a build cannot steer the terminal, and its temporary files are removed with it",
    arguments: [true, false])
  func hostileBuild(isProduct: Bool) async throws {
    let lines = """
      printf '\\033[2J\\033]0;title\\007red\\r\\n::error::fake\\nlast'
      mktemp -d "$TMPDIR/TemporaryDirectory.XXXXXX" >> "$SEEN"; exit 9
      """
    let (workspace, environment) = try repository(compiler: lines)
    var words = words
    if !isProduct { words += ["--build", lines, "--executable", "engine"] }
    let seen = workspace.path + "/seen"
    let result = try await Program.batchmark.run(
      words, in: workspace.path, environment: environment.merging(["SEEN": seen]) { $1 })
    #expect(result.status == 65)
    #expect(
      result.errors.contains("\u{FFFD}[2J\u{FFFD}]0;title\u{FFFD}red\n: :error::fake\nlast"), "\(result.errors)")
    #expect(!result.errors.unicodeScalars.contains("\u{1B}"))
    let made = try workspace.text(of: "seen")
    #expect(made.hasPrefix(workspace.path + "/temporary/"))
    #expect(workspace.names(in: "temporary") == [])
  }
}

extension RevisionTests {
  @Test(
    "Mistakes that need no build to be found are refused before it",
    arguments: [
      (["--scenario", "missing.yml"], 66 as Int32, "missing.yml: found no such file"),
      (["--scenario", "own.yml"], 66, "no cell but those of the engine hasty, which is not here"),
      (["--scenario", "small.yml", "--only", "nothing"], 64, "found no such cell"),
      (["--scenario", "small.yml", "--out", "bin"], 73, "exists already"),
    ])
  func refusals(options: [String], status: Int32, message: String) async throws {
    let (workspace, environment) = try repository(compiler: "touch \"$SEEN\"; exit 9")
    let text = try workspace.text(of: "small.yml")
    try workspace.write(text.replacing("engine: sqlite", with: "engine: hasty"), to: "own.yml")
    let result = try await Program.batchmark.run(
      ["pair", "--base-ref", "HEAD"] + options, in: workspace.path,
      environment: environment.merging(["SEEN": workspace.path + "/seen"]) { $1 })
    #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
    #expect(!workspace.exists("seen") && !workspace.exists(".git/batchmark"))
  }

  @Test(
    "Both commits are built in one folder, where only files that differ are written; the executable is kept with its meters"
  )
  func products() async throws {
    let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent().path
    let (workspace, environment) = try repository(
      compiler: """
        echo "$(cat "$3/marker") $(stat -c %Y%i "$3/same") $7" >> seen
        cd "$3"
        mkdir -p .build/release/Own.resources .build/release/Own.build
        touch .build/release/libOwn.so .build/release/Own.swiftmodule
        ln -sf '\(products)/batchmark' '\(products)/libCAllocationMeter.so' .build/release
        case "$7" in *StoreMeter|*ProgramAllocationMeter)
          grep -q last marker && { echo "no product $7"; exit 1; }
          touch ".build/release/lib$7.so"
        esac
        """)
    try workspace.write("committed too", to: "marker")
    try workspace.write("the same", to: "same")
    for words in [["add", "marker", "same"], ["commit", "--quiet", "-m", "second"]] {
      _ = try #require(
        ToolProcess.lines(of: ["git", "-C", workspace.path, "-c", "user.name=a", "-c", "user.email=a@b.c"] + words))
    }
    try workspace.write("committed last", to: "marker")
    _ = try #require(
      ToolProcess.lines(of: [
        "git", "-C", workspace.path, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-am", "third",
      ]))
    func pair(_ out: String) async throws -> Program.Result {
      try await Program.batchmark.run(
        ["pair", "--base-ref", "HEAD~1", "--scenario", "small.yml", "--exact-only", "--no-placebo", "--out", out],
        in: workspace.path, environment: environment)
    }
    let first = try await pair("first")
    #expect(first.status == 0, "\(first.errors)")
    let seen = try workspace.text(of: "seen").split(separator: "\n").map { $0.split(separator: " ") }
    let texts = seen.map { $0.prefix(2).joined(separator: " ") }
    #expect(texts == [String](repeating: "committed too", count: 4) + [String](repeating: "committed last", count: 4))
    #expect(Set(seen.map { $0[2] }).count == 1, "a file that is the same in both commits is left as it is")
    let built = ["batchmark", "CAllocationMeter", "CStoreMeter", "CProgramAllocationMeter"]
    #expect(seen.map { String($0.last ?? "") } == built + built)
    #expect(first.errors.contains("this build has no CStoreMeter, so that it cannot meter engines that are programs\n"))
    #expect(kept(workspace) == ["product", "product", "work"])
    let files = workspace.names(in: ".git/batchmark").filter { $0.hasPrefix("product") }.map {
      workspace.names(in: ".git/batchmark/\($0)/files")
    }
    let always = ["Own.resources", "batchmark", "libCAllocationMeter.so", "libOwn.so"]
    let meters = ["libCProgramAllocationMeter.so", "libCStoreMeter.so"]
    #expect(Set(files) == [always, (always + meters).sorted()], "a meter is that of the commit, where it has one")
    let second = try await pair("second")
    #expect(second.status == 0 && second.errors.contains("the build of "), "\(second.errors)")
    #expect(try workspace.text(of: "seen").split(separator: "\n").count == 8)
  }

  @Test("A build in a folder with '=' in its name is started, and not read as a variable")
  func equalsSign() throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/a=b", withIntermediateDirectories: true)
    try workspace.writeCommand("exit $1", to: "a=b/tool")
    #expect(try ToolProcess.status(of: [workspace.path + "/a=b/tool", "7"]) == 7)
  }

  @Test(
    "A signal ends the compiler too and leaves no partial build; after a kill, the next build removes it",
    .timeLimit(.minutes(30)), arguments: [SIGTERM, SIGKILL])
  func ended(signal: Int32) async throws {
    // The compiler ends on its own if nothing ends it.
    let (workspace, environment) = try repository(
      compiler: """
        [ -e began ] && exit 9
        touch began; cd "$3"; i=0; while [ $((i+=1)) -lt 9999 ] && date > new; do sleep 0.01; done
        """)
    let running = try Program.batchmark.start(words, in: workspace.path, environment: environment)
    // A separate thread looks for it, because a task may wait for its turn for longer than the compiler runs.
    let mark = workspace.path + "/began"
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while running.isRunning && !FileManager.default.fileExists(atPath: mark) { usleep(5_000) }
        running.send(signal)
        continuation.resume()
      }
    }
    #expect(try await running.end().status == (signal == SIGKILL ? -SIGKILL : 130))
    var left: [String] = []
    if signal == SIGKILL {
      // The compiler does not know that no one waits for it.
      for _ in 1...100 {
        let numbers = await workspace.processes(patience: 1)
        if numbers.isEmpty { break }
        for number in numbers { kill(Int32(number) ?? 0, SIGKILL) }
      }
      #expect(await workspace.processes() == [])
      left = workspace.names(in: ".git/batchmark")
      #expect(left.count == 1)
      _ = try await Program.batchmark.run(words, in: workspace.path, environment: environment)
    }
    #expect(await workspace.processes() == [])
    #expect(workspace.names(in: "temporary") == [])
    #expect(workspace.names(in: ".git/batchmark").allSatisfy { !left.contains($0) })
    #expect(kept(workspace) == (signal == SIGKILL ? ["work"] : []))
  }
}

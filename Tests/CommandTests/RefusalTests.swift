// Errors before anything is measured: one clear message, the right status, and no leftovers.
import Foundation
import MissionTags
import Testing

@Suite("A6 A8 · refusals", .tags(.a6, .a8))
struct RefusalTests {
  /// Runs `small.yml` into `out` and expects a refusal that leaves nothing.
  private func expectRefusal(
    _ workspace: Workspace, _ arguments: [String] = ["small.yml"], status: Int32, saying words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await Program.batchmark.run(["run"] + arguments + ["--out", "out"], in: workspace.path)
    #expect(result.status == status, "\(result.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: sourceLocation)
    }
    #expect(result.errors.hasPrefix("batchmark: "), sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(!workspace.exists("out"), sourceLocation: sourceLocation)
  }

  @Test("An unknown key, strategy, pragma or type is named with file, line and column")
  func scenarioMistakes() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: sav}"])
    try await expectRefusal(workspace, status: 65, saying: "small.yml:", "did you mean 'save'?")
    try workspace.writeScenario(cells: ["{strategy: save, save_evry: 3}"])
    try await expectRefusal(workspace, status: 65, saying: "small.yml:", "'save_evry'")
    try workspace.writeScenario(store: "{journal_mod: wal}")
    try await expectRefusal(workspace, status: 65, saying: "small.yml:13:9", "did you mean 'journal_mode'?")
    try workspace.writeScenario()
    try workspace.write(
      try workspace.text(of: "small.yml").replacingOccurrences(of: "double", with: "duble"), to: "small.yml")
    try await expectRefusal(workspace, status: 65, saying: "small.yml:", "'duble'", "did you mean 'double'?")
  }

  @Test("Negative and zero rows are refused, in the file and on the command line", arguments: ["0", "-5"])
  func rows(count: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(source: "{generate: {rows: \(count)}}")
    try await expectRefusal(workspace, status: 65, saying: "small.yml:11:", count)
    try workspace.writeScenario()
    try await expectRefusal(
      workspace, ["small.yml", "--set", "rows=\(count)"], status: 64, saying: "--set rows=\(count)")
  }

  @Test(
    "A setting without a key or a value is refused, and the missing part is named",
    arguments: [("rows", "found no '='"), ("=5", "found no key before '='")])
  func settings(_ setting: String, finding: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try await expectRefusal(
      workspace, ["small.yml", "--set", setting], status: 64, saying: "--set \(setting): \(finding)")
  }

  @Test("A parameter that none of the selected cells has is refused, and accepted if one of them has it")
  func idleSetting() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let set = ["small.yml", "--set", "save_every=5"]
    try await expectRefusal(
      workspace, set + ["--only", "insert"], status: 64,
      saying:
        "--set save_every=5: found no cell with 'save_every' among the selected ones, small/sqlite/insert; expected")
    for command in [["run", "--dry-run"], ["plan"]] {
      let result = try await Program.batchmark.run(command + set + ["--skip", "save"], in: workspace.path)
      #expect(result.status == 64 && result.errors.contains("found no cell with 'save_every'"), "\(result.errors)")
    }
    let taken = try await Program.batchmark.run(["run", "--dry-run"] + set + ["--only", "save"], in: workspace.path)
    #expect(taken.status == 0 && taken.output.contains("save[save_every=5]"), "\(taken.errors)")
  }

  @Test(
    "A negative number is refused, with what the option expects",
    arguments: [
      (
        ["run", "small.yml", "--rounds", "-1"],
        "--rounds -1, for small.yml: found -1; expected a whole number of rounds from 1"
      ),
      (["run", "small.yml", "--min-rounds", "-1"], "--min-rounds -1: expected a number from 1"),
      (["run", "small.yml", "--max-time", "-5m"], "--max-time -5m: expected a time such as"),
      (["plan", "small.yml", "--pairs", "-3"], "--pairs -3: expected a number from 7"),
      (["pair", "this", "this", "--trials", "-2"], "--trials -2: expected a number from 1"),
      (["generate", "--rows", "-5"], "found -5; expected a whole number of rows from 1"),
      (["history", "prune", "--keep", "-1"], "--keep -1: expected a number from 1"),
      (["profile", "small.yml", "--cell", "save", "--rounds", "-1"], "--rounds -1: expected a number from 1"),
      (["run", "small.yml", "--seed", "-1"], "'-1' is invalid for '--seed <n>'"),
    ])
  func belowZero(_ arguments: [String], words: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(arguments, in: workspace.path)
    #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
  }

  @Test("A missing scenario, a folder without any, and no default suite are refused")
  func missingScenario() async throws {
    let workspace = try Workspace()
    try await expectRefusal(workspace, ["none.yml"], status: 66, saying: "none.yml")
    try await expectRefusal(workspace, ["."], status: 66, saying: "folder without scenario files")
  }
}

extension RefusalTests {
  @Test("Two files with the same scenario name are refused")
  func sharedName() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try workspace.writeScenario(to: "other.yml")
    try await expectRefusal(
      workspace, ["."], status: 65, saying: "other.yml and ./small.yml both name their scenario 'small'")
    // Files of a run are named after them, and some file systems ignore case.
    let text = try workspace.text(of: "other.yml")
    try workspace.write(text.replacing("scenario: small", with: "scenario: Small"), to: "other.yml")
    try await expectRefusal(
      workspace, ["."], status: 65,
      saying: "other.yml and ./small.yml name their scenarios 'Small' and 'small', which differ in case alone")
  }

  @Test("Feeds that are missing, empty, truncated, ragged or of the wrong type are refused")
  func feeds() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(source: "{feed: feed.csv}")
    try await expectRefusal(workspace, status: 66, saying: "feed.csv")
    try workspace.write("", to: "feed.csv")
    try await expectRefusal(workspace, status: 65, saying: "feed.csv", "empty")
    try workspace.write("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"prop", to: "feed.csv")
    try await expectRefusal(workspace, status: 65, saying: "feed.csv", "byte")
    // The same for every engine: none is started.
    let cells = ["{strategy: save}", "{strategy: batch-objects}", "{engine: sqlite, strategy: insert}"]
    try workspace.writeScenario(cells: cells, source: "{feed: feed.csv}")
    try workspace.write("time,mag,place,id\n2018-06-12T16:38:28Z,1,a,x\n,2,b,y\n", to: "feed.csv")
    try await expectRefusal(
      workspace, status: 65,
      saying: "feed.csv: line 3, column 1: found no value for the attribute 'time', which is required; expected a time")
    try workspace.write("<html>not found</html>", to: "feed.csv")
    try await expectRefusal(workspace, status: 65, saying: "feed.csv", "HTML")
    try workspace.write(
      "time,mag,place,id\n2018-06-12T16:38:28.820Z,1,\"a, b\",x1\n2018-06-12T16:38:28.820Z,1,x2\n", to: "feed.csv")
    try await expectRefusal(workspace, status: 65, saying: "feed.csv: line 3: found 3 fields")
    try await expectRefusal(workspace, ["small.yml", "--feed", "none.csv"], status: 66, saying: "none.csv")
  }

  @Test("Pipes, devices and standard input are refused by name and not waited for", .timeLimit(.minutes(10)))
  func specialFiles() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try #require(mkfifo(workspace.path + "/pipe", 0o600) == 0)
    try await expectRefusal(
      workspace, ["pipe"], status: 66, saying: "pipe: found a named pipe; expected a scenario file")
    try await expectRefusal(
      workspace, ["-"], status: 66, saying: "-: found standard input; expected a scenario file in a")
    for (path, kind) in [
      ("pipe", "a named pipe"), ("/dev/zero", "a device"), ("-", "standard input"), (".", "a folder"),
    ] {
      try await expectRefusal(
        workspace, ["small.yml", "--feed", path], status: 66, saying: "\(path): found \(kind); expected a feed")
    }
    try await expectRefusal(workspace, ["--store", "pipe"], status: 65, saying: "found a named pipe at 'pipe'")
    try await expectRefusal(
      workspace, ["--store", "/dev/stdin"], status: 66, saying: "standard input can be read only once")
    for arguments in [
      ["check", "pipe"], ["compare", "pipe", "pipe"], ["check", "/dev/stdin"], ["inspect", "/dev/stdin"],
    ] {
      let result = try await Program.batchmark.run(arguments, in: workspace.path)
      #expect(result.status == 66, "\(result.errors)")
      #expect(result.errors.contains("\(arguments[1])"), "\(result.errors)")
    }
    let inspect = try await Program.batchmark.run(["inspect", "pipe"], in: workspace.path)
    #expect(inspect.status == 65 && inspect.errors.contains("pipe: found a named pipe"), "\(inspect.errors)")
  }
}

extension RefusalTests {
  @Test("Output that exists, or lies under a file, is refused")
  func output() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try workspace.write("mine", to: "file")
    let under = try await Program.batchmark.run(["run", "small.yml", "--out", "file/out"], in: workspace.path)
    #expect(under.status == 73)
    #expect(under.errors.contains("file/out cannot be written: Not a directory"))
    #expect(try workspace.text(of: "file") == "mine")

    try FileManager.default.createDirectory(atPath: workspace.path + "/there", withIntermediateDirectories: false)
    let there = try await Program.batchmark.run(["run", "small.yml", "--out", "there"], in: workspace.path)
    #expect(there.status == 73)
    // There is nothing in it to resume.
    #expect(there.errors.contains("exists already; choose another folder with --out"), "\(there.errors)")
    #expect(workspace.names(in: "there").isEmpty)
    _ = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "run"], in: workspace.path)
    let again = try await Program.batchmark.run(["run", "small.yml", "--out", "run"], in: workspace.path)
    #expect(again.status == 73 && again.errors.contains("continue the run in it with --resume"), "\(again.errors)")
    // A command that cannot resume does not advise it.
    let merge = try await Program.batchmark.run(["merge", "run", "--out", "run"], in: workspace.path)
    #expect(merge.status == 73 && !merge.errors.contains("--resume"), "\(merge.errors)")
  }

  @Test("A debug build refuses to measure unless it is asked to")
  func debugBuild() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--out", "out"], in: workspace.path, allowsDebug: false)
    #expect(result.status == (Program.isDebugBuild ? 64 : 0))
    #expect(result.errors.contains("debug build") == Program.isDebugBuild)
    #expect(workspace.exists("out") != Program.isDebugBuild)
  }

  @Test(
    "Wrong usage has status 64 and says what is wrong",
    arguments: [
      ["run", "--resume"], ["run", "--set", "rows"], ["run", "--nonsense"], ["run", "--quick", "--rounds", "2"],
      ["run", "--quick", "--set", "rounds=3"],
      ["run", "--seed", "x"], ["generate", "--rows", "0"], ["generate", "--format", "xml"],
      ["generate", "--duplicates", "5"], ["measure"], ["validate"],
    ])
  func usage(arguments: [String]) async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(arguments, in: workspace.path)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("batchmark: "))
    #expect(result.output.isEmpty)
  }

  @Test("Help and version are written to standard output")
  func help() async throws {
    let workspace = try Workspace()
    for arguments in [["--help"], ["help", "run"], ["--version"]] {
      let result = try await Program.batchmark.run(arguments, in: workspace.path)
      #expect(result.status == 0)
      #expect(!result.output.isEmpty && result.errors.isEmpty)
      #expect(!result.output.contains("worker"))
    }
  }
}

// A7: `pair` from end to end, with the executable of the tests on both sides.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

@Suite("A7 · pair", .tags(.a7))
struct PairCommandTests {
  private let few = ["--looks", "12", "--trials", "1", "--no-placebo", "--no-explain"]

  @Test("Two settings of one executable are compared; figures that grew decide, and every file has them")
  func settings() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let summary = workspace.path + "/summary.md"
    let result = try await Program.batchmark.run(
      ["pair", "this", "save_every=5", "--scenario", "small.yml", "--only", "save", "--out", "out"] + few,
      in: workspace.path, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(result.status == 1, "\(result.errors)")
    #expect(workspace.names(in: "out") == ["charts", "junit.xml", "pair.json", "report.html", "report.md"])
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    #expect(results.comparisons.count == 1)
    let comparison = try #require(results.comparisons.first)
    #expect(comparison.baseCell.id == "small/objectgraph/save")
    #expect(comparison.headCell.id == "small/objectgraph/save[save_every=5]")
    #expect(comparison.pairs.count == 12 && comparison.isOfOneContent && comparison.failures.isEmpty)
    let frames = try #require(comparison.figures(results.rules).first { $0.metric == .walFrames })
    #expect(frames.verdict == .regression && frames.head > 5 * frames.base)
    #expect(comparison.pairs.allSatisfy { $0.base.mainPhase?.interference != nil })
    for sample in comparison.pairs.flatMap({ [$0.base, $0.head] }) {
      #expect(sample.handovers?.count == results.rules.trials)
      #expect(sample.mainPhase?.trialWallSeconds?.count == results.rules.trials)
    }
    // The stored results give the same files again, byte for byte.
    #expect(result.output.hasPrefix(PairText.render(results)))
    #expect(try workspace.text(of: "out/report.md") == PairMarkdown.document(results, hasPictures: true).markdown)
    #expect(try workspace.text(of: "out/junit.xml") == PairJUnit.render(results))
    #expect(try workspace.text(of: "out/pair.json") == PairFile.render(results))
    #expect(result.output.contains("::error title=batchmark REGRESSION::save[save_every=5] against save: "))
    #expect(try workspace.text(of: "summary.md") == PairMarkdown.render(results))
  }

  @Test(
    "A regression is explained: the first cause in a sentence, all of them for programs, and the report again",
    .tags(.a16))
  func explanation() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"])
    let summary = workspace.path + "/summary.md"
    let result = try await Program.batchmark.run(
      [
        "pair", "this", "wal_autocheckpoint=1", "--scenario", "small.yml", "--set", "rows=2_000", "--exact-only",
        "--out", "out",
      ],
      in: workspace.path, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("looking for causes, for about "))
    #expect(workspace.names(in: "out").contains("explanation.json"))
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    let comparison = try #require(results.comparisons.first)
    let profiles = try #require(comparison.profiles)
    #expect(profiles.base.count == profiles.head.count && profiles.base.count >= 6, "\(profiles.gaps)")
    let costs = profiles.base.flatMap { $0.phase.profile?.statements ?? [] }
    #expect(
      costs.allSatisfy { ($0.work?.preparations ?? 0) <= $0.runs } && costs.contains { $0.work?.preparations == 1 })
    let explanation = try #require(comparison.explanation(results.rules))
    #expect(explanation.examined.statements > 0 && explanation.examined.figures > 10)
    let files = Set<CauseFinding.Kind>([.checkpoints, .syncs, .writes])
    #expect(!files.isDisjoint(with: explanation.findings.map(\.kind)), "\(explanation.findings)")
    let sentence = PairMarkdown.cause(explanation, of: comparison)
    #expect(sentence.hasPrefix("**Cause**: ingest: "))
    #expect(try workspace.text(of: "summary.md").contains(sentence))
    #expect(try workspace.text(of: "out/report.md").contains(sentence))
    #expect(result.output.contains("::error title=batchmark REGRESSION::"))
    let json =
      try JSONSerialization.jsonObject(with: Data(workspace.text(of: "out/explanation.json").utf8)) as? [String: Any]
    let entry = try #require((json?["comparisons"] as? [[String: Any]])?.first)
    // Programs need no word for the meaning of the value.
    let value = try #require(entry["sentence"] as? String)
    #expect(value.hasPrefix("ingest: ") && value == PairText.causes(results).first?.sentence)
    #expect(PairText.causes(results).first?.line == "Cause: \(value)" && entry["verdict"] as? String == "REGRESSION")
  }

  @Test("Equal sides have no cause, and one of several machines explains nothing", .tags(.a16))
  func unexplained() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let equal = try await Program.batchmark.run(
      ["pair", "this", "this", "--scenario", "small.yml", "--exact-only", "--explain", "--out", "equal"],
      in: workspace.path)
    #expect(equal.status == 0, "\(equal.errors)")
    #expect(equal.output.contains("No cause is named"))
    let results = try PairFile.read(workspace.path + "/equal/pair.json")
    #expect(try #require(results.comparisons.first?.explanation(results.rules)).findings.isEmpty)
    let machines = try await Program.batchmark.run(
      ["pair", "this", "this", "--scenario", "small.yml", "--machines", "1/2", "--explain", "--out", "machines"],
      in: workspace.path)
    #expect(machines.status == 64 && machines.errors.contains("--explain with --machines"))
  }

  @Test("A step summary that is a pipe or a full device is refused in a sentence, and not waited for")
  func summary() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"])
    mkfifo(workspace.path + "/pipe", 0o600)
    for (summary, reason) in [
      ("pipe", "it is a named pipe and no plain file"), ("/dev/full", "No space left on device"),
    ] where FileManager.default.fileExists(atPath: summary.hasPrefix("/") ? summary : workspace.path + "/" + summary) {
      let result = try await Program.batchmark.run(
        ["pair", "this", "rows=50", "--scenario", "small.yml", "--exact-only", "--out", "out-" + reason.prefix(5)],
        in: workspace.path, environment: ["GITHUB_STEP_SUMMARY": summary])
      #expect(result.status == 73, "\(result.errors)")
      #expect(
        result.errors.contains(
          "\(summary), which GITHUB_STEP_SUMMARY names, cannot be written: \(reason); correct or unset the variable\n"),
        "\(result.errors)")
    }
  }

  @Test("An executable against itself differs in no exact figure")
  func executables() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}"])
    let result = try await Program.batchmark.run(
      ["pair", Program.batchmark.path, "this", "--scenario", "small.yml", "--out", "out"] + few, in: workspace.path)
    #expect([0, 1, 5, 6].contains(result.status), "\(result.errors)")
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    let figures = try #require(results.comparisons.first).figures(results.rules)
    // Without optimization the instruments also allocate, sometimes more and sometimes less.
    let counted = figures.filter { $0.metric.pass == .counters }
    #expect(counted.count > 8 && counted.allSatisfy { $0.verdict == .pass })
    #expect(results.base.build.executable == results.head.build.executable)
    #expect(workspace.names(in: "out") == ["charts", "junit.xml", "pair.json", "report.html", "report.md"])
  }

  @Test("A side with workers that answer in another format ends with 4, and the report names both formats")
  func otherFormat() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let path = workspace.path + "/other"
    try workspace.linkCommand("other-format", to: "other")
    let meter = "libCAllocationMeter.so"
    let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path + "/" + meter, withDestinationPath: products.appending(path: meter).path)
    for sides in [["this", path], [path, "this"]] {
      let result = try await Program.batchmark.run(
        ["pair"] + sides + ["--scenario", "small.yml", "--out", "out"] + few, in: workspace.path)
      #expect(result.status == 4, "\(sides): \(result.errors)")
      let words = "the worker's build answers in format 999; expected format \(SampleJob.currentFormat)"
      #expect(try workspace.text(of: "out/report.md").contains(words), "\(sides): \(result.output)")
      let comparison = try #require(try PairFile.read(workspace.path + "/out/pair.json").comparisons.first)
      #expect(comparison.pairs.isEmpty && comparison.failures.allSatisfy(\.isOtherFormat))
      try FileManager.default.removeItem(atPath: workspace.path + "/out")
    }
  }
}

extension PairCommandTests {
  @Test("A side that is not a worker and does not end by itself is refused before anything is measured")
  func flood() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    try workspace.linkCommand("flood", to: "other")
    let meter = "libCAllocationMeter.so"
    let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path + "/" + meter, withDestinationPath: products.appending(path: meter).path)
    let result = try await Program.batchmark.run(
      ["pair", "this", "./other", "--scenario", "small.yml", "--out", "out"] + few, in: workspace.path)
    #expect(result.status == 64)
    #expect(
      result.errors
        == "batchmark: ./other has written more than 256 MiB; expected the batchmark of a build, such as "
        + ".build/release/batchmark\n")
    #expect(!workspace.exists("out"))
  }

  @Test(
    "If this build cannot measure, no folder is left, so that the same command may be given again",
    .enabled(if: Jemalloc.isLinked, "without jemalloc there is no meter that can be missing"))
  func noOwnMeter() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    try FileManager.default.copyItem(atPath: Program.batchmark.path, toPath: workspace.path + "/built")
    let result = try await Program(at: workspace.path + "/built").run(
      ["pair", "this", "save_every=5", "--scenario", "small.yml", "--out", "out"] + few, in: workspace.path)
    #expect(result.status == 70 && result.errors.contains("the allocation meter's library is not beside"))
    #expect(!workspace.exists("out"))
  }

  @Test("A side that is another program, or has no meter beside it, is refused before anything is measured")
  func noWorker() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    try workspace.linkCommand("other-format", to: "other")
    let cases: [(String, Int32, String)] = [
      (
        "/bin/true", 64, "/bin/true is no worker: it ended without a worker's answer; expected the batchmark of a build"
      ),
      ("./other", 66, "./other: the allocation meter's library is not beside "),
    ]
    for (side, status, words) in cases {
      let result = try await Program.batchmark.run(
        ["pair", "this", side, "--scenario", "small.yml", "--out", "out"] + few, in: workspace.path)
      #expect(result.status == status && result.errors.contains(words), "\(result.errors)")
      #expect(!workspace.exists("out"))
    }
  }

  @Test("A gate on exact figures alone takes no pairs; limits of the command line override the scenario's")
  func gates() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let scenario = try workspace.text(of: "small.yml")
    try workspace.write(scenario + "\ngate: {exact: none, wal_frames: 10%, checkpoint.syncs: 0}\n", to: "small.yml")
    let arguments = ["pair", "this", "save_every=5", "--scenario", "small.yml", "--exact-only", "--out", "out"]
    let strict = try await Program.batchmark.run(arguments + few, in: workspace.path)
    #expect(strict.status == 1, "\(strict.errors)")
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    let comparison = try #require(results.comparisons.first)
    #expect(comparison.pairs.isEmpty && results.placebos.isEmpty)
    let figures = comparison.figures(results.rules)
    #expect(figures.map(\.metric) == [.walFrames, .syncs] && figures.map(\.phase) == [.ingest, .checkpoint])
    #expect(figures[0].fails && figures[0].rule?.text == "wal_frames: 10%")
    #expect(strict.output.contains("The time was not taken, since it is not judged."))
    #expect(strict.output.contains("the time is not judged.") && !strict.output.contains("too few pairs"))
    #expect(strict.errors.contains("save[save_every=5]: time not judged, "), "\(strict.errors)")
    #expect(strict.output.contains("REGRESSION  wal_frames: 10% (scenario)"))
    try FileManager.default.removeItem(atPath: workspace.path + "/out")
    let loose = try await Program.batchmark.run(
      arguments + few + ["--margin", "wal_frames=1000,checkpoint.syncs=10"], in: workspace.path)
    #expect(loose.status == 0, "\(loose.output) \(loose.errors)")
  }

  @Test("If the cells of a file have several values of a key, the advice is to set that key on both sides", .tags(.a8))
  func swept() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try workspace.write(try workspace.text(of: "small.yml") + "sweep: {save_every: [5, 10]}\n", to: "small.yml")
    let advice = "small has cells with 2 values of save_every; --set save_every=5 takes one value on both sides"
    let words = ["pair", "--scenario", "small.yml", "--exact-only", "--out", "out"]
    let other = try await Program.batchmark.run(words + ["this", "save_every=20"], in: workspace.path)
    #expect(other.status == 4 && other.errors.contains(advice), "\(other.errors)")
    let same = try await Program.batchmark.run(words + ["this", "synchronous=off"], in: workspace.path)
    #expect(same.errors.contains("note: \(advice)\n"), "\(same.errors)")
    try FileManager.default.removeItem(atPath: workspace.path + "/out")
    let set = try await Program.batchmark.run(
      words + ["this", "synchronous=off", "--set", "save_every=5"], in: workspace.path)
    #expect(!set.errors.contains("note:"), "\(set.errors)")
  }

  @Test("An invalid side, rule or cell is a usage error before anything is measured")
  func usage() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try workspace.write(try workspace.text(of: "small.yml"), to: "both.yml")
    try workspace.writeScenario()
    let cases: [([String], Int32, String)] = [
      (["pair", "nothing", "this"], 64, "found 'nothing', where no file is"),
      (["pair", "./no/such/file", "this"], 66, "where no file is"),
      (["pair", "small.yml", "this"], 64, "small.yml is no executable"),
      (["pair", "this", "save_evry=5", "--scenario", "small.yml"], 64, "save_evry"),
      (
        ["pair", "this", "save_every=5", "--scenario", "both.yml", "--only", "insert"], 64,
        "save_every=5: found the same cells on both sides, small/sqlite/insert; expected a setting that changes one"
      ),
      (
        ["pair", "save_every=5", "save_every=5", "--scenario", "both.yml", "--only", "save"], 64,
        "save_every=5,save_every=5: found the same cells on both sides, small/objectgraph/save[save_every=5]"
      ),
      (
        ["pair", "this", "this", "--scenario", "both.yml", "--only", "insert", "--set", "save_every=5"], 64,
        "--set save_every=5: found no cell with 'save_every' among the selected ones, small/sqlite/insert; expected"
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--only", "sav"], 64,
        "--only sav: found no such cell; the cells are small/sqlite/insert\n"
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--margin", "5"], 64,
        "--margin 5: found '5'; expected a percentage"
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--looks", "18,12"], 64,
        "--looks 18,12: expected increasing"
      ),
      (["pair", "this", "this", "--scenario", "small.yml", "--looks", "3"], 64, "--looks: found too few pairs"),
      (["pair", "this", "this", "--scenario", "none.yml"], 66, "none.yml"),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--margin", "heap_peek=1%"], 64,
        "--margin heap_peek=1%: found the figure 'heap_peek'; expected one of time, exact, plans, "
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--margin", "batch-dictionary.syncs=1"], 64,
        "found no cell or phase of that name"
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--margin", "save[merge=none,save_every=5].sinks=1"], 64,
        "--margin save[merge=none,save_every=5].sinks=1: found the figure 'sinks'"
      ),
      (["pair", "this", "this", "--time-only", "--exact-only"], 64, "together they judge nothing"),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--fail-on", "pass"], 64,
        "--fail-on pass: expected improved"
      ),
      (
        ["pair", "this", "this", "--scenario", "small.yml", "--allow", "regression"], 64,
        "--allow regression: expected one of inconclusive, untrusted"
      ),
      (["pair", "this"], 64, "name BASE and HEAD, or give --base-ref"),
      (["pair", "this", "this", "--base-ref", "main"], 64, "leave out BASE and HEAD"),
      (["pair", "--base-ref", "main"], 64, "found no git repository here"),
    ]
    for (arguments, status, words) in cases {
      let result = try await Program.batchmark.run(arguments + ["--out", "out"], in: workspace.path)
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
      #expect(!workspace.exists("out"))
    }
  }
}

extension PairCommandTests {
  @Test(
    "A gate on plans fails if an index is missing, with both plans in the report, and passes otherwise",
    .tags(.a16))
  func plans() async throws {
    let workspace = try Workspace()
    let products = URL(filePath: Program.seeded.path).deletingLastPathComponent().path
    let files = FileManager.default
    for name in ["clean", "cause-plan-heavy"] {
      try files.copyItem(atPath: Program.seeded.path, toPath: "\(workspace.path)/\(name)")
    }
    try files.createSymbolicLink(
      atPath: workspace.path + "/libCAllocationMeter.so", withDestinationPath: products + "/libCAllocationMeter.so")
    try workspace.writeScenario(
      cells: ["{engine: seeded, strategy: insert}"], store: "{journal_mode: wal, synchronous: normal}")
    let scenario = try workspace.text(of: "small.yml")
    try workspace.write(scenario + "gate: {exact: none, plans: unchanged}\n", to: "small.yml")
    let clean = Program(at: workspace.path + "/clean")
    func pair(_ head: String) async throws -> (Program.Result, PairComparison) {
      let result = try await clean.run(
        [
          "pair", "./clean", "./" + head, "--scenario", "small.yml", "--exact-only", "--no-explain", "--out",
          "out-\(head)",
        ], in: workspace.path)
      let results = try PairFile.read("\(workspace.path)/out-\(head)/pair.json")
      return (result, try #require(results.comparisons.first))
    }
    let (same, equal) = try await pair("clean")
    let rules = PairRules(looks: [12])
    #expect(equal.plans(rules)?.verdict == .pass && (equal.plans(rules)?.compared ?? 0) > 2, "\(same.errors)")
    // Nothing else is judged.
    #expect(same.status == 0, "\(same.errors)")
    let (changed, other) = try await pair("cause-plan-heavy")
    #expect(changed.status == 1, "\(changed.errors)")
    let change = try #require(other.plans(rules)?.changes.first)
    #expect(change.sql.contains("FROM item WHERE band = ?") && change.base.contains("item_band"))
    #expect(change.head.contains("SCAN item"))
    #expect(try workspace.text(of: "out-cause-plan-heavy/report.md").contains("is answered by another plan"))
  }
}

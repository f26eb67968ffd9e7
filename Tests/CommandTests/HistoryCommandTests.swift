// A11: `history` from end to end, in git repositories whose commits have records of runs.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@testable import BatchmarkCLI

/// A repository with empty commits, and records of their runs.
struct HistoryWorkspace {
  let workspace: Workspace
  /// In order, beginning with the oldest.
  private(set) var commits: [String] = []

  init(commits count: Int) throws {
    workspace = try Workspace()
    try git("init", "--quiet", "--initial-branch", "main")
    for index in 0..<count { try commit("\(index)") }
  }

  @discardableResult
  func git(_ words: String...) throws -> [String] {
    let user = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    return try #require(ToolProcess.lines(of: ["git", "-C", workspace.path] + user + words), "git \(words)")
  }

  mutating func commit(_ message: String) throws {
    try git("commit", "--quiet", "--allow-empty", "-m", message)
    commits.append(try #require(try git("rev-parse", "HEAD").first))
  }

  /// A record of the commit at an index: one cell with a ratio, syncs and a heap peak.
  func record(
    _ index: Int, ratio: Double, syncs: Int64 = 8, run: String = "a", cell: String = "quakes/objectgraph/save"
  ) -> HistoryRecord {
    HistoryRecord(
      runID: "\(index)-\(run)", commit: commits[index], finished: "2026-01-01T00:\(10 + index):00Z",
      batchmarkVersion: "1",
      conditions: HistoryConditions(machine: "m", processor: "p", compiler: "Swift 6.3", sqlite: "3.46"),
      scenarios: [
        HistoryScenario(
          name: "quakes", file: "quakes.yml", settings: [], fingerprint: "f",
          cells: [
            HistoryCell(
              id: cell,
              phases: [
                HistoryPhase(
                  phase: .ingest, isMain: true, timesReference: Estimate(median: ratio),
                  counters: ["syncs": syncs, "heap_peak_bytes": 4_096])
              ])
          ])
      ])
  }

  /// Ratios around 1.2 up to a commit; from there on, they are a tenth higher.
  func addStep(at step: Int, in folder: String = "runs", cell: String = "quakes/objectgraph/save") throws {
    let history = HistoryFolder(workspace.path + "/" + folder)
    for index in commits.indices {
      let own = 1 + 0.001 * Double(index * 7 % 11)
      _ = try history.add(record(index, ratio: (index < step ? 1.2 : 1.32) * own, cell: cell))
    }
  }

  /// A counter that is 8 up to a commit and 9 from there on.
  func addStep(of counter: String, at step: Int, in folder: String, cell: String) throws {
    let history = HistoryFolder(workspace.path + "/" + folder)
    for index in commits.indices {
      var record = record(index, ratio: 1.2, cell: cell)
      record.scenarios[0].cells[0].phases[0].counters = [counter: index < step ? 8 : 9]
      _ = try history.add(record)
    }
  }

  func run(_ words: String...) async throws -> Program.Result {
    try await Program.batchmark.run(["history"] + words + ["--history", "runs"], in: workspace.path)
  }
}

@Suite("A11 · history", .tags(.a11))
struct HistoryCommandTests {
  @Test(
    "A step fails the check, which names its commit, the pair that confirms it and how to expect it; accepted, it passes"
  )
  func check() async throws {
    let history = try HistoryWorkspace(commits: 24)
    try history.addStep(at: 12)
    let name = String(history.commits[12].prefix(12))
    // A point more or less among twelve makes no difference.
    let (base, head) = (history.commits[10].prefix(12), history.commits[13].prefix(12))
    let found = try await history.run("check")
    #expect(found.status == 1, "\(found.errors)")
    #expect(found.output.hasPrefix("# REGRESSION: 1 unexpected change\n"))
    #expect(found.output.contains("`quakes/objectgraph/save` times_reference: +10"))
    #expect(found.output.contains("since `\(name)`, p below 0.01 %.\n"))
    #expect(found.output.contains("It came after `\(base)`, with `\(head)` at the latest.\n"))
    #expect(found.output.contains("`batchmark pair --base-ref \(base) --head-ref \(head) "))
    #expect(found.output.contains("--scenario quakes.yml --only quakes/objectgraph/save --time-only --explain`"))
    #expect(
      found.output.contains("batchmark history accept \(name) --only quakes/objectgraph/save --metric times_reference"))

    let accepted = try await history.run("accept", name, "--reason", "checks more")
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(accepted.output == "quakes/objectgraph/save times_reference\n")
    #expect(
      try AcceptedChangesFile.read(history.workspace.path + "/accepted-changes.json").changes.map(\.reason) == [
        "checks more"
      ])
    let passed = try await history.run("check")
    #expect(passed.status == 0, "\(passed.errors)")
    #expect(passed.output.contains("expected: checks more"))
    let again = try await history.run("accept", String(history.commits[3].prefix(12)), "--reason", "no")
    #expect(again.status == 4 && again.errors.contains("found no change at \(history.commits[3].prefix(12))"))
  }

  @Test("A page has each series as a picture; show has the values, list the runs, and prune takes the old ones away")
  func pages() async throws {
    let history = try HistoryWorkspace(commits: 12)
    try history.addStep(at: 6)
    let checked = try await history.run("check", "--out", "page")
    #expect(checked.status == 1 && checked.output.hasSuffix("\npage/history.html\n"), "\(checked.errors)")
    let page = try history.workspace.text(of: "page/history.html")
    #expect(page.contains("<svg") && page.contains("quakes/objectgraph/save, times_reference, by commit"))
    #expect(history.workspace.names(in: "page") == ["charts", "history.html", "history.md"])
    let shown = try await history.run("show", "--metric", "times_reference", "--only", "save")
    #expect(shown.status == 0 && shown.output.contains("## quakes/objectgraph/save times_reference\n"))
    #expect(history.commits.allSatisfy { shown.output.contains("| \($0.prefix(12)) | 1.") })
    // A counter is named by its column, or like in budgets.
    for word in ["heap_peak_bytes", "heap_peak"] {
      let shown = try await history.run("show", "--metric", word)
      #expect(shown.status == 0 && shown.output.contains("## quakes/objectgraph/save heap_peak_bytes of ingest\n"))
      #expect(!shown.output.contains("syncs"))
    }
    let listed = try await history.run("list")
    #expect(history.commits.allSatisfy { listed.output.contains("| \($0.prefix(12)) | ") })

    let dry = try await history.run("prune", "--keep", "5", "--dry-run")
    #expect(dry.status == 0 && history.workspace.names(in: "runs").count == 12)
    let pruned = try await history.run("prune", "--keep", "5")
    #expect(pruned.output == dry.output && pruned.output.split(separator: "\n").count == 7)
    let left = history.workspace.names(in: "runs").map { $0.prefix(12) }
    #expect(Set(left) == Set(history.commits.suffix(5).map { $0.prefix(12) }))
  }

  @Test("A truncated file and a foreign one are named and left out, and the command ends with 65")
  func foreign() async throws {
    let history = try HistoryWorkspace(commits: 12)
    try history.addStep(at: 12)
    let file = try #require(history.workspace.names(in: "runs").first)
    let text = try history.workspace.text(of: "runs/" + file)
    try history.workspace.write(String(text.prefix(text.count / 2)), to: "runs/" + file)
    try history.workspace.write("{\"schemaVersion\": 1}", to: "runs/other.json")
    try history.workspace.write(
      text.replacing("\"schemaVersion\" : 1", with: "\"schemaVersion\" : 9"), to: "runs/later.json")
    try history.workspace.write("words", to: "runs/README.md")
    let found = try await history.run("check")
    #expect(found.status == 65)
    for name in [file, "other.json", "later.json"] { #expect(found.errors.contains("runs/\(name) is left out: ")) }
    #expect(!found.errors.contains("README") && found.output.contains("11 runs of 11 commits"))
    #expect(found.errors.contains("schema version 9, expected 1"))
  }

  @Test("An unknown figure is 65 with the nearest word, no history 66, no repository and no such cell 64")
  func refusals() async throws {
    let history = try HistoryWorkspace(commits: 2)
    try history.addStep(at: 2)
    let unknown = try await history.run("check", "--metric", "times_referense")
    #expect(unknown.status == 65 && unknown.errors.contains("did you mean 'times_reference'?"))
    let cell = try await history.run("check", "--only", "savf")
    #expect(cell.status == 64 && cell.errors.contains("the cells are quakes/objectgraph/save"))
    let none = try await Program.batchmark.run(["history", "check"], in: history.workspace.path)
    #expect(none.status == 66 && none.errors.contains("Reports/history"))
    let outside = try Workspace()
    try FileManager.default.copyItem(atPath: history.workspace.path + "/runs", toPath: outside.path + "/runs")
    let lost = try await Program.batchmark.run(["history", "list", "--history", "runs"], in: outside.path)
    #expect(lost.status == 64 && lost.errors.contains("no git repository"))
    try history.workspace.write("[]", to: "accepted-changes.json")
    #expect(try await history.run("check").status == 65)
  }
}

extension HistoryCommandTests {
  @Test("In a shallow clone the order of older commits is unknown: 65, with the command that deepens it")
  func shallow() async throws {
    let history = try HistoryWorkspace(commits: 6)
    try history.addStep(at: 6)
    let clone = history.workspace.path + "/clone"
    try history.git("clone", "--quiet", "--depth", "3", "file://" + history.workspace.path, clone)
    let found = try await Program.batchmark.run(["history", "check", "--history", "../runs"], in: clone)
    #expect(found.status == 65 && found.errors.contains("git fetch --unshallow"))
    #expect(found.errors.contains("3 of 6 runs"))
  }

  @Test("Histories of two branches merge without conflict, with the same result as runs added in turn")
  func merged() async throws {
    var history = try HistoryWorkspace(commits: 1)
    for index in 1..<12 { try history.commit("\(index)") }
    let path = history.workspace.path
    func save(_ indices: Range<Int>, on branch: String, from base: String) throws {
      try history.git("checkout", "--quiet", "-b", branch, base)
      let folder = HistoryFolder(path + "/runs")
      for index in indices { _ = try folder.add(history.record(index, ratio: 1 + 0.01 * Double(index))) }
      try history.git("add", "runs")
      try history.git("commit", "--quiet", "-m", branch)
    }
    try save(0..<4, on: "runs-of-both", from: "main")
    try save(4..<9, on: "one", from: "runs-of-both")
    try save(9..<12, on: "other", from: "runs-of-both")
    try history.git("merge", "--quiet", "--no-edit", "one")
    let merged = try await history.run("check", "--branch", "main")
    let names = history.workspace.names(in: "runs")
    try history.git("checkout", "--quiet", "-b", "in-turn", "one")
    try save(9..<12, on: "in-turn-2", from: "in-turn")
    #expect(history.workspace.names(in: "runs") == names && names.count == 12)
    let inTurn = try await history.run("check", "--branch", "main")
    #expect(merged.output == inTurn.output && merged.status == inTurn.status)
    #expect(merged.output.contains("12 runs of 12 commits"))
  }

  @Test("The address of a commit is derived from a remote on a known site, in every form that git allows", .tags(.a11))
  func addresses() {
    let address = "https://github.com/owner/name/commit/"
    for remote in [
      "git@github.com:owner/name.git", "https://github.com/owner/name", "https://user@github.com/owner/name.git",
      "ssh://git@github.com/owner/name.git",
    ] { #expect(HistoryRepository.commitAddress(ofRemote: remote) == address, "\(remote)") }
    let group = "https://gitlab.com/a/b/c/commit/"
    #expect(HistoryRepository.commitAddress(ofRemote: "git@gitlab.com:a/b/c.git") == group)
    for remote in [
      "/srv/name.git", "../name", "git@example.com:owner/name.git", "https://github.com/owner",
      "https://github.com/a/b)<script>", "https://github.com.evil.org/a/b", "",
    ] { #expect(HistoryRepository.commitAddress(ofRemote: remote) == nil, "\(remote)") }
  }

  @Test("A measured run is added once, with its commit; a changed checkout and a run without a commit are refused")
  func adding() async throws {
    let history = try HistoryWorkspace(commits: 1)
    let workspace = history.workspace
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try history.git("add", "small.yml")
    try history.git("commit", "--quiet", "-m", "scenario")
    let commit = try #require(try history.git("rev-parse", "HEAD").first)
    let measured = try await Program.batchmark.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(measured.status == 0, "\(measured.errors)")
    let added = try await history.run("add", "out")
    #expect(added.status == 0 && added.output.hasPrefix("runs/\(commit.prefix(12))-"), "\(added.errors)")
    let record = try #require(try HistoryFolder(workspace.path + "/runs").read().records.first?.record)
    let save = try #require(record.scenarios[0].cells.first { $0.id == "small/objectgraph/save" })
    let main = try #require(save.phases.first { $0.isMain })
    #expect(record.commit == commit && main.timesReference != nil && main.counters["syncs"] != nil)
    #expect(record.conditions.sqlite != nil && record.conditions.compiler.hasPrefix("Swift "))
    #expect(
      record.scenarios[0].cells.first { $0.id == "small/sqlite/insert" }?.phases.allSatisfy { $0.timesReference == nil }
        == true)
    let again = try await history.run("add", "out")
    #expect(
      again.status == 0 && again.errors.contains("already has this run") && workspace.names(in: "runs").count == 1)

    var results = try ResultsFile.read(workspace.path + "/out/results.json")
    results.run.runID = "fewer"
    results.run.finished = "2999-01-01T00:00:00Z"
    results.scenarios[0].cells.removeAll { $0.cell.id == "small/sqlite/insert" }
    try workspace.write(try ResultsFile.render(results), to: "fewer.json")
    let fewer = try await history.run("add", "fewer.json")
    #expect(fewer.status == 0, "\(fewer.errors)")
    #expect(
      fewer.errors.contains("are not those of the last run: no longer there: small/sqlite/insert; their series"),
      "\(fewer.errors)")

    results = try ResultsFile.read(workspace.path + "/out/results.json")
    results.run.runID = "another"
    results.run.commit?.isDirty = true
    try workspace.write(try ResultsFile.render(results), to: "dirty.json")
    let dirty = try await history.run("add", "dirty.json")
    #expect(dirty.status == 4 && dirty.errors.contains("files that were changed after the commit"))
    results.run.commit = nil
    try workspace.write(try ResultsFile.render(results), to: "none.json")
    #expect(try await history.run("add", "none.json").status == 4)
    #expect(try await history.run("add", "none.json", "--commit", "HEAD~1").status == 0)
    results.run.isComparable = false
    try workspace.write(try ResultsFile.render(results), to: "debug.json")
    let debug = try await Program.batchmark.run(
      ["history", "add", "debug.json", "--history", "runs"], in: workspace.path, allowsDebug: false)
    #expect(debug.status == 4 && debug.errors.contains("debug build"))
  }
}

extension HistoryCommandTests {
  @Test(
    "A run with an id or commit that points outside the history's folder is refused",
    arguments: ["../", "a\nb", "", ".x"])
  func names(name: String) async throws {
    let history = try HistoryWorkspace(commits: 1)
    let workspace = history.workspace
    try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"])
    try history.git("add", "small.yml")
    try history.git("commit", "--quiet", "-m", "scenario")
    _ = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    let own = try ResultsFile.read(workspace.path + "/out/results.json")
    for changesCommit in [true, false] {
      var results = own
      if changesCommit { results.run.commit?.id = name } else { results.run.runID = name }
      try workspace.write(try ResultsFile.render(results), to: "out/results.json")
      let refused = try await history.run("add", "out")
      #expect(refused.status == 4 && refused.errors.contains("was its results.json changed?"), "\(refused.errors)")
      #expect(!workspace.exists("runs"))
    }
  }

  @Test("A file with the name of a run's record stays as it is, whatever its kind")
  func taken() async throws {
    let history = try HistoryWorkspace(commits: 1)
    let folder = HistoryFolder(history.workspace.path + "/runs")
    let record = history.record(0, ratio: 1)
    mkdir(folder.path, 0o755)
    mkfifo(folder.path + "/" + record.fileName, 0o600)
    let error = #expect(throws: ReportError.self) { try folder.add(record) }
    #expect(error?.problem == .otherRecord)
  }

  @Test("A bisection compares the ends and then middles, until one commit is left")
  func bisection() {
    for first in 4...20 {
      var asked: [Int] = []
      let found = BisectionOutcome(good: 3, bad: 20) { index in
        asked.append(index)
        return index >= first ? .regression : .success
      }
      #expect((found.good, found.bad, found.status) == (first - 1, first, .regression))
      #expect(asked.first == 20 && asked.count <= 6 && Set(asked).count == asked.count)
    }
    let unconfirmed = BisectionOutcome(good: 3, bad: 20) { _ in .success }
    #expect((unconfirmed.good, unconfirmed.bad, unconfirmed.status) == (3, 20, .success))
    let open = BisectionOutcome(good: 3, bad: 20) { $0 == 20 ? .regression : .inconclusive }
    #expect((open.good, open.bad, open.status) == (3, 20, .inconclusive))
  }

  @Test("Two commands that remove the same runs do not fail, and a check at the same time reads the runs that are left")
  func prunes() async throws {
    let history = try HistoryWorkspace(commits: 60)
    let folder = HistoryFolder(history.workspace.path + "/runs")
    for index in history.commits.indices { _ = try folder.add(history.record(index, ratio: 1.2)) }
    let name = history.record(0, ratio: 1.2).fileName
    #expect(try folder.remove(name))
    #expect(try !folder.remove(name))
    let path = history.workspace.path
    let prune = ["history", "prune", "--keep", "1", "--history", "runs"]
    let commands = [prune, ["history", "check", "--history", "runs"], prune]
    let running = try commands.map { try Program.batchmark.start($0, in: path) }
    var results: [Program.Result] = []
    for command in running { results.append(try await command.end()) }
    // When the others are done, one run is left, and a single run cannot be judged.
    #expect(results[0].status == 0 && results[2].status == 0, "\(results.map(\.errors))")
    #expect([0, 5].contains(results[1].status), "\(results[1].status)")
    let removed = [results[0], results[2]].map { Set($0.output.split(separator: "\n")) }
    #expect(removed[0].isDisjoint(with: removed[1]) && removed[0].count + removed[1].count == 58)
    for line in (results[0].errors + results[2].errors).split(separator: "\n") {
      #expect(line.hasSuffix(".json no longer exists; another command removed it"))
    }
    #expect(history.workspace.names(in: "runs").count == 1)
  }
}

extension HistoryCommandTests {
  @Test("Counters that no run has are shown and judged", arguments: [Int64.max, .min])
  func hostileCounters(counter: Int64) async throws {
    let history = try HistoryWorkspace(commits: 3)
    let folder = HistoryFolder(history.workspace.path + "/runs")
    for index in history.commits.indices {
      _ = try folder.add(history.record(index, ratio: 1.2, syncs: index == 1 ? counter : 8))
    }
    let shown = try await Program.batchmark.run(
      ["history", "show", "--all", "--history", "runs"], in: history.workspace.path)
    #expect(shown.status == 0 && shown.output.contains("9,223,372,036,854,775,80"), "\(shown.output)\(shown.errors)")
    let checked = try await Program.batchmark.run(
      ["history", "check", "--history", "runs", "--out", "page"], in: history.workspace.path)
    #expect([0, 1].contains(checked.status) && history.workspace.exists("page"), "\(checked.errors)")
  }

  @Test(
    "backfill builds and runs each commit that has no run; one that does not build is named, and the next one tried")
  func backfill() async throws {
    var history = try HistoryWorkspace(commits: 1)
    let workspace = history.workspace
    try workspace.writeScenario()
    for folder in ["bin", "temporary"] {
      try FileManager.default.createDirectory(atPath: "\(workspace.path)/\(folder)", withIntermediateDirectories: true)
    }
    // A compiler that copies this build instead of compiling, unless the tree is broken.
    let compiler = """
      [ "$1" = build ] || exit 0
      [ -e "$3/broken" ] && { echo no such module; exit 9; }
      mkdir -p "$3/.build/release"
      ln -sf "\(Program.batchmark.path)" "$3/.build/release/batchmark"
      """
    try workspace.writeCommand(compiler, to: "bin/swift")
    for (index, name) in ["one", "broken", "three"].enumerated() {
      try workspace.write(name, to: name)
      try history.git("add", name)
      if index == 2 { try history.git("rm", "--quiet", "broken") }
      try history.commit(name)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment = [
      "PATH": "\(workspace.path)/bin:\(path)", "TMPDIR": workspace.path + "/temporary",
      "GITHUB_STEP_SUMMARY": workspace.path + "/summary.md",
    ]
    let range = "\(history.commits[0])..HEAD"
    let words = ["history", "backfill", range, "--history", "runs", "--", "small.yml"]
    let first = try await Program.batchmark.run(words, in: workspace.path, environment: environment)
    #expect(first.status == 3, "\(first.errors)")
    #expect(first.errors.contains("3 of 3 commits have no run yet") && first.errors.contains("no such module"))
    #expect(first.errors.contains("\(history.commits[2].prefix(12)) is left out:"))
    let records = try HistoryFolder(workspace.path + "/runs").read().records.map(\.record)
    #expect(Set(records.map(\.commit)) == [history.commits[1], history.commits[3]])
    #expect(workspace.names(in: "temporary") == [])
    #expect(
      !workspace.exists("Reports") || workspace.names(in: "Reports") == [], "runs that are in the history are removed")
    #expect(!FileManager.default.fileExists(atPath: workspace.path + "/summary.md"), "no summary of earlier commits")
    let second = try await Program.batchmark.run(words, in: workspace.path, environment: environment)
    #expect(second.errors.contains("1 of 3 commits has no run yet"))
    let wrong = try await Program.batchmark.run(
      ["history", "backfill", "HEAD", "--history", "runs"], in: workspace.path, environment: environment)
    #expect(wrong.status == 64 && wrong.errors.contains("expected two revisions as A..B"))
  }

  @Test(
    "bisect builds and compares commits until one is left, the first that does more work; equal builds confirm nothing")
  func bisect() async throws {
    var history = try HistoryWorkspace(commits: 0)
    let workspace = history.workspace
    try workspace.writeScenario(cells: ["{engine: faulty, strategy: more-work}"])
    try workspace.write(
      try workspace.text(of: "small.yml").replacing("scenario: small", with: "scenario: quakes"), to: "quakes.yml")
    for number in 0..<24 {
      try workspace.write("\(number)\n", to: "state")
      try history.git("add", "state")
      try history.commit("\(number)")
    }
    // From a given number on, the product of a commit is a script that makes the engine do more work.
    let products = URL(filePath: Program.faulty.path).deletingLastPathComponent().path
    try workspace.write(
      """
      cat state >> '\(workspace.path)/built'
      mkdir bin
      ln -s '\(products)/libCAllocationMeter.so' bin
      if [ "$(cat state)" -lt "$1" ]; then ln -s '\(Program.faulty.path)' bin/own; exit; fi
      printf '#!/bin/sh\\nFAULTY_MORE_WORK=1 exec "%s" "$@"\\n' '\(Program.faulty.path)' > bin/own
      chmod +x bin/own
      """, to: "make.sh")
    try history.addStep(at: 12, cell: "quakes/faulty/more-work")
    func bisect(from first: Int, history folder: String = "runs", _ options: String...) -> [String] {
      [
        "history", "bisect", String(history.commits[12].prefix(12)), "--history", folder,
        "--build", "sh '\(workspace.path)/make.sh' \(first)", "--executable", "bin/own", "--", "--no-placebo",
      ] + options
    }
    let found = try await Program.faulty.run(bisect(from: 12, "--exact-only"), in: workspace.path)
    let (before, after) = (history.commits[11].prefix(12), history.commits[12].prefix(12))
    #expect(found.status == 1, "\(found.output)\(found.errors)")
    let sentence = "\(after) is the first commit with the change; \(before) before it does not have it\n"
    let rest = found.output.components(separatedBy: sentence)
    #expect(rest.count == 2 && rest[0].isEmpty, "\(found.output)")
    // The last lines give the cause, more statements of the engine, and the report on it.
    let lines = try #require(rest.last).split(separator: "\n")
    #expect(lines.count == 2 && lines.first?.hasPrefix("Cause: ingest: ") == true, "\(found.output)")
    let report = try #require(lines.last).description
    #expect(report.hasPrefix(workspace.path + "/Reports/") && report.hasSuffix("Z/explained/report.md"), "\(report)")
    #expect(FileManager.default.fileExists(atPath: report))
    #expect(workspace.names(in: "Reports").count == 1)
    // Both ends come first, then middles; each is built once.
    #expect(try workspace.text(of: "built") == "10\n13\n11\n12\n")
    #expect(try history.git("worktree", "list").count == 1)

    // The name of the comparisons' folder contains the second of their start.
    try await Task.sleep(for: .seconds(1))
    let same = try await JSONDocument(
      of: bisect(from: 99, "--exact-only"), as: "history-bisect", in: workspace.path, by: .faulty)
    #expect(same.status == 0 && same["outcome"] as? String == "unconfirmed", "\(same.errors)")
    #expect([same["base"], same["head"]].map { $0 as? String } == [history.commits[10], history.commits[13]])
    #expect((same["change"] as? [String: Any])?["metric"] as? String == "times_reference" && same["causes"] == nil)

    // These builds differ in other figures than the one that changed in the history.
    try history.addStep(of: "journal_bytes_written", at: 12, in: "counted", cell: "quakes/faulty/more-work")
    try await Task.sleep(for: .seconds(1))
    let other = try await Program.faulty.run(bisect(from: 12, history: "counted"), in: workspace.path)
    #expect(
      other.status == 0 && other.output.hasSuffix("does not confirm the change\n"), "\(other.output)\(other.errors)")
  }

  @Test("backfill and bisect build by a command of the repository's own, and refuse options that clash")
  func recipes() async throws {
    var history = try HistoryWorkspace(commits: 23)
    let workspace = history.workspace
    try workspace.writeScenario()
    try workspace.write(
      "pwd >> '\(workspace.path)/calls'; mkdir bin; ln -s '\(Program.batchmark.path)' bin/own", to: "make.sh")
    try history.git("add", "make.sh")
    try history.commit("make")
    func calls() -> Int { ((try? workspace.text(of: "calls")) ?? "").split(separator: "\n").count }
    let recipe = ["--build", "sh make.sh", "--executable", "bin/own"]
    let filled = try await JSONDocument(
      of: ["history", "backfill", "HEAD~1..HEAD", "--history", "filled"] + recipe + ["--", "small.yml"],
      as: "history-backfill", in: workspace.path)
    #expect(filled.status == 0 && filled.texts("commits", "commit") == [history.commits[23]], "\(filled.errors)")
    #expect(try HistoryFolder(workspace.path + "/filled").read().records.map(\.record.commit) == [history.commits[23]])
    #expect(calls() == 1)

    try history.addStep(at: 12)
    let words = ["bisect", String(history.commits[12].prefix(12)), "--history", "runs"]
    let found = try await Program.batchmark.run(
      ["history"] + words + ["--build", "pwd >> '\(workspace.path)/calls'; exit 7", "--executable", "bin/own"],
      in: workspace.path)
    #expect(found.status == 65 && found.errors.contains("failed with status 7"), "\(found.errors)")
    #expect(calls() == 2)
    for words in [words, ["backfill", "HEAD~1..HEAD"]] {
      let clash = try await Program.batchmark.run(
        ["history"] + words + ["--product", "Own", "--build", "make"], in: workspace.path)
      #expect(clash.status == 64 && clash.errors.contains("found --product with --build"), "\(clash.errors)")
      for out in [["--out", "x"], ["--out=x"]] {
        let refused = try await Program.batchmark.run(["history"] + words + ["--"] + out, in: workspace.path)
        #expect(refused.status == 64 && refused.errors.contains("found --out behind --"), "\(refused.errors)")
      }
    }
  }
}

extension HistoryCommandTests {
  @Test(
    "A counter that changed in two phases at once is bisected and accepted in the one that the check's command names")
  func figureOfAPhase() async throws {
    let history = try HistoryWorkspace(commits: 4)
    let folder = HistoryFolder(history.workspace.path + "/runs")
    for index in history.commits.indices {
      var record = history.record(index, ratio: 1.2, syncs: index < 2 ? 8 : 16)
      record.scenarios[0].cells[0].phases.append(
        HistoryPhase(phase: .checkpoint, isMain: false, counters: ["syncs": index < 2 ? 2 : 4]))
      _ = try folder.add(record)
    }
    let name = String(history.commits[2].prefix(12))
    let found = try await history.run("check")
    for figure in ["ingest.syncs", "checkpoint.syncs"] {
      let words = "\(name) --only quakes/objectgraph/save --metric \(figure)"
      #expect(found.output.contains("history bisect \(words)") && found.output.contains("history accept \(words)"))
    }
    let both = try await history.run("bisect", name, "--metric", "syncs")
    #expect(both.status == 64 && both.errors.contains("found 2 changes for the worse"))
    let one = try await history.run("accept", name, "--metric", "checkpoint.syncs", "--reason", "checks more")
    #expect(one.status == 0 && one.output == "quakes/objectgraph/save syncs\n", "\(one.errors)")
    let left = try await history.run("check")
    #expect(left.status == 1 && left.output.hasPrefix("# REGRESSION: 1 unexpected change\n"))
    let unknown = try await history.run("show", "--metric", "checkpint.syncs")
    #expect(unknown.status == 65 && unknown.errors.contains("alone or behind its phase and a point"))
  }
}

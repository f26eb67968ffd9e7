// A5, A6: report files at the user's path: complete, in the right place, and never instead of a file that cannot be
// restored.
import Foundation
import Harness
import MissionTags
import Reports
import StoreFixtures
import Testing

@Suite("A5 A6 · exports", .tags(.a5, .a6))
struct ExportTests {
  /// Runs `small.yml` with exports that must be refused before any measurement or output.
  private func expectRefusal(
    _ workspace: Workspace, _ arguments: [String], status: Int32 = 73, saying words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try workspace.contents()
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out"] + arguments, in: workspace.path)
    #expect(result.status == status, "\(result.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: sourceLocation)
    }
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(try workspace.contents() == before, sourceLocation: sourceLocation)
  }

  @Test("Exported files equal those of the report byte for byte, even for a resumed run")
  func exports() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: [
      "{engine: sqlite, strategy: insert}", "{engine: sqlite, strategy: insert-many}",
    ])
    let flags = ["--export-json", "now.json", "--export-csv", "now.csv", "--export-markdown", "now.md"]
    let files = [("now.json", "results.json"), ("now.csv", "summary.csv"), ("now.md", "report.md")]
    let arguments: [[String]] = [
      ["run", "small.yml", "--quick", "--out", "out"], ["run", "--resume", "--out", "out"],
    ]
    for command in arguments {
      let result = try await Program.batchmark.run(command + flags, in: workspace.path)
      #expect(result.status == 0, "\(result.errors)")
      for (exported, own) in files {
        let text = try workspace.text(of: "out/" + own)
        // The pictures are only in the run's folder.
        #expect(try workspace.text(of: exported) == text.replacing("](charts/", with: "](out/charts/"))
      }
    }
  }

  @Test("An exported page finds its pictures from its own folder; on standard output it has none")
  func pictures() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: [
      "{engine: sqlite, strategy: insert}", "{engine: sqlite, strategy: insert-many}",
    ])
    for folder in ["docs/a b", "elsewhere"] {
      try FileManager.default.createDirectory(atPath: workspace.path + "/" + folder, withIntermediateDirectories: true)
    }
    symlink("../docs/a b", workspace.path + "/elsewhere/link")
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "docs/the run", "--export-markdown", "elsewhere/link/page.md"],
      in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let page = try workspace.text(of: "docs/a b/page.md")
    let link = try #require(page.firstMatch(of: /\]\((\.\.\/the%20run\/charts\/[^)]+)\)/)).1
    #expect(workspace.exists("docs/a b/" + link.replacing("%20", with: " ")))
    let piped = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "other", "--export-markdown", "-"], in: workspace.path)
    #expect(piped.status == 0 && !piped.output.contains("![") && piped.output.contains("| Cell |"))
    #expect(try workspace.text(of: "other/report.md").contains("!["))
    // A resumed run recognizes its own page.
    let again = ["run", "--resume", "--out", "docs/the run", "--export-markdown", "docs/a b/page.md"]
    #expect(try await Program.batchmark.run(again, in: workspace.path).status == 0)
    #expect(try workspace.text(of: "docs/a b/page.md") == page)
    try workspace.write(page + "x", to: "docs/a b/page.md")
    #expect(try await Program.batchmark.run(again, in: workspace.path).status == 73)
  }

  @Test(
    "A file that cannot be written ends with 73 before anything is measured",
    arguments: [
      ("--export-json", "none/now.json", "found no folder"), ("--export-csv", "folder", "it is a folder"),
      ("--export-markdown", "small.yml/now.md", "is no folder"),
      ("--export-json", "/dev/null", "it is a device and no plain file"),
      ("--export-json", "/dev/now.json", "no file can be made in the folder /dev (/dev has the system's own files)"),
      ("--export-csv", "/proc/now.csv", "no file can be made in the folder /proc (/proc has the system's own files)"),
      (
        "--export-markdown", "/proc/self/now.md",
        "no file can be made in the folder /proc/self (/proc has the system's own files)"
      ),
      (
        "--export", "hyperfine=/sys/now.json",
        "no file can be made in the folder /sys (/sys has the system's own files)"
      ),
      ("--export-csv", String(repeating: "x", count: 256), "its name has 256 bytes; expected at most 255"),
    ])
  func unwritable(flag: String, path: String, reason: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try FileManager.default.createDirectory(atPath: workspace.path + "/folder", withIntermediateDirectories: false)
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", flag, path], in: workspace.path)
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("\(flag) ") && result.errors.contains(reason), "\(result.errors)")
    #expect(result.errors.contains("name another file"))
    #expect(!workspace.exists("out"))
  }
}

extension ExportTests {
  @Test("A name may have the maximum length, and nothing else is left beside the file")
  func longName() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let name = String(repeating: "x", count: 255)
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", "--export-json", name], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try workspace.text(of: name) == workspace.text(of: "out/results.json"))
    #expect(workspace.names() == ["out", "small.yml", name])
  }

  @Test("An existing file or link, even a dangling one, is refused, and overwritten with --force")
  func existing() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try workspace.write("mine", to: "now.json")
    let advice = "it exists already; name another file, or write over it with --force"
    try await expectRefusal(workspace, ["--export-json", "now.json"], saying: "now.json cannot be written: " + advice)
    symlink("none", workspace.path + "/link.csv")
    try await expectRefusal(workspace, ["--export-csv", "link.csv"], saying: advice)
    symlink("now.json", workspace.path + "/link.json")
    let result = try await Program.batchmark.run(
      [
        "run", "small.yml", "--quick", "--out", "out", "--force", "--export-json", "link.json", "--export-csv",
        "link.csv",
      ], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try workspace.text(of: "link.json") == workspace.text(of: "out/results.json"))
    #expect(try workspace.text(of: "link.csv") == workspace.text(of: "out/summary.csv"))
    // The file replaces the link, and its target is unchanged.
    #expect(try workspace.text(of: "now.json") == "mine")
    #expect(!workspace.exists("none"))
  }

  @Test("No export overwrites a file that the run reads, by path, link or second name, even with --force")
  func inputs() async throws {
    let workspace = try Workspace()
    let feed = "time,mag,place,id\n2018-06-12T16:38:28.820Z,1,a,x\n2018-06-12T16:39:28.820Z,2,b,y\n"
    try workspace.write(feed, to: "feed.csv")
    try workspace.writeScenario(source: "{feed: feed.csv}")
    try FileManager.default.createDirectory(atPath: workspace.path + "/sub", withIntermediateDirectories: false)
    symlink("feed.csv", workspace.path + "/symbolic.csv")
    link(workspace.path + "/feed.csv", workspace.path + "/hard.csv")
    for path in ["feed.csv", "sub/../feed.csv", "symbolic.csv", "hard.csv", workspace.path + "/feed.csv"] {
      try await expectRefusal(
        workspace, ["--force", "--export-csv", path],
        saying: "--export-csv ", " cannot be written: it is the feed feed.csv, which is read; name another file")
    }
    try await expectRefusal(
      workspace, ["--force", "--export-markdown", "small.yml"],
      saying: "it is the scenario file small.yml, which is read")
    try await expectRefusal(
      workspace, ["--force", "--export-json", Program.batchmark.path], saying: "it is this executable, which is read")
    // The feed of the command line counts, not the file's.
    try workspace.write(feed, to: "other.csv")
    try await expectRefusal(
      workspace, ["--feed", "other.csv", "--force", "--export-csv", "other.csv"], saying: "it is the feed other.csv")
  }
}

extension ExportTests {
  @Test("No export is written to a path that belongs to a store or a model, whether it exists or not")
  func partsOfInputs() async throws {
    let workspace = try Workspace()
    let files = FileManager.default
    try files.copyItem(atPath: SampleStore.own(.cars).path, toPath: workspace.path + "/store.sqlite")
    for folder in [".store_SUPPORT/_EXTERNAL_DATA", "My.xcdatamodel"] {
      try files.createDirectory(atPath: workspace.path + "/" + folder, withIntermediateDirectories: true)
    }
    try workspace.write(
      """
      <model><entity name="Quake"><attribute name="code" attributeType="String"/>
      <attribute name="time" attributeType="Date"/></entity></model>
      """, to: "My.xcdatamodel/contents")
    symlink("store.sqlite", workspace.path + "/link.sqlite")
    try workspace.writeScenario()
    let scenario = """
      scenario: parts
      source: {store: link.sqlite}
      cells: [{engine: sqlite, strategy: insert}]

      """
    try workspace.write(scenario, to: "small.yml")
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try await expectRefusal(
        workspace, ["--force", "--export-json", "store.sqlite" + suffix],
        saying: "of the store link.sqlite, which is read"
          .dropping(suffix.isEmpty ? "of " : ""))
    }
    try await expectRefusal(
      workspace, ["--export-json", ".link_SUPPORT/x.json"], saying: "found no folder")
    try await expectRefusal(
      workspace, ["--export-json", ".store_SUPPORT/_EXTERNAL_DATA/x.json"],
      saying: "it is in the folder of external records of link.sqlite, which is read")
    // The folder of a run would also be a log.
    let out = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "store.sqlite-wal"], in: workspace.path)
    #expect(out.status == 73)
    #expect(out.errors.contains("it is the -wal file of the store link.sqlite, which is read"), "\(out.errors)")
    let shape = try await Program.batchmark.run(
      ["anonymize", "store.sqlite", "--out", "store.sqlite-journal"], in: workspace.path)
    #expect(shape.status == 73 && shape.errors.contains("it is the -journal file of the store"), "\(shape.errors)")
    #expect(!workspace.exists("store.sqlite-wal") && !workspace.exists("store.sqlite-journal"))
    try workspace.write(
      """
      scenario: model
      model: My.xcdatamodel
      entity: Quake
      source: {generate: {rows: 10}}
      cells: [{engine: sqlite, strategy: insert}]

      """, to: "small.yml")
    for path in ["My.xcdatamodel/contents", "My.xcdatamodel/new.json"] {
      try await expectRefusal(
        workspace, ["--force", "--export-json", path], saying: "it is in the model My.xcdatamodel, which is read")
    }
  }

  @Test("Two exports to one file are wrong usage, whatever their names, and so are two to standard output")
  func twice() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try FileManager.default.createDirectory(atPath: workspace.path + "/sub", withIntermediateDirectories: false)
    symlink("sub", workspace.path + "/link")
    try workspace.write("old", to: "old")
    link(workspace.path + "/old", workspace.path + "/hard")
    for (one, other) in [("x", "x"), ("x", "sub/../x"), ("sub/x", "link/x"), ("old", "hard")] {
      try await expectRefusal(
        workspace, ["--force", "--export-json", one, "--export-csv", other], status: 64,
        saying: "two exports write to \(workspace.path)/\(other); name another file for one of them")
    }
    try await expectRefusal(
      workspace, ["--export-json", "-", "--export-csv", "-"], status: 64, saying: "found two exports to standard output"
    )
    try await expectRefusal(workspace, ["--force"], status: 64, saying: "--force is for files to export to")
  }

  @Test("- is standard output, which has only the export; the table is written to standard error")
  func standardOutput() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", "--export-csv", "-", "--export-json", "now.json"],
      in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try result.output == workspace.text(of: "out/summary.csv"))
    #expect(try workspace.text(of: "now.json") == workspace.text(of: "out/results.json"))
    #expect(result.errors.contains("\n\(workspace.path)/out/report.md\n"))
    #expect(!workspace.exists("-"))
  }
}

extension ExportTests {
  @Test("A resumed run overwrites its own exports if they are unchanged, and never writes into its own folder")
  func resumed() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let first = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", "--export-json", "now.json"], in: workspace.path)
    #expect(first.status == 0, "\(first.errors)")
    let again = ["run", "--resume", "--out", "out", "--export-json"]
    #expect(try await Program.batchmark.run(again + ["now.json"], in: workspace.path).status == 0)
    #expect(try workspace.text(of: "now.json") == workspace.text(of: "out/results.json"))
    // A run cannot restore what was added to the file.
    try workspace.write(try workspace.text(of: "now.json") + "\n", to: "now.json")
    let changed = try workspace.text(of: "now.json")
    let refused = try await Program.batchmark.run(again + ["now.json"], in: workspace.path)
    #expect(refused.status == 73 && refused.errors.contains("it exists already"), "\(refused.errors)")
    #expect(try workspace.text(of: "now.json") == changed)
    #expect(try await Program.batchmark.run(again + ["now.json", "--force"], in: workspace.path).status == 0)
    let journal = try workspace.text(of: "out/journal.jsonl")
    for name in ["out/journal.jsonl", "out/new.json", "out/results.json"] {
      let inside = try await Program.batchmark.run(again + [name, "--force"], in: workspace.path)
      #expect(inside.status == 73 && inside.errors.contains("it is in the run's own folder"), "\(inside.errors)")
    }
    #expect(try workspace.text(of: "out/journal.jsonl") == journal)
    try await expectRefusalOfScenario(workspace, again)
  }

  /// The journal names what the run reads.
  private func expectRefusalOfScenario(_ workspace: Workspace, _ again: [String]) async throws {
    let text = try workspace.text(of: "small.yml")
    let refused = try await Program.batchmark.run(again + ["small.yml", "--force"], in: workspace.path)
    #expect(refused.status == 73 && refused.errors.contains("it is the scenario file small.yml"), "\(refused.errors)")
    #expect(try workspace.text(of: "small.yml") == text)
  }

  @Test("A file that appears while the run measures is not overwritten")
  func meanwhile() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      [
        "run", "small.yml", "--quick", "--out", "out", "--export-json", "now.json", "--prepare", "echo mine > now.json",
      ], in: workspace.path)
    #expect(result.status == 73)
    #expect(result.errors.contains("now.json cannot be written: it exists already"), "\(result.errors)")
    #expect(try workspace.text(of: "now.json") == "mine\n")
    // The figures are in the usual place anyway.
    #expect(workspace.exists("out/results.json") && result.output.contains("out/report.md"))
  }

  @Test("A page in the folder of a self-test that has no journal is not overwritten")
  func selfTestPage() async throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/out", withIntermediateDirectories: false)
    try workspace.write("mine", to: "out/selftest.md")
    let result = try await Program.batchmark.run(
      [
        "selftest", "--live", "--simulations", "0", "--placebos", "0", "--slowdowns", "0", "--faults", "0", "--out",
        "out",
      ], in: workspace.path)
    #expect(result.status == 73 && result.errors.contains("out/selftest.md cannot be written: it exists already"))
    #expect(try workspace.text(of: "out/selftest.md") == "mine")
    #expect(workspace.names(in: "out") == ["selftest.md"])
  }

  @Test("A name that is not UTF-8 is refused with a sentence, and no other file is written")
  func names() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let command = "exec \"$0\" run small.yml --quick --out out --export-json \"$(printf 'a\\377')\""
    let result = try await Running(
      "/bin/sh", ["-c", command, Program.batchmark.path], in: workspace.path, allowsDebug: true, environment: [:]
    ).end()
    #expect(result.status == 64)
    #expect(
      result.errors
        == "batchmark: the argument a\\xff is not text in UTF-8; rename the file, or name it by a link with another name\n"
    )
    #expect(workspace.names() == ["small.yml"])
    let folder = "mkdir \"$(printf 'b\\377')\" && cd \"$(printf 'b\\377')\" && exec \"$0\" run ../small.yml --quick"
    let inside = try await Running(
      "/bin/sh", ["-c", folder, Program.batchmark.path], in: workspace.path, allowsDebug: true, environment: [:]
    ).end()
    #expect(inside.status == 66)
    #expect(inside.errors.contains("b\\xff is not text in UTF-8; rename it, or work in another folder"))
  }
}

extension Workspace {
  /// The contents of every file in the folder; for links and folders, their kind.
  fileprivate func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[name] = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
    }
    return contents
  }
}

extension String {
  fileprivate func dropping(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}

// `init`: the file that it writes is read, run and refused like a hand-written one.
import Foundation
import MissionTags
import StoreFixtures
import Testing

@Suite("A1 A8 · init", .tags(.a1, .a8))
struct InitCommandTests {
  @Test("A CSV file becomes a scenario that runs at the first try, with two budgets that hold")
  func feed() async throws {
    let workspace = try Workspace()
    let rows = (0..<1_200).map { "\($0),Track \($0 % 50),\($0 % 3 == 0 ? "" : "4.5"),2020-01-0\(1 + $0 % 9)\n" }
    try workspace.write("Track Id,Name,Price,Added\n" + rows.joined(), to: "tracks.csv")
    let made = try await Program.batchmark.run(["init", "--feed", "tracks.csv"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output == "Wrote tracks.yml: 5 cells, 1,200 rows. Next: batchmark run tracks.yml --quick\n")
    let text = try workspace.text(of: "tracks.yml")
    for line in [
      "  Track:", "      trackId: {type: int64}", "      Price:   {type: double, optional: true}",
      "      Added:   {type: date}", "source: {feed: tracks.csv}", "map: {trackId: 'Track Id'}",
    ] {
      #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)\n\(text)")
    }
    #expect(text.contains("    unique: [[trackId]]"))
    #expect(!text.split(separator: "\n").contains { $0.hasSuffix(" ") })
    let run = try await Program.batchmark.run(["run", "tracks.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    let again = try await Program.batchmark.run(["init", "--feed", "tracks.csv"], in: workspace.path)
    #expect(again.status == 73 && again.errors.contains("it exists already"))
    #expect(try workspace.text(of: "tracks.yml") == text)
  }

  @Test("A column without a name, such as the row numbers of a data frame, gets one")
  func unnamedColumn() async throws {
    let workspace = try Workspace()
    try workspace.write(",Name\n0,a\n1,b\n", to: "frame.csv")
    let made = try await Program.batchmark.run(["init", "--feed", "frame.csv"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try workspace.text(of: "frame.yml").contains("\nmap: {field: ''}\n"))
    let validated = try await Program.batchmark.run(["validate", "frame.yml"], in: workspace.path)
    #expect(validated.output.hasSuffix(", 5 cells, 2 rows\n"), "\(validated.output)\(validated.errors)")
  }

  @Test("Fields with values that no attribute can hold are named and left out of the model")
  func otherFields() async throws {
    let workspace = try Workspace()
    try workspace.write(
      #"{"id": 1, "x": 1, "tags": ["a"]}"# + "\n" + #"{"id": 2, "x": "a", "tags": []}"# + "\n", to: "books.jsonl")
    let made = try await Program.batchmark.run(["init", "--feed", "books.jsonl"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    let text = try workspace.text(of: "books.yml")
    #expect(text.contains("      id: {type: int64}\n      # no attribute holds the values of: x, tags\n"), "\(text)")
    let validated = try await Program.batchmark.run(["validate", "books.yml"], in: workspace.path)
    #expect(validated.status == 0, "\(validated.errors)\(validated.output)")
  }

  @Test("A path is written so that it is valid from the scenario file's folder")
  func otherFolder() async throws {
    let workspace = try Workspace()
    try workspace.write("a,b\n1,2\n", to: "it's.csv")
    try FileManager.default.createDirectory(atPath: workspace.path + "/below", withIntermediateDirectories: false)
    let made = try await Program.batchmark.run(
      ["init", "--feed", "it's.csv", "--out", "below/my rows.yml"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.hasSuffix("Next: batchmark run 'below/my rows.yml' --quick\n"), "\(made.output)")
    let validated = try await Program.batchmark.run(["validate", "below/my rows.yml"], in: workspace.path)
    #expect(
      validated.output.hasSuffix("ok, scenario it-s, 5 cells, 1 row\n"), "\(validated.output)\(validated.errors)")
  }

  @Test(
    "A scenario finds its file again, whatever the file's name",
    arguments: [
      "a: b.csv", "a #1.csv", "two\nlines.csv", "- dash.csv", "\"quoted\".csv", "1e3", "{x}.csv", "tab\t.csv",
    ])
  func oddNames(name: String) async throws {
    let workspace = try Workspace()
    try workspace.write("a,b\n1,2\n3,4\n", to: name)
    let made = try await Program.batchmark.run(["init", "--feed=\(name)", "--out", "mine.yml"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    // The rows are counted in the file itself.
    let validated = try await Program.batchmark.run(["validate", "mine.yml"], in: workspace.path)
    #expect(validated.output.hasSuffix(", 5 cells, 2 rows\n"), "\(validated.output)\(validated.errors)")
  }
}

extension InitCommandTests {
  @Test("A small store gets a hint to make more rows; without a source, the scenario has contacts")
  func others() async throws {
    let workspace = try Workspace()
    let store = try SampleStore.own(.users).path
    let made = try await Program.batchmark.run(["init", "--store", store, "--out", "-"], in: workspace.path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("# 12 rows are few to measure. 'batchmark anonymize "))
    try workspace.write(made.output, to: "store.yml")
    #expect(try await Program.batchmark.run(["validate", "store.yml"], in: workspace.path).status == 0)
    // Two stores make two scenarios, and one run can take both.
    try FileManager.default.copyItem(atPath: store, toPath: workspace.path + "/My Notes 2.sqlite")
    let named = try await Program.batchmark.run(["init", "--store", "My Notes 2.sqlite"], in: workspace.path)
    #expect(named.status == 0 && named.output.hasPrefix("Wrote my-notes-2.yml: "), "\(named.errors)")
    #expect(try workspace.text(of: "my-notes-2.yml").contains("scenario: my-notes-2\n"))
    #expect(try await Program.batchmark.run(["init"], in: workspace.path).status == 0)
    let listed = try await Program.batchmark.run(["validate", "contacts.yml"], in: workspace.path)
    #expect(listed.output == "contacts.yml: ok, scenario contacts, 5 cells, 20,000 rows\n")
  }

  @Test("Two sources, no feed and an invalid mapping are refused")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.write("a\n1\n", to: "a.csv")
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["init", "--feed", "a.csv", "--store", "b.sqlite"], 64, "leave one out"),
      (["init", "--feed", "none.csv"], 66, "none.csv"),
      (["run", "x.yml", "--map", "title"], 64, "expected attribute=field"),
      (["run", "x.yml", "--until", "2%", "--precision", "2%"], 64, "--until is now --precision"),
      (["run", "x.yml", "--dry-run", "--durations", "a", "--estimate-from", "b"], 64, "is now --estimate-from"),
    ]
    for (arguments, status, words) in cases {
      let result = try await Program.batchmark.run(arguments, in: workspace.path)
      #expect(result.status == status && result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    #expect(workspace.names() == ["a.csv"])
  }

  @Test("--map fills an attribute from a field of another name, and the old names of options still work")
  func mapping() async throws {
    let workspace = try Workspace()
    try workspace.write("Title,n\nx,1\ny,2\n", to: "a.csv")
    try workspace.write(
      """
      scenario: a
      description: Is it read?
      model: {Row: {attributes: {title: {type: string}}}}
      source: {feed: other.csv}
      cells: [{engine: sqlite, strategy: insert}]
      """, to: "a.yml")
    let run = try await Program.batchmark.run(
      ["run", "a.yml", "--feed", "a.csv", "--map", "title=Title", "--quick", "--until", "50%", "--out", "out"],
      in: workspace.path)
    #expect(run.status == 64 && run.errors.contains("--precision"), "\(run.errors)")
    let mapped = try await Program.batchmark.run(
      ["run", "a.yml", "--feed", "a.csv", "--map", "title=Title", "--quick", "--out", "out"], in: workspace.path)
    #expect(mapped.status == 0, "\(mapped.errors)")
  }

  @Test("'help' of a topic prints the topic", arguments: ["scenarios", "statuses", "figures"])
  func topics(topic: String) async throws {
    let workspace = try Workspace()
    let help = try await Program.batchmark.run(["help", topic], in: workspace.path)
    let old = try await Program.batchmark.run(["topics", topic], in: workspace.path)
    #expect(help.status == 0 && help.output == old.output && !help.output.isEmpty)
    let all = try await Program.batchmark.run(["help"], in: workspace.path).output
    #expect(all.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("'help \(topic)'"))
  }
}

// `anonymize`: the file that it writes, and what it refuses.
import Foundation
import MissionTags
import StoreFixtures
import Testing

@Suite("A8 D10 · anonymize", .tags(.a8, .d10))
struct AnonymizeTests {
  @Test(
    "The file is written once, and a run of it stores the same number of rows and relationships",
    arguments: SampleStore.all(.users).filter { $0.isOwn || isThorough })
  func run(original: SampleStore) async throws {
    let workspace = try Workspace()
    let store = try original.path
    let result = try await Program.batchmark.run(["anonymize", store, "--out", "shape.yml"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    let text = try workspace.text(of: "shape.yml")
    #expect(text.contains("petName: {distinct: 12, lengths: {7: 12}}"), "\(text)")
    let again = try await Program.batchmark.run(["anonymize", store, "--out", "shape.yml"], in: workspace.path)
    #expect(again.status == 73)
    #expect(again.errors.contains("it exists already"))
    #expect(try workspace.text(of: "shape.yml") == text)
    let validated = try await Program.batchmark.run(["validate", "shape.yml"], in: workspace.path)
    #expect(validated.output.hasPrefix("shape.yml: ok, scenario synthetic, "), "\(validated.errors)")
    #expect(validated.output.hasSuffix(" cells, 12 rows\n"))
    let run = try await Program.batchmark.run(
      [
        "run", "shape.yml", "--quick", "--only", "save", "--only", "sqlite/insert", "--set", "scale=3", "--out", "out",
      ], in: workspace.path)
    #expect(run.status == 0, "\(run.errors)")
    let samples = try workspace.journal("out").filter { $0.kind == "sample" }.compactMap {
      $0.value["contents"] as? [String: Any]
    }
    #expect(Set(samples.compactMap { $0["rows"] as? Int }) == [36])
    #expect(Set(samples.compactMap { $0["contentHash"] as? String }).count == 1)
    // No row of this store is related, so leaving out relationships does not change the work.
    #expect(samples.count == 2 * passes)
  }

  @Test("The file can go to standard output, and --rename keeps the original names out of it")
  func standardOutput() async throws {
    let workspace = try Workspace()
    let store = try SampleStore.own(.users).path
    let plain = try await Program.batchmark.run(["anonymize", store], in: workspace.path)
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(plain.output.contains("petName:"))
    let renamed = try await Program.batchmark.run(["anonymize", store, "--rename", "--out", "-"], in: workspace.path)
    #expect(renamed.status == 0, "\(renamed.errors)")
    #expect(renamed.output.contains("  Entity1:") && !renamed.output.contains("petName"))
    #expect(workspace.names().isEmpty)
  }

  @Test("A missing file, or one that is not a store, is refused in a sentence, and no file is left")
  func refusals() async throws {
    let workspace = try Workspace()
    let store = try SampleStore.own(.users).path
    try workspace.write("no store", to: "plain.sqlite")
    // A file needs a name.
    let nameless = try await Program.batchmark.run(["anonymize", store, "--out", ""], in: workspace.path)
    #expect(
      nameless.status == 73
        && nameless.errors == "batchmark: '' cannot be written: No such file or directory; name another file\n",
      "\(nameless.errors)")
    for (path, status) in [("none.sqlite", 66 as Int32), ("plain.sqlite", 65)] {
      let result = try await Program.batchmark.run(["anonymize", path, "--out", "shape.yml"], in: workspace.path)
      #expect(result.status == status, "\(result.errors)")
      #expect(result.errors.hasPrefix("batchmark: ") && result.errors.contains(path))
      #expect(!workspace.exists("shape.yml"))
    }
    #expect(try await Program.batchmark.run(["anonymize"], in: workspace.path).status == 64)
    let nowhere = try await Program.batchmark.run(["anonymize", store, "--out", "none/shape.yml"], in: workspace.path)
    #expect(nowhere.status == 73)
  }
}

// Scenario files on disk: found in folders, read, refused if missing or not text; and the shipped ones.
internal import CoreDataModel
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · scenario files", .tags(.a1))
struct ScenarioFilesTests {
  @Test("A folder stands for its scenario files, in order of name; a file for itself")
  func find() throws {
    let directory = try TemporaryDirectory()
    for name in ["b.yml", "a.yaml", "c.json", "notes.txt", ".hidden.yml", "d.yml.bak"] {
      _ = try directory.write("", to: name)
    }
    let files = ["a.yaml", "b.yml", "c.json"].map { directory.path + "/" + $0 }
    #expect(try ScenarioFiles.find(in: [directory.path]) == files)
    #expect(try ScenarioFiles.find(in: [directory.path + "/"]) == files)
    let notes = directory.path + "/notes.txt"
    #expect(try ScenarioFiles.find(in: [notes, files[1], directory.path]) == [notes, files[1], files[0], files[2]])
  }

  @Test("A missing path, and a folder without scenarios, are refused")
  func findNothing() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.path + "/missing.yml"
    let error = #expect(throws: ScenarioFileError.self) { try ScenarioFiles.find(in: [missing]) }
    #expect(
      error?.description == "\(missing): found no such file or directory; expected a scenario file or a folder of them")
    let empty = #expect(throws: ScenarioFileError.self) { try ScenarioFiles.find(in: [directory.path]) }
    #expect(
      empty?.description
        == "\(directory.path): found a folder without scenario files; expected files that end in .yml, .yaml, .json")
  }

  @Test("A file is read, and settings apply")
  func readFile() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(validScenario, to: "quakes.yml")
    let setting = ScenarioOverride(key: "rounds", value: "4", origin: "--rounds 4")
    let scenario = try ScenarioReader(schema: schema).read(file: file, overrides: [setting])
    #expect(scenario.file == file)
    #expect(scenario.measure.rounds == 4)
  }

  @Test("A missing file and a folder are unreadable, which differs from invalid")
  func unreadable() throws {
    let directory = try TemporaryDirectory()
    let reader = ScenarioReader(schema: schema)
    let missing = #expect(throws: ScenarioFileError.self) { try reader.read(file: directory.path + "/none.yml") }
    #expect(missing?.found == "no such file or directory")
    let folder = #expect(throws: ScenarioFileError.self) { try reader.read(file: directory.path) }
    #expect(folder?.found == "a folder")
    let invalid = try directory.write("[]", to: "list.yml")
    #expect(throws: ScenarioErrors.self) { try reader.read(file: invalid) }
  }

  @Test("Bytes that are not UTF-8 are refused at their location")
  func notUTF8() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Array("scenario: x\ndescription: é".utf8) + [0x66, 0xFC, 0x72], to: "latin.yml")
    let error = #expect(throws: ScenarioErrors.self) { try ScenarioReader(schema: schema).read(file: file) }
    #expect(error?.description == "\(file):2:16: found the byte 0xFC, which is not UTF-8 there; expected text in UTF-8")
    let cut = try directory.write(Array("scenario: ".utf8) + [0xC3], to: "cut.yml")
    let short = #expect(throws: ScenarioErrors.self) { try ScenarioFiles.text(of: cut) }
    #expect(short?.errors.first?.column == 11)
  }
}

@Suite("A1 · the shipped scenarios", .tags(.a1))
struct ShippedScenariosTests {
  private static let folder = packageDirectory + "/Scenarios"

  @Test("Every shipped scenario is valid, has its file's name, asks a question, and explains itself")
  func valid() throws {
    let files = try ScenarioFiles.find(in: [ShippedScenariosTests.folder])
    #expect(files.count >= 19)
    for file in files {
      let scenario = try ScenarioReader(schema: schema).read(file: file)
      #expect(file.hasSuffix("/\(scenario.name).yml"))
      #expect(scenario.description.hasSuffix("?"), "\(file): \(scenario.description)")
      #expect(try ScenarioFiles.text(of: file).hasPrefix("# "), "\(file)")
      #expect(Set(scenario.cells.map(\.id)).count == scenario.cells.count)
    }
  }

  @Test("Every suite that compares has a reference for each of its cells")
  func references() throws {
    let files = try ScenarioFiles.find(in: [ShippedScenariosTests.folder]).filter { !$0.hasSuffix("/overhead.yml") }
    try #require(!files.isEmpty)
    for file in files {
      let scenario = try ScenarioReader(schema: schema).read(file: file)
      try #require(!scenario.cells.isEmpty)
      let names: [BatchmarkEngine.Operation.Kind: String] = [.fetch: "select", .migrate: "copy-table"]
      for cell in scenario.cells {
        let references = scenario.cells.filter {
          $0.engine == "sqlite" && $0.strategy == names[$0.operation] ?? $0.operation.rawValue
            && $0.ownParameters.isEmpty
            && $0.conditions == cell.conditions
        }
        #expect(references.count == 1, "\(cell.id)")
      }
    }
  }

  @Test("The scaling suite has from 1,000 to a million rows, without an index", .tags(.a8))
  func scaling() throws {
    let scenario = try ScenarioReader(schema: schema).read(file: ShippedScenariosTests.folder + "/scaling.yml")
    #expect(
      scenario.cells.sweptConditions == [
        SweptValues(key: "rows", values: [.count(1_000), .count(10_000), .count(100_000), .count(1_000_000)])
      ])
    for cell in scenario.cells {
      let variant = scenario.variant(for: cell)
      #expect(variant.entity?.uniquenessConstraints.isEmpty == true && variant.entity?.fetchIndexes.isEmpty == true)
      guard case .generate(let settings) = variant.source else { throw WrongColumn() }
      #expect(cell.conditions["rows"] == .count(settings.rows))
    }
  }
}

extension ShippedScenariosTests {
  @Test("The default suite stores 100,000 earthquakes in seven cells")
  func earthquakes() throws {
    let scenario = try ScenarioReader(schema: schema).read(
      file: ShippedScenariosTests.folder + "/earthquakes.yml")
    #expect(scenario.entity == quake)
    #expect(scenario.source == .generate(GeneratorSettings(rows: 100_000, seed: 42, duplicates: 0)))
    #expect(scenario.mergePolicy == .mergeByPropertyObjectTrump)
    #expect(
      scenario.pragmas == [
        StorePragma("journal_mode", "wal"), StorePragma("synchronous", "normal"),
        StorePragma("wal_autocheckpoint", "1000"),
      ])
    #expect(
      scenario.cells.map(\.id) == [
        "earthquakes/objectgraph/save", "earthquakes/objectgraph/batch-objects",
        "earthquakes/objectgraph/batch-dictionary", "earthquakes/objectgraph/batch-managed-object",
        "earthquakes/sqlite/insert", "earthquakes/sqlite/insert-many", "earthquakes/grdb/statement",
      ])
    #expect(scenario.measure.rounds == 10)
  }

  @Test(
    "The relationships suite links 20,000 earthquakes to their networks, before and after they are stored", .tags(.b8))
  func relationships() throws {
    let scenario = try ScenarioReader(schema: schema).read(
      file: ShippedScenariosTests.folder + "/relationships.yml")
    #expect(scenario.entityName == "Quake")
    #expect(scenario.links == [Link("network", by: "net", to: "Network", named: "code")])
    #expect(scenario.source == .generate(GeneratorSettings(rows: 20_000, seed: 42, duplicates: 0)))
    #expect(
      scenario.cells.map(\.id) == [
        "relationships/objectgraph/save", "relationships/objectgraph/save[save_every=1000]",
        "relationships/objectgraph/batch-objects", "relationships/objectgraph/batch-dictionary[link_every=100]",
        "relationships/objectgraph/batch-dictionary", "relationships/objectgraph/batch-dictionary[link_every=all]",
        "relationships/objectgraph/batch-managed-object", "relationships/sqlite/insert",
        "relationships/sqlite/insert-many",
      ])
  }

  @Test("The smoke suite is a small default suite")
  func smoke() throws {
    let reader = ScenarioReader(schema: schema)
    let smoke = try reader.read(file: ShippedScenariosTests.folder + "/smoke.yml")
    let original = try reader.read(
      file: ShippedScenariosTests.folder + "/earthquakes.yml",
      overrides: [ScenarioOverride(key: "rows", value: "2_000", origin: "--set rows=2_000")])
    #expect(smoke.fingerprint == original.fingerprint)
    #expect(smoke.cells.map(\.strategy) == original.cells.map(\.strategy))
    #expect(smoke.measure.rounds == 2)
  }
}

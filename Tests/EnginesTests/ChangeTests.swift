// D8: updates and deletes leave the same rows in every engine, and only increment the versions of changed rows.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import Instruments
import MissionTags
import ObjectGraph
import Scenarios
import Testing
import Harness

@Suite("D8 · updates and deletes", .tags(.d8))
struct ChangeTests {
  /// Takes one sample of each cell like a worker, but in the test's process.
  ///
  /// The sample's own check compares the store with contents computed from the rows alone.
  private func samples(
    _ lines: String, rows: String = "{rows: 300, seed: 3}", more: String = "", inPieces: Bool = true
  ) throws -> [Sample] {
    let operation = lines.contains("set:") ? "update" : "delete"
    let cells = [
      "{strategy: save}", "{strategy: save, save_every: 7}", "{strategy: save, save_every: 1}",
      "{engine: sqlite, strategy: \(operation)}", "{engine: sqlite, strategy: \(operation), save_every: 7}",
      "{strategy: batch-\(operation)}", "{engine: sqlite, strategy: \(operation)-many}",
      "{engine: grdb, strategy: \(operation)}", "{engine: grdb, strategy: \(operation), save_every: 7}",
      "{engine: grdb, strategy: \(operation)-many}",
    ].filter { inPieces || !$0.contains("save_every") }
    let text = """
      scenario: test
      model: {Quake: \(quakeEntity())}
      source: {generate: \(rows)}
      operation: \(operation)
      \(lines)
      \(more)
      cells:
      \(cells.map { "  - " + $0 }.joined(separator: "\n"))
      \(operation == "delete" ? "  - {strategy: batch-delete-ids}" : "")
      """
    return try takeSamples(of: text)
  }

  @Test("An update changes the rows that match its predicate, and increments only their versions")
  func update() throws {
    let samples = try samples("where: magnitude >= 0.5\nset: {place: reviewed, magnitude: 9.5}")
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    for sample in samples {
      let changed = try #require(sample.phases.first { $0.phase == .update }?.rows)
      #expect(changed > 20 && changed < 280)
      #expect(sample.contents.rows == 300 && sample.contents.versions == [1: 300 - changed, 2: changed])
    }
  }

  @Test("A delete removes the rows that match its predicate and touches no other")
  func delete() throws {
    let samples = try samples("where: magnitude < 0.5 OR place = NULL")
    try #require(!samples.isEmpty)
    for sample in samples {
      let removed = try #require(sample.phases.first { $0.phase == .delete }?.rows)
      #expect(removed > 20 && removed < 280)
      #expect(sample.contents.rows == 300 - removed && sample.contents.versions == [1: 300 - removed])
    }
  }

  @Test("Without a predicate every row is changed; an unchanged value is not written by an object's save")
  func everyRow() throws {
    let taken = try samples("set: {nst: 12}")
    let lean = taken.filter { $0.contents.versions != [2: 300] }
    #expect(taken.count > lean.count && !lean.isEmpty)
    for sample in lean {
      let kept = sample.contents.versions[1] ?? 0
      #expect(sample.cell.hasPrefix("test/objectgraph/save") && kept > 0, "\(sample.cell)")
    }
    #expect(taken.allSatisfy { $0.contents.versions.values.reduce(0, +) == 300 })
    #expect(try samples("set: {nst: null}").allSatisfy { $0.contents.nulls["nst"] == 300 })
    #expect(try samples("").allSatisfy { $0.contents.rows == 0 && $0.contents.versions.isEmpty })
  }

  @Test("The store is filled before anything is measured, and the fill has a phase of its own")
  func phases() throws {
    let samples = try samples("where: magnitude < 0.5")
    try #require(!samples.isEmpty)
    for sample in samples {
      #expect(sample.phases.map(\.phase) == [.load, .prepare, .delete, .checkpoint, .verify])
      #expect(sample.phases[1].rows == 300)
    }
  }
}

extension ChangeTests {
  @Test("Rows that met duplicates while the store was filled keep the versions from then")
  func duplicates() throws {
    for policy in ["object_trump", "store_trump"] {
      let samples = try samples(
        "where: magnitude >= 0.5\nset: {place: x}", rows: "{rows: 300, seed: 5, duplicates: 25%}",
        more: "merge_policy: \(policy)")
      #expect(Set(samples.map(\.contents.versionedHash)).count == 1)
      #expect(samples.allSatisfy { $0.contents.rows == 225 })
    }
  }

  @Test(
    "Every comparison has the same meaning for each engine and for the check",
    arguments: [
      "magnitude = 1.5", "magnitude != 1.5", "magnitude <= 1.5", "magnitude > 1.2", "magnitude BETWEEN {0.5, 1.5}",
      "magnitude IN {1.5, 2, 0.5}", "nst = NULL", "nst != NULL", "nst != 20", "NOT nst > 20",
      "NOT (nst > 20 OR nst = 5)",
      "nst IN {NULL, 20, 21, 22}", "nst < 20 AND NOT magnitude > 1", "place BEGINSWITH '1'", "place CONTAINS 'of'",
      "place < '5'", "NOT place CONTAINS 'of'", "time > '2018-06-15T00:00:00Z'", "TRUEPREDICATE AND code >= 'b'",
    ])
  func comparisons(predicate: String) throws {
    do {
      for sample in try samples("where: \"\(predicate)\"", rows: "{rows: 150, seed: 9}", inPieces: false) {
        #expect(sample.contents.rows < 150)
      }
    } catch SampleError.nothingToChange {
      // If the check finds that no row matches, no engine may find one.
      let others = try samples("where: \"NOT (\(predicate))\"", rows: "{rows: 150, seed: 9}", inPieces: false)
      #expect(others.allSatisfy { $0.contents.rows == 0 })
    }
  }

  @Test("A save that the model's rules stop changes nothing")
  func validation() throws {
    let entity = EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("code", .string),
        AttributeDescription(
          "magnitude", .double, isOptional: true, validationRules: [.range(minimum: nil, maximum: .real(10))]),
      ])
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 50)).rows(for: entity)
    let directory = FileManager.default.temporaryDirectory.path + "/changes-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let setup = StoreSetup(
      path: directory + "/store.sqlite", model: try ManagedObjectModel(entities: [entity]), entityName: "Quake",
      pragmas: [], mergePolicy: .error)
    let insert = try SQLiteEngine().openInsert(setup, Cell(scenario: "t", engine: "sqlite", strategy: "insert"))
    try insert.insert(SourceRows(rows))
    try insert.checkpoint()
    try insert.close()
    let cell = Cell(scenario: "t", engine: "objectgraph", strategy: "save", operation: .update)
    guard case .update(let open)? = ObjectGraphEngine().strategy(of: cell)?.opening else {
      throw CocoaError(.featureUnsupported)
    }
    let session = try open(setup, cell, [Assignment("magnitude", .real(11))])
    #expect(throws: ObjectGraphError.self) { try session.change(where: nil) }
    try session.close()
    #expect(try StoredContents(readingStoreAt: setup.path, entity: entity).versions == [1: 50])
  }

  @Test("A cell cannot have a strategy of another operation")
  func otherOperation() throws {
    for (engine, strategy) in [("objectgraph", "batch-objects"), ("sqlite", "insert"), ("grdb", "record")] {
      let cell = Cell(scenario: "t", engine: engine, strategy: strategy, operation: .delete)
      let job = SampleJob(
        scenarioText: "", scenarioFile: "t.yml", overrides: [], cell: cell, pass: .timing, round: 1,
        directory: "/nowhere")
      #expect {
        try SampleTaker(engines: BuiltInEngines.all).take(job)
      } throws: {
        "\($0)".contains("found the strategy '\(strategy)'; expected one of ")
      }
    }
  }
}

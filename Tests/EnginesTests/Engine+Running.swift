// Runs a cell in the test's own process, without instruments.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import Instruments
import ObjectGraph
import SQLiteDriver
import Scenarios
import Harness

/// Every built-in strategy that inserts.
let everyCell = BuiltInEngines.all.flatMap { engine in
  engine.strategies.filter { $0.operation == .insert }.map {
    Cell(scenario: "test", engine: engine.name, strategy: $0.name)
  }
}

/// Those that store the rows of several entities; scenarios of several entities refuse the others.
private let strategiesOfSeveralEntities = BuiltInEngines.all.flatMap { engine in
  engine.strategies.filter {
    $0.operation == .insert && $0.role != .harnessCost && $0.storesSeveralEntities
  }.map { (engine: engine.name, strategy: $0) }
}

/// Those strategies as cells of a scenario file.
let cellsOfSeveralEntities = strategiesOfSeveralEntities.map {
  "{engine: \($0.engine), strategy: \($0.strategy.name)}"
}

/// Whether the strategy of a cell with this id sets relationships.
func givesRelationships(_ id: String) -> Bool {
  strategiesOfSeveralEntities.contains {
    id.contains("/\($0.engine)/\($0.strategy.name)") && $0.strategy.relationships != .none
  }
}

/// The entity of the generated earthquakes in a scenario file, with additional keys such as `, indexes: …`.
func quakeEntity(_ keys: String = "") -> String {
  """
  {attributes: {code: {type: string}, magnitude: {type: float, optional: true, default: 1.5}, \
  place: {type: string, optional: true}, time: {type: date}, nst: {type: int32, optional: true}}, \
  unique: [[code]]\(keys)}
  """
}

extension Engine {
  /// Opens the session of an insert.
  func openInsert(_ setup: StoreSetup, _ cell: Cell) throws -> any InsertSession {
    guard case .insert(let open)? = strategy(of: cell)?.opening else { throw CocoaError(.featureUnsupported) }
    return try open(setup, cell)
  }
}

/// Stores the rows in a temporary store and returns its contents.
func run(
  _ cell: Cell, _ rows: ColumnarRows, entity: EntityDescription, policy: MergePolicy = .error, repeats: Int = 1,
  pragmas: [StorePragma] = []
) throws -> StoredContents {
  let directory = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  guard let engine = BuiltInEngines.all.first(where: { $0.name == cell.engine }) else {
    throw CocoaError(.featureUnsupported)
  }
  let setup = StoreSetup(
    path: directory.appending(path: "store.sqlite").path, model: try ManagedObjectModel(entities: [entity]),
    entityName: entity.name, pragmas: pragmas, mergePolicy: policy)
  let session = try engine.openInsert(setup, cell)
  do {
    for _ in 0..<repeats { try session.insert(SourceRows(rows)) }
    try session.checkpoint()
  } catch {
    try session.close()
    throw error
  }
  try session.close()
  return try StoredContents(readingStoreAt: setup.path, entity: entity)
}

extension StoredContents {
  /// Reads every row of the entity from a closed store, with its links.
  init(readingStoreAt path: String, entity: EntityDescription, links: [LinkColumns] = []) throws {
    try self.init(reading: StoredContents.open(path), entity: entity, links: links)
  }

  /// Reads every row of the entities from a closed store, with their relationships.
  init(readingStoreAt path: String, entities: [StoredEntity]) throws {
    try self.init(reading: StoredContents.open(path), entities: entities, relationshipsToo: true)
  }

  private static func open(_ path: String) throws -> Connection {
    let connection = try Connection(path: path, access: .readOnly)
    guard try connection.integrityCheck().isEmpty else { throw CocoaError(.fileReadCorruptFile) }
    return connection
  }
}

/// Takes one sample of each of a scenario's cells like a worker, but in the test's process.
///
/// The sample's own checks compare the store with contents computed from the rows alone.
func takeSamples(
  of text: String, engines: [any Engine] = BuiltInEngines.all, inspect: (String) throws -> Void = { _ in }
) throws -> [Sample] {
  let scenario = try ScenarioReader(schema: ScenarioSchema(engines)).read(text: text, file: "test.yml")
  return try scenario.cells.map { cell in
    let directory = FileManager.default.temporaryDirectory.path + "/samples-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let sample = try SampleTaker(engines: engines).take(
      SampleJob(
        scenarioText: text, scenarioFile: "test.yml", overrides: [], cell: cell, pass: .timing, round: 1,
        directory: directory))
    try inspect(directory + "/store.sqlite")
    return sample
  }
}

extension EntityDescription {
  /// The earthquakes of the shipped scenario.
  static func quake(unique: Bool) -> EntityDescription {
    EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("code", .string), AttributeDescription("magnitude", .double, isOptional: true),
        AttributeDescription("place", .string, isOptional: true), AttributeDescription("time", .date),
      ],
      uniquenessConstraints: unique ? [["code"]] : [])
  }
}

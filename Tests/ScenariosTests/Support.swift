// Common parts of the tests of scenarios: a schema, a valid scenario, temporary files, and hashes of rows.
import CoreDataModel
import Foundation
import BatchmarkEngine
import Scenarios
import Synchronization
import Testing

/// The words of the built-in engines that these tests need.
let schema = ScenarioSchema(engines: engines, metrics: metrics)

private let batchParameters: [any ParameterDeclaration] = [
  ParameterKey.requestSize, ParameterKey.merge.offering(.none, .changes, .history), ParameterKey.results,
  ParameterKey.history,
  ParameterKey.walLimit, ParameterKey.linkEvery,
]

private let engines: [any Engine] = [
  NamedEngine(
    name: "objectgraph",
    strategies: [
      strategy(
        "save", role: .objectByObject,
        parameters: [
          ParameterKey.saveEvery, ParameterKey.merge, ParameterKey.results, ParameterKey.history,
          ParameterKey.afterSave,
        ], relationships: .withRows, storesSeveralEntities: true),
      strategy("batch-objects", parameters: batchParameters, relationships: .afterwards),
      strategy("batch-dictionary", parameters: batchParameters, relationships: .afterwards),
      strategy("batch-managed-object", parameters: batchParameters, relationships: .afterwards),
      strategy("save", .update, role: .objectByObject, parameters: [ParameterKey.saveEvery]),
      strategy(
        "save", .delete, role: .objectByObject, parameters: [ParameterKey.saveEvery],
        followsDeleteRules: true),
      strategy("batch-update", .update),
      strategy(
        "batch-delete", .delete, parameters: [ParameterKey.requestSize], followsDeleteRules: true),
      strategy("batch-delete-ids", .delete, followsDeleteRules: true),
      strategy("objects", .fetch, abilities: [.follow, .group]),
      strategy("prefetched", .fetch, abilities: [.follow]),
      strategy("faults", .fetch, abilities: [.follow, .group]),
      strategy("batched", .fetch, parameters: [ParameterKey.batchSize], abilities: [.follow, .group]),
      strategy("dictionaries", .fetch, abilities: [.group]),
      strategy("object-ids", .fetch),
      strategy("count", .fetch), strategy("infer", .migrate, parameters: [ParameterKey.removal]),
    ]),
  NamedEngine(
    name: "sqlite",
    strategies: [
      strategy("insert", relationships: .withRows, storesSeveralEntities: true),
      strategy("empty", relationships: .afterwards),
      strategy("insert-many", parameters: [ParameterKey.rowsPerStep], relationships: .afterwards),
      strategy("update", .update, parameters: [ParameterKey.saveEvery]),
      strategy(
        "delete", .delete, parameters: [ParameterKey.saveEvery], followsDeleteRules: true),
      strategy("update-many", .update),
      strategy("delete-many", .delete, followsDeleteRules: true),
      strategy("select", .fetch, abilities: [.follow, .group]), strategy("select-kept", .fetch, abilities: [.group]),
      strategy("select-by-key", .fetch, abilities: [.follow]), strategy("copy-table", .migrate),
      strategy("alter-table", .migrate),
    ]),
  NamedEngine(
    name: "grdb",
    strategies: [
      strategy("statement"), strategy("record"), strategy("codable"),
      strategy("update", .update, parameters: [ParameterKey.saveEvery]),
      strategy("delete", .delete, parameters: [ParameterKey.saveEvery]),
      strategy("update-many", .update),
      strategy("delete-many", .delete),
      strategy("row", .fetch, abilities: [.group]), strategy("record", .fetch, abilities: [.group]),
      strategy("associations", .fetch, abilities: [.follow]), strategy("codable", .fetch),
    ]),
]

private let metrics =
  MetricDeclaration.timing + [
    MetricDeclaration(MetricID("heap_peak_bytes"), .bytes, in: .memory, "heap"),
    MetricDeclaration(MetricID("wal_peak_bytes"), .bytes, in: .counters, "WAL"),
    MetricDeclaration(MetricID("syncs"), .count, in: .counters, "syncs"),
    MetricDeclaration(MetricID("db_bytes"), .bytes, in: .counters, "database"),
  ] + MetricDeclaration.latencies

/// An engine whose sessions are never opened.
struct NamedEngine: Engine {
  let name: String
  let strategies: [Strategy]
}

/// A strategy for an operation, whose sessions are never opened.
func strategy(
  _ name: String, _ operation: BatchmarkEngine.Operation.Kind = .insert, role: StrategyRole = .peer,
  parameters: [any ParameterDeclaration] = [], relationships: RelationshipStorage = .none,
  storesSeveralEntities: Bool = false, followsDeleteRules: Bool = false, abilities: Set<FetchAbility> = []
) -> Strategy {
  struct NeverOpened: Error {}
  let opening: Strategy.Opening =
    switch operation {
    case .insert: .insert { _, _ in throw NeverOpened() }
    case .update: .update { _, _, _ in throw NeverOpened() }
    case .delete: .delete { _, _ in throw NeverOpened() }
    case .fetch: .fetch { _, _ in throw NeverOpened() }
    case .migrate: .migrate { _, _, _ in throw NeverOpened() }
    }
  return Strategy(
    name, role: role, summary: "", parameters: parameters, relationships: relationships,
    storesSeveralEntities: storesSeveralEntities, followsDeleteRules: followsDeleteRules, abilities: abilities,
    opening)
}

/// A valid scenario.
///
/// Tests add their mistakes to it.
let validScenario = """
  scenario: quakes
  description: A test.
  model:
    Quake:
      attributes:
        code: {type: string}
        magnitude: {type: double, optional: true}
        time: {type: date}
      unique: [[code]]
  entity: Quake
  source:
    generate: {rows: 1_000, seed: 7, duplicates: 5%}
  merge_policy: object_trump
  store: {journal_mode: wal, synchronous: normal}
  cells:
    - {strategy: save, save_every: 100}
    - {engine: sqlite, strategy: insert}
  measure: {rounds: 3, sample_limit: 90 s}
  """

/// The valid scenario with one text replaced by another; the scenario must contain it.
func scenario(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  #expect(validScenario.contains(old), "the valid scenario has no \(old)", sourceLocation: sourceLocation)
  return validScenario.replacing(old, with: new)
}

/// Reads a scenario from text, as the file `Scenarios/x.yml`.
func read(_ text: String, _ settings: String...) throws -> Scenario {
  try ScenarioReader(schema: schema).read(text: text, file: "Scenarios/x.yml", overrides: overrides(settings))
}

/// The messages about a text, one per line; empty if there are none.
func complaints(_ text: String, _ settings: String...) -> [String] {
  do {
    _ = try ScenarioReader(schema: schema).read(
      text: text, file: "Scenarios/x.yml", overrides: overrides(settings))
    return []
  } catch {
    if settings.isEmpty { keep(text, with: error) }
    return error.errors.map(\.description)
  }
}

/// Keeps a wrong scenario for `scripts/test --oracles`, which checks it with other programs.
private func keep(_ text: String, with error: ScenarioErrors) {
  guard let folder = ProcessInfo.processInfo.environment["BATCHMARK_WRONG_SCENARIOS"] else { return }
  let path = "\(folder)/\(UUID().uuidString)"
  #expect(FileManager.default.createFile(atPath: path + ".yml", contents: Data(text.utf8)))
  #expect(FileManager.default.createFile(atPath: path + ".txt", contents: Data(error.description.utf8)))
}

/// Settings as a user writes them: `rows=10`.
private func overrides(_ settings: [String]) -> [ScenarioOverride] {
  settings.map { setting in
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return ScenarioOverride(key: parts[0], value: parts.count > 1 ? parts[1] : "", origin: "--set \(setting)")
  }
}

/// A directory for one test, removed at its end.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  func write(_ contents: String, to name: String) throws -> String {
    try write(Array(contents.utf8), to: name)
  }

  func write(_ contents: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    try Data(contents).write(to: URL(filePath: file))
    return file
  }
}

/// The package's directory, derived from this file's path.
let packageDirectory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path

/// The entity of the default suite.
let quake = EntityDescription(
  "Quake",
  attributes: [
    AttributeDescription("code", .string), AttributeDescription("magnitude", .double, isOptional: true),
    AttributeDescription("place", .string, isOptional: true), AttributeDescription("time", .date),
  ], uniquenessConstraints: [["code"]])

/// An entity like it, with attributes that may all be absent.
func optionalEntity(_ attributes: (String, AttributeType)...) -> EntityDescription {
  EntityDescription("Quake", attributes: attributes.map { AttributeDescription($0.0, $0.1, isOptional: true) })
}

extension EntityDescription {
  /// The entity with attributes that may all be absent.
  var allOptional: EntityDescription {
    var entity = self
    for index in entity.attributes.indices { entity.attributes[index].isOptional = true }
    return entity
  }
}

/// An entity with the attributes named, all optional.
func entity(_ attributes: (String, AttributeType)...) -> EntityDescription {
  EntityDescription("Quake", attributes: attributes.map { AttributeDescription($0.0, $0.1, isOptional: true) })
}

/// A column by its attribute's name, read as one type or another.
extension ColumnarRows {
  func column(_ name: String) throws -> Column {
    columns[try #require(attributes.firstIndex { $0.name == name }, "no attribute \(name)")]
  }

  func texts(_ name: String) throws -> [String?] {
    guard case .text(let column) = try column(name) else { throw WrongColumn() }
    return (0..<count).map { column.string(at: $0) }
  }

  func reals(_ name: String) throws -> [Double?] {
    guard case .reals(let column) = try column(name) else { throw WrongColumn() }
    return (0..<count).map { column[$0] }
  }

  func integers(_ name: String) throws -> [Int64?] {
    guard case .integers(let column) = try column(name) else { throw WrongColumn() }
    return (0..<count).map { column[$0] }
  }

  func blobs(_ name: String) throws -> [[UInt8]?] {
    guard case .blobs(let column) = try column(name) else { throw WrongColumn() }
    return (0..<count).map { column[$0].map(Array.init) }
  }

  /// The 64-bit FNV-1a hash of the first rows, value by value: a mark, then the bytes, least significant first.
  func hash(rows: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func combine(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    func combine(_ bits: UInt64?) {
      combine([bits == nil ? 0 : 1])
      if let bits { combine((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }) }
    }
    for row in 0..<min(rows, count) {
      for column in columns {
        switch column {
        case .integers(let column): combine(column[row].map { UInt64(bitPattern: $0) })
        case .reals(let column): combine(column[row].map(\.bitPattern))
        case .text(let column), .blobs(let column):
          combine(column[row].map { UInt64($0.count) })
          combine(column[row].map(Array.init) ?? [])
        }
      }
    }
    return hash
  }
}

struct WrongColumn: Error {}

/// Runs the body on a thread with a stack of 512 KiB, the smallest default of any system, and waits for it.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  let result = Mutex<Result?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    let found = body()
    result.withLock { $0 = found }
    isDone.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  isDone.wait()
  return result.withLock { $0 }
}

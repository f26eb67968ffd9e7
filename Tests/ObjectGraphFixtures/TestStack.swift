// A stack on a temporary store, and plain SQL on its file.
package import Foundation
package import CoreDataModel
package import ObjectGraph
package import SQLiteDriver
internal import Testing

/// A model, a coordinator and a store in their own directory, which is removed with the stack.
///
/// At the end, every store must follow the rules of an object graph, unless the test breaks them itself.
package final class TestStack {
  package let directory: URL
  package let coordinator: PersistentStoreCoordinator
  package let path: String
  /// Whether the store may break rules at the end: the test writes to it without the library, a delete rule is no
  /// action, or a relationship has no inverse.
  package var mayBreakRules: Bool

  package init(
    _ entities: [EntityDescription] = [.quake()],
    pragmas: [PersistentStoreDescription.Pragma] = [], classes: [String: ManagedObject.Type] = [:],
    configure: (inout PersistentStoreDescription) -> Void = { _ in }
  ) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "objectgraph-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appending(path: "store.sqlite").path
    mayBreakRules = entities.contains {
      $0.relationships.contains { $0.deleteRule == .noAction || $0.inverseName == nil }
    }
    coordinator = try PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(entities: entities), classes: classes)
    var description = description(pragmas: pragmas)
    configure(&description)
    try coordinator.addPersistentStore(description)
  }

  deinit {
    if !mayBreakRules { checkIntegrity() }
    try? coordinator.close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Reports broken rules in an open store; unreadable stores are the subject of other tests.
  private func checkIntegrity() {
    for store in coordinator.persistentStores {
      guard let integrity = try? coordinator.integrity(of: store), !integrity.isSound else { continue }
      Issue.record("the store breaks rules in the end: \(integrity.breaches)")
    }
  }

  /// Removes the folder while the store is open, for a process that does not end by itself.
  package func removeFolder() throws { try FileManager.default.removeItem(at: directory) }

  package func description(pragmas: [PersistentStoreDescription.Pragma] = []) -> PersistentStoreDescription {
    var description = PersistentStoreDescription(path: path)
    description.pragmas = pragmas
    return description
  }

  /// A context with the policy, used on its own queue.
  package func context(_ policy: MergePolicy = .error) -> ManagedObjectContext {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    context.performAndWait { context.mergePolicy = policy }
    return context
  }

  /// Every row as text, with columns joined by `|`, read without the library.
  package func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  /// Writes without the library, which may break the rules.
  package func execute(_ sql: String) throws {
    mayBreakRules = true
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }
}

/// The error the body throws, if it is one of the library's.
package func objectGraphError(_ body: () throws -> Void) -> ObjectGraphError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ObjectGraphError
  }
}

/// SQLite's message if it made the body fail, and the operation.
package func storeError(_ body: () throws(ObjectGraphError) -> Void) -> (code: ResultCode, action: String)? {
  do throws(ObjectGraphError) {
    try body()
  } catch {
    if case .store(let error, let action) = error { return (error.code, action) }
  }
  return nil
}

/// The conflicts of rows that made the body fail; none if it succeeded or failed for another reason.
package func conflicts(_ body: () throws(ObjectGraphError) -> Void) -> [MergeConflict] {
  do throws(ObjectGraphError) {
    try body()
  } catch {
    if case .optimisticLocking(let conflicts) = error { return conflicts }
  }
  return []
}

extension EntityDescription {
  /// The earthquakes of the shipped scenario.
  package static func quake(unique: Bool = true) -> EntityDescription {
    EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("code", .string),
        AttributeDescription("magnitude", .double, isOptional: true),
        AttributeDescription("place", .string, isOptional: true),
        AttributeDescription("time", .date),
      ],
      uniquenessConstraints: unique ? [["code"]] : [])
  }
}

/// The typed keys of ``EntityDescription/quake(unique:)``.
package enum Quake {
  package static let code = AttributeKey<String>("code")
  package static let magnitude = AttributeKey<Double>("magnitude")
  package static let place = AttributeKey<String>("place")
  package static let time = AttributeKey<Date>("time")

  package static func row(_ code: String, _ magnitude: Double? = 1, place: String? = "Here") -> [String: AttributeValue]
  {
    var row: [String: AttributeValue] = [
      "code": .string(code), "time": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
    ]
    if let magnitude { row["magnitude"] = .real(magnitude) }
    if let place { row["place"] = .string(place) }
    return row
  }

  @discardableResult
  package static func insert(
    _ code: String?, _ magnitude: Double? = 1, into context: ManagedObjectContext
  ) throws -> ManagedObject {
    let quake = try context.insertNewObject(forEntityName: "Quake")
    quake[Quake.code] = code
    quake[Quake.magnitude] = magnitude
    quake[Quake.time] = Date(timeIntervalSinceReferenceDate: 0.5)
    return quake
  }
}

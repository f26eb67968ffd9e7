// A coordinator with several stores, and plain SQL on their files.
import Foundation
import CoreDataModel
import ObjectGraph
import SQLiteDriver

/// Stores of one model in their own directory, which is removed with this value.
final class SeveralStores {
  let directory: URL
  let coordinator: PersistentStoreCoordinator
  private(set) var stores: [PersistentStore] = []

  /// Books with authors and tags, and unrelated notes.
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Author", attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: [
            RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
          ]),
        EntityDescription(
          "Book",
          attributes: [
            AttributeDescription("code", .string), AttributeDescription("pages", .int32, isOptional: true),
            AttributeDescription("title", .string, isOptional: true),
          ],
          relationships: [
            RelationshipDescription("author", to: "Author", inverse: "books"),
            RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
          ],
          uniquenessConstraints: [["code"]]),
        EntityDescription(
          "Novel", superentity: "Book", attributes: [AttributeDescription("genre", .string, isOptional: true)]),
        EntityDescription("Note", attributes: [AttributeDescription("text", .string, isOptional: true)]),
        EntityDescription(
          "Tag", attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: [RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)]),
      ],
      configurations: ["Library": ["Author", "Novel", "Tag"], "Notes": ["Note"], "Books": ["Book"]])
  }

  init(_ count: Int, configure: (Int, inout PersistentStoreDescription) -> Void = { _, _ in }) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.model())
    for number in 0..<count {
      var description = PersistentStoreDescription(path: path(number))
      configure(number, &description)
      stores.append(try coordinator.addPersistentStore(description))
    }
  }

  deinit {
    try? coordinator.close()
    try? FileManager.default.removeItem(at: directory)
  }

  func path(_ number: Int) -> String { directory.appending(path: "store\(number).sqlite").path }

  func context(_ policy: MergePolicy = .error) -> ManagedObjectContext {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    context.performAndWait { context.mergePolicy = policy }
    return context
  }

  /// Every row of a store as text, with columns joined by `|`, read without the library.
  func rows(_ number: Int, _ sql: String) throws -> [String] {
    let connection = try Connection(path: path(number), access: .readOnly)
    defer { try? connection.close() }
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  /// The codes of a store's books.
  func codes(_ number: Int) throws -> [String] { try rows(number, "SELECT ZCODE FROM ZBOOK ORDER BY Z_PK") }

  /// Inserts books into a given store.
  func insert(_ codes: [String], into number: Int, _ context: ManagedObjectContext) throws {
    var request = BatchInsertRequest(
      entityName: "Book", objects: codes.enumerated().map { ["code": .string($1), "pages": .integer(Int64($0))] })
    request.affectedStores = [stores[number]]
    try context.execute(request)
  }
}

extension ManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: AttributeValue] = [:]) throws -> ManagedObject {
    let object = try insertNewObject(forEntityName: entity)
    for (key, value) in values { object[key] = value }
    return object
  }

  /// The codes of books, in the order of the request.
  func codes(_ request: FetchRequest<ManagedObject>) throws -> [String] {
    try fetch(request).map { $0["code"].text }
  }
}

extension AttributeValue {
  var text: String { if case .string(let text) = self { text } else { "NULL" } }
}

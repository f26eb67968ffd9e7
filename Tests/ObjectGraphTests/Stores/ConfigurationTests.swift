// D9, B10: configurations of the model, the stores of a coordinator, and the contents of each.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("B10 D9 · configurations and the stores of a coordinator", .tags(.b10, .d9))
struct ConfigurationTests {
  @Test("A configuration lists entities, and includes their whole hierarchies")
  func model() throws {
    let model = try SeveralStores.model()
    #expect(model.configurations == ["Books", "Library", "Notes"])
    #expect(model.entities(forConfiguration: "Library")?.map(\.name) == ["Author", "Book", "Novel", "Tag"])
    #expect(model.entities(forConfiguration: "Books")?.map(\.name) == ["Book", "Novel"])
    #expect(model.entities(forConfiguration: "Movies") == nil)
    #expect(model != (try ManagedObjectModel(entities: model.entities)))
    let note = EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
    let error = #expect(throws: ModelError.self) { () throws in
      _ = try ManagedObjectModel(entities: [note], configurations: ["A": ["Nota"], "B": [], "": ["Note"]])
    }
    let description = error.map { "\($0)" } ?? ""
    #expect(error?.problems.count == 3)
    #expect(description.contains("\"A\"") && description.contains("\"Nota\"") && description.contains("Note"))
  }

  @Test("A store has the tables of its configuration, and new objects are stored where their entity is")
  func tables() throws {
    let files = try SeveralStores(2) { number, description in
      description.configuration = number == 0 ? "Library" : "Notes"
    }
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1"
    #expect(
      try files.rows(0, tables)
        == ["ZAUTHOR", "ZBOOK", "ZTAG", "Z_2TAGS", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
    #expect(try files.rows(1, tables) == ["ZNOTE", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
    #expect(try files.rows(1, "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") == ["4|Note"])
    let context = files.context()
    try context.performAndWait { () throws in
      let (book, note) = (try context.make("Novel", ["code": "a"]), try context.make("Note", ["text": "n"]))
      try context.save()
      #expect(book.objectID.persistentStore == files.stores[0])
      #expect(files.coordinator.persistentStore(for: note.objectID) == files.stores[1])
      #expect(try context.count(for: FetchRequest(entityName: "Note")) == 1)
      #expect(try context.fetch(FetchRequest(entityName: "Book")).map(\.objectID) == [book.objectID])
    }
    #expect(try files.rows(1, "SELECT ZTEXT, Z_ENT FROM ZNOTE") == ["n|4"])
  }

  @Test("A predicate that follows a relationship into another store finds nothing there")
  func relationshipsOutOfAStore() throws {
    let files = try SeveralStores(2) { number, description in
      description.configuration = number == 0 ? "Books" : nil
    }
    let context = files.context()
    try context.performAndWait { () throws in
      try context.make("Book", ["code": "a"])
      try context.save()
      for format in ["author.name == 'x'", "ANY tags.name == 'x'", "tags.@count > 0"] {
        let request = FetchRequest(entityName: "Book", predicate: try FetchPredicate(format: format))
        #expect(try context.count(for: request) == 0)
      }
      let none = FetchRequest(entityName: "Book", predicate: try FetchPredicate(format: "author == nil"))
      #expect(try context.codes(none) == ["a"])
      let request = FetchRequest(entityName: "Book", sortDescriptors: [FetchSortDescriptor("author.name")])
      #expect(try context.codes(request) == ["a"])
      #expect(try context.execute(BatchDeleteRequest(fetchRequest: request)) == .statusOnly(true))
      #expect(try context.count(for: request) == 0)
    }
  }
}

extension ConfigurationTests {
  @Test("Stores that the coordinator cannot open are refused by name")
  func refusals() throws {
    let files = try SeveralStores(1)
    var description = PersistentStoreDescription(path: files.path(1))
    description.configuration = "Movies"
    let unknown = objectGraphError { try files.coordinator.addPersistentStore(description) }
    #expect(unknown == .unknownConfiguration(found: "Movies", expected: ["Books", "Library", "Notes"]))
    #expect(!FileManager.default.fileExists(atPath: files.path(1)))
    #expect(
      objectGraphError { try files.coordinator.addPersistentStore(PersistentStoreDescription(path: files.path(0))) }
        == .storeAlreadyOpen(path: files.path(0)))
    try files.coordinator.backUpPersistentStore(to: files.path(2))
    let copy = try Data(contentsOf: URL(filePath: files.path(2)))
    #expect(
      objectGraphError { try files.coordinator.addPersistentStore(PersistentStoreDescription(path: files.path(2))) }
        == .storeIdentifierTaken(path: files.path(2), by: files.path(0)))
    #expect(try Data(contentsOf: URL(filePath: files.path(2))) == copy)
    #expect(files.coordinator.persistentStores == files.stores)
    // The copy belongs to no coordinator, and a file of one configuration is not enough for the whole model.
    try files.coordinator.destroyPersistentStore(at: files.path(2))
    description.configuration = "Notes"
    let notes = try files.coordinator.addPersistentStore(description)
    #expect(notes.configurationName == "Notes" && notes.path == files.path(1) && !notes.isReadOnly)
    try files.coordinator.remove(notes)
    description.configuration = nil
    guard case .incompatibleModel = objectGraphError({ try files.coordinator.addPersistentStore(description) }) else {
      Issue.record("a store of one configuration was opened for all entities")
      return
    }
  }

  @Test("A removed store is no longer read, and its objects have no store")
  func removal() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
      let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).last)
      try files.coordinator.remove(files.stores[1])
      #expect(files.coordinator.persistentStores == [files.stores[0]])
      #expect(try context.codes(FetchRequest(entityName: "Book")) == ["a"])
      book["pages"] = 7
      #expect(objectGraphError { try context.save() } == .foreignObject(book.objectID))
      context.reset()
      #expect(
        objectGraphError { _ = try context.existingObject(with: book.objectID) } == .foreignObject(book.objectID))
      #expect(files.coordinator.persistentStore(for: book.objectID) == nil)
    }
    for error in [
      objectGraphError { try files.coordinator.remove(files.stores[1]) },
      objectGraphError { _ = try files.coordinator.pragma("page_size", of: files.stores[1]) },
      objectGraphError { try files.coordinator.checkpoint(of: files.stores[1]) },
    ] {
      guard case .wrongStore = error else {
        Issue.record("found \(String(describing: error))")
        return
      }
    }
  }

  @Test("Copies, checkpoints and pragmas apply to the given store")
  func control() throws {
    let files = try SeveralStores(2) { number, description in
      description.pragmas = [.init("page_size", number == 0 ? "4096" : "8192")]
    }
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
    }
    let (first, second) = (files.stores[0], files.stores[1])
    #expect(try files.coordinator.pragma("page_size") == "4096")
    #expect(try files.coordinator.pragma("page_size", of: second) == "8192")
    try files.coordinator.checkpoint(.truncate, of: second)
    func logSize(_ number: Int) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: files.path(number) + "-wal")[.size] as? Int
    }
    #expect(try logSize(1) == 0)
    #expect(try logSize(0) ?? 0 > 0)
    try files.coordinator.backUpPersistentStore(to: files.path(7), of: second)
    #expect(try files.codes(7) == ["b"])
    #expect(first.identifier != second.identifier)
  }

  @Test("A container opens several stores, or none of them")
  func container() throws {
    let files = try SeveralStores(0)
    var notes = PersistentStoreDescription(path: files.path(1))
    notes.configuration = "Notes"
    var library = PersistentStoreDescription(path: files.path(0))
    library.configuration = "Library"
    let container = PersistentContainer(managedObjectModel: try SeveralStores.model(), stores: [library, notes])
    #expect(container.persistentStoreDescriptions == [library, notes])
    try container.loadPersistentStores()
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == ["Library", "Notes"])
    try container.persistentStoreCoordinator.close()
    notes.configuration = "Movies"
    let wrong = PersistentContainer(managedObjectModel: try SeveralStores.model(), stores: [library, notes])
    #expect(objectGraphError { try wrong.loadPersistentStores() } != nil)
    #expect(wrong.persistentStoreCoordinator.persistentStores.isEmpty)
  }
}

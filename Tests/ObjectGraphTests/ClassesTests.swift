// D2, D3: entities with custom classes: objects of their class, and fetches that return it.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D2 · classes of entities")
struct ClassesTests {
  class Dog: ManagedObject {
    static let call = AttributeKey<String>("name")
    private(set) var awakenings = 0

    var title: String? {
      get { self[Dog.call] }
      set { self[Dog.call] = newValue }
    }
    func bark() -> String { "\(title ?? "?") barks" }
    override func awakeFromInsert() { awakenings += 1 }
  }

  final class Puppy: Dog {
    override func bark() -> String { "\(title ?? "?") yaps" }
  }

  /// A class without an entity.
  final class Wolf: ManagedObject {}

  private static let classes: [String: ManagedObject.Type] = ["Dog": Dog.self, "Puppy": Puppy.self]

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Dog", attributes: [AttributeDescription("name", .string, isOptional: true)]),
      EntityDescription("Puppy", superentity: "Dog"),
      EntityDescription("Cat", attributes: [AttributeDescription("name", .string, isOptional: true)]),
    ])
  }

  /// A coordinator with its own store, and the stack that owns the file's folder.
  private func scene(
    _ classes: [String: ManagedObject.Type] = ClassesTests.classes
  ) throws -> (TestStack, ManagedObjectContext) {
    let stack = try TestStack()
    let coordinator = try PersistentStoreCoordinator(managedObjectModel: try Self.model(), classes: classes)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: stack.path + "2"))
    return (stack, ManagedObjectContext(coordinator: coordinator))
  }

  private func end(_ scene: (TestStack, ManagedObjectContext)) throws {
    try scene.1.persistentStoreCoordinator.close()
  }

  private func wrongClass(_ body: () throws(ObjectGraphError) -> Void) -> String? {
    do throws(ObjectGraphError) { try body() } catch {
      if case .wrongClass(let found, _) = error { return found }
    }
    return nil
  }

  @Test("Dog(context:) makes a dog, which is saved and read in another context", .tags(.d2))
  func make() throws {
    let scene = try scene()
    let context = scene.1
    let objectID = try context.performAndWait { () throws in
      let dog = try Dog(context: context)
      #expect(dog.awakenings == 1 && dog.isInserted && context.insertedObjects == [dog])
      #expect(dog.managedObjectContext === context && dog.entity.name == "Dog")
      dog.title = "Rex"
      try context.save()
      return dog.objectID
    }
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    try other.performAndWait { () throws in
      let dog = try #require(try other.existingObject(with: objectID) as? Dog)
      #expect(dog.title == "Rex" && dog.awakenings == 0)
    }
    try end(scene)
  }

  @Test("A fetch of dogs returns dogs, however it reads them", .tags(.d3))
  func fetch() throws {
    let scene = try scene()
    let context = scene.1
    try context.performAndWait { () throws in
      try Dog(context: context).title = "Rex"
      try Puppy(context: context).title = "Bit"
      try context.save()
      try Dog(context: context).title = "New"
      func barks(_ change: (inout FetchRequest<Dog>) -> Void = { _ in }) throws -> [String] {
        var request = FetchRequest<Dog>(
          entityName: "Dog", sortDescriptors: [FetchSortDescriptor(Dog.call, ascending: false)])
        change(&request)
        return try context.fetch(request).map { $0.bark() }
      }
      let all = ["Rex barks", "New barks", "Bit yaps"]
      #expect(try barks() == all)
      #expect(try barks { $0.fetchBatchSize = 2 } == all)
      #expect(try barks { $0.includesPropertyValues = false } == all)
      #expect(try barks { $0.fetchLimit = 2 } == Array(all.prefix(2)))
      #expect(try barks { $0.fetchOffset = 2 } == ["Bit yaps"])
      #expect(try barks { $0.includesSubentities = false } == Array(all.prefix(2)))
      #expect(try barks { $0.includesPendingChanges = false } == ["Rex barks", "Bit yaps"])
      #expect(try barks { $0.predicate = Dog.call == "Rex" } == ["Rex barks"])
      let puppies = try context.fetch(FetchRequest<Puppy>(entityName: "Puppy"))
      #expect(puppies.first?.title == "Bit" && puppies.objectIDs.count == 1)
      let request = FetchRequest<Dog>(entityName: "Dog")
      #expect(try context.count(for: request) == 3 && context.fetchObjectIDs(request).count == 3)
      #expect(try context.fetchDictionaries(request).count == 2)
      let child = ManagedObjectContext(parent: context)
      #expect(try child.performAndWait { try child.fetch(request).map { $0.bark() }.sorted() } == all.sorted())
      #expect(try context.execute(BatchDeleteRequest(fetchRequest: request)) == .statusOnly(true))
      #expect(try context.count(for: request) == 1)
    }
    try end(scene)
  }

  @Test("A request without a class returns managed objects of any class", .tags(.d3))
  func untyped() throws {
    let scene = try scene()
    let context = scene.1
    try context.performAndWait { () throws in
      try Puppy(context: context).title = "Bit"
      try context.insertNewObject(forEntityName: "Cat")
      let objects = try context.fetch(FetchRequest(entityName: "Dog"))
      #expect(objects.first is Puppy)
      #expect(try context.fetch(FetchRequest(entityName: "Cat")).map { type(of: $0) == ManagedObject.self } == [true])
      // The type of the results determines the request.
      let dogs: FetchResults<Dog> = try context.fetch(FetchRequest(entityName: "Dog"))
      #expect(dogs.first?.bark() == "Bit yaps")
    }
    try end(scene)
  }

  @Test("An asynchronous fetch returns dogs too", .tags(.d7))
  func asynchronously() async throws {
    let scene = try scene()
    let context = scene.1
    try await context.perform {
      try Dog(context: context).title = "Rex"
      try context.save()
    }
    let barks = try await context.fetch(FetchRequest<Dog>(entityName: "Dog")) { dogs in dogs.map { $0.bark() } }
    #expect(barks == ["Rex barks"])
    let found = await withCheckedContinuation { continuation in
      context.perform(later: {
        let request = AsynchronousFetchRequest(FetchRequest<Dog>(entityName: "Dog")) { result in
          continuation.resume(returning: result.finalResult?.first?.bark())
        }
        do { try context.execute(request) } catch { continuation.resume(returning: "\(error)") }
      })
    }
    #expect(found == "Rex barks")
    let refused = await #expect(throws: ObjectGraphError.self) {
      try await context.fetch(FetchRequest<Wolf>(entityName: "Dog")) { $0.count }
    }
    #expect(refused != nil)
    try end(scene)
  }
}

extension ClassesTests {
  @Test("A misspelled entity among the classes is an error that names the entities", .tags(.d2))
  func misspelled() throws {
    let wrong: [String: ManagedObject.Type] = ["Dog": Dog.self, "Pupy": Puppy.self]
    let expected = ObjectGraphError.unknownEntity(found: "Pupy", expected: ["Cat", "Dog", "Puppy"])
    let model = try Self.model()
    func found(_ body: () throws -> Void) -> ObjectGraphError? {
      guard case .unknownEntity(let name, let names)? = #expect(throws: ObjectGraphError.self, performing: body) else {
        return nil
      }
      return .unknownEntity(found: name, expected: names.sorted())
    }
    #expect(found { _ = try PersistentStoreCoordinator(managedObjectModel: model, classes: wrong) } == expected)
    #expect(found { _ = try PersistentContainer(managedObjectModel: model, stores: [], classes: wrong) } == expected)
    #expect(
      found { _ = try PersistentContainer(name: "Kennel", managedObjectModel: model, classes: wrong) } == expected)
  }

  @Test("A class of no entity, or of two, makes no object, nor does the class of an abstract entity", .tags(.d2))
  func wrongClasses() throws {
    let scene = try scene(["Dog": Dog.self, "Puppy": Dog.self])
    let context = scene.1
    context.performAndWait {
      let wolf = wrongClass { () throws(ObjectGraphError) in _ = try Wolf(context: context) }
      #expect(wolf?.contains("Wolf") == true && wolf?.contains("of no entity") == true)
      let dog = wrongClass { () throws(ObjectGraphError) in _ = try Dog(context: context) }
      #expect(dog?.contains("of Dog and Puppy") == true)
      #expect(wrongClass { () throws(ObjectGraphError) in _ = try ManagedObject(context: context) } != nil)
      #expect(!context.hasChanges)
    }
    try end(scene)
    let model = try ManagedObjectModel(entities: [EntityDescription("Animal", isAbstract: true)])
    let abstract = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(managedObjectModel: model, classes: ["Animal": Dog.self]))
    abstract.performAndWait {
      _ = #expect(throws: ObjectGraphError.abstractEntity("Animal")) { try Dog(context: abstract) }
    }
  }

  @Test("A fetch as a class that some of its objects do not have is refused before anything is read", .tags(.d3))
  func wrongFetches() throws {
    let scene = try scene(["Dog": Dog.self])
    let context = scene.1
    try context.performAndWait { () throws in
      try context.insertNewObject(forEntityName: "Puppy")
      try context.save()
      let puppies = wrongClass { () throws(ObjectGraphError) in
        _ = try context.fetch(FetchRequest<Dog>(entityName: "Dog"))
      }
      #expect(puppies?.contains("objects of the entity Puppy that are of the class ManagedObject") == true)
      #expect(
        wrongClass { () throws(ObjectGraphError) in _ = try context.fetch(FetchRequest<Wolf>(entityName: "Dog")) }
          != nil)
      var request = FetchRequest<Dog>(entityName: "Dog")
      request.includesSubentities = false
      #expect(try context.fetch(request).isEmpty)
    }
    try end(scene)
  }

  @Test("A container accepts classes, stores that are set before they are loaded, and a name", .tags(.d2))
  @MainActor
  func container() throws {
    let stack = try TestStack()
    let container = try PersistentContainer(
      name: "Kennel", managedObjectModel: try Self.model(), classes: Self.classes)
    let standard = PersistentContainer.defaultDirectory()
    #expect(container.persistentStoreDescriptions.map(\.path) == [standard.appending(path: "Kennel.sqlite").path])
    container.persistentStoreDescriptions = [PersistentStoreDescription(path: stack.path + "2")]
    try container.loadPersistentStores()
    let view = container.viewContext
    try Dog(context: view).title = "Rex"
    try view.save()
    #expect(try view.fetch(FetchRequest<Dog>(entityName: "Dog")).map { $0.bark() } == ["Rex barks"])
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.path) == [stack.path + "2"])
    try container.persistentStoreCoordinator.close()
  }
}

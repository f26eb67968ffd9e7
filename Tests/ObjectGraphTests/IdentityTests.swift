// D6, D2: object IDs that outlive a process: as URIs, in JSON; and finding objects by their IDs.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D6 · object IDs as URIs and in files, and registered objects")
struct IdentityTests {
  private func saved(_ stack: TestStack, _ code: String = "a") throws -> ManagedObjectID {
    let context = stack.context()
    return try context.performAndWait { () throws in
      let quake = try Quake.insert(code, into: context)
      try context.save()
      return quake.objectID
    }
  }

  @Test("A URI is converted back to the object ID, in another coordinator with the store too", .tags(.d6))
  func uri() throws {
    let stack = try TestStack()
    let objectID = try saved(stack)
    let uri = objectID.uriRepresentation()
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == objectID)
    let later = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    #expect(later.managedObjectID(forURIRepresentation: uri) == nil, "its store is not open")
    try later.addPersistentStore(stack.description())
    let found = try #require(later.managedObjectID(forURIRepresentation: uri))
    #expect(found.uriRepresentation() == uri && found.entityName == "Quake" && !found.isTemporaryID)
    let context = ManagedObjectContext(coordinator: later)
    try context.performAndWait { () throws in #expect(try context.existingObject(with: found)[Quake.code] == "a") }
    try later.close()
  }

  @Test("A URI of no object in an open store finds nothing", .tags(.d6))
  func foreignURIs() throws {
    let stack = try TestStack([
      .quake(),
      EntityDescription(
        "Base", isAbstract: true, attributes: [AttributeDescription("text", .string, isOptional: true)]),
      EntityDescription("Leaf", superentity: "Base"),
    ])
    let uri = try saved(stack).uriRepresentation()
    let context = stack.context()
    let temporary = try context.performAndWait { try Quake.insert("b", into: context).objectID.uriRepresentation() }
    let uuid = uri.split(separator: "/")[1]
    let wrong = [
      "", "x-coredata", "x-coredata://", uri + "/", uri + "x", String(uri.dropLast()), uri.uppercased(), " " + uri,
      uri.replacing("/p1", with: "/p0"), uri.replacing("/p1", with: "/p-1"), uri.replacing("/p1", with: "/p+1"),
      uri.replacing("/p1", with: "/p01"), uri.replacing("/p1", with: "/t1"), uri.replacing("/p1", with: "/1"),
      uri.replacing("/p1", with: "/p99999999999999999999"), uri.replacing("Quake", with: "Quakes"),
      uri.replacing(uuid, with: UUID().uuidString), uri.replacing("x-coredata", with: "https"), temporary,
      "x-coredata://\(uuid)/Base/p1",
    ]
    for text in wrong { #expect(stack.coordinator.managedObjectID(forURIRepresentation: text) == nil, "\(text)") }
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: "x-coredata://\(uuid)/Leaf/p1") != nil)
  }

  @Test("An object ID is valid only for entities that the store's configuration has", .tags(.d6, .b10))
  func configuration() throws {
    let model = try ManagedObjectModel(
      entities: [
        .quake(), EntityDescription("Note", attributes: [AttributeDescription("text", .string, isOptional: true)]),
      ], configurations: ["quakes": ["Quake"]])
    let stack = try TestStack()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var description = PersistentStoreDescription(path: stack.path + "2")
    description.configuration = "quakes"
    let store = try coordinator.addPersistentStore(description)
    let context = ManagedObjectContext(coordinator: coordinator)
    let uri = try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      try context.save()
      #expect(quake.objectID.persistentStore == store)
      return quake.objectID.uriRepresentation()
    }
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) != nil)
    #expect(coordinator.managedObjectID(forURIRepresentation: uri.replacing("Quake", with: "Note")) == nil)
    try coordinator.close()
  }
}

extension IdentityTests {
  @Test("Object IDs are encoded as JSON and decoded with the coordinator of their store", .tags(.d6))
  func codable() throws {
    struct Bookmark: Codable, Equatable {
      var title: String
      var quakes: [ManagedObjectID]
    }
    let stack = try TestStack()
    let bookmark = Bookmark(title: "mine", quakes: [try saved(stack, "a"), try saved(stack, "b")])
    let data = try JSONEncoder().encode(bookmark)
    let decoder = JSONDecoder()
    decoder.userInfo[.persistentStoreCoordinator] = stack.coordinator
    #expect(try decoder.decode(Bookmark.self, from: data) == bookmark)
    #expect(
      try JSONDecoder().decode([String: [String]].self, from: JSONEncoder().encode(["quakes": bookmark.quakes]))
        == ["quakes": bookmark.quakes.map { $0.uriRepresentation() }])
  }

  @Test(
    "Decoding an object ID without its coordinator or store is an error, and so is encoding a temporary one", .tags(.d6)
  )
  func codingErrors() throws {
    let stack = try TestStack()
    let data = try JSONEncoder().encode([try saved(stack)])
    func complaint(_ decoder: JSONDecoder, _ data: Data) -> String? {
      do {
        _ = try decoder.decode([ManagedObjectID].self, from: data)
        return nil
      } catch DecodingError.dataCorrupted(let context) {
        return context.debugDescription
      } catch { return "\(error)" }
    }
    #expect(complaint(JSONDecoder(), data)?.contains("decoder.userInfo[.persistentStoreCoordinator]") == true)
    let decoder = JSONDecoder()
    decoder.userInfo[.persistentStoreCoordinator] = try TestStack().coordinator
    #expect(complaint(decoder, data)?.contains("expected the URI of an object in one of the open stores") == true)
    decoder.userInfo[.persistentStoreCoordinator] = stack.coordinator
    #expect(complaint(decoder, data) == nil)
    #expect(complaint(decoder, Data(#"["nonsense"]"#.utf8))?.contains("found 'nonsense'") == true)
    let context = stack.context()
    let temporary = try context.performAndWait { try Quake.insert("b", into: context).objectID }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([temporary]) }
  }

  @Test("A registered object is found without reading; one that the context does not have is not found", .tags(.d4))
  func registered() throws {
    let stack = try TestStack()
    let objectID = try saved(stack)
    let (context, other) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      #expect(context.registeredObject(for: objectID) == nil)
      let quake = try context.existingObject(with: objectID)
      #expect(context.registeredObject(for: objectID) === quake)
      let new = try Quake.insert("new", into: context)
      let temporaryID = new.objectID
      #expect(context.registeredObject(for: temporaryID) === new)
      try other.performAndWait { () throws in
        // This context's first new object has the same number.
        try Quake.insert("other", into: other)
        #expect(other.registeredObject(for: temporaryID) == nil)
        #expect(other.registeredObject(for: objectID) == nil)
      }
      try context.delete(new)
      #expect(context.registeredObject(for: temporaryID) == nil)
      try context.delete(quake)
      try context.save()
      #expect(context.registeredObject(for: objectID) == nil)
    }
    let child = ManagedObjectContext(parent: context)
    try child.performAndWait { () throws in
      let new = try Quake.insert("child", into: child)
      let temporaryID = new.objectID
      try child.save()
      try context.performAndWait { () throws in
        let mine = try #require(context.registeredObject(for: temporaryID))
        try context.save()
        #expect(context.registeredObject(for: temporaryID) === mine && !mine.objectID.isTemporaryID)
      }
      #expect(child.registeredObject(for: temporaryID) === new)
    }
  }
}

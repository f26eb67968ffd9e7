// D1: the model is checked as a whole before anything uses it.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 · model")
struct ModelTests {
  @Test("Entities are numbered by name, ignoring case", .tags(.d1))
  func order() throws {
    let attribute = [AttributeDescription("name", .string)]
    let model = try ManagedObjectModel(
      entities: ["zebra", "Apple", "mango"].map { EntityDescription($0, attributes: attribute) })
    #expect(model.entities.map(\.name) == ["Apple", "mango", "zebra"])
    #expect(model.number(of: "mango") == 2)
  }

  @Test("All mistakes in a model are reported at once", .tags(.d1))
  func allProblems() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [
        EntityDescription("9lives", attributes: [AttributeDescription("name", .string)]),
        EntityDescription("Empty", attributes: []),
        EntityDescription(
          "Quake",
          attributes: [
            AttributeDescription("code", .string),
            AttributeDescription("depth", .int16, defaultValue: 40_000),
            AttributeDescription("felt", .boolean, defaultValue: 1),
          ],
          uniquenessConstraints: [["code", "code"], ["cod"], [], ["felt"], ["felt"]]),
        EntityDescription("QUAKE", attributes: [AttributeDescription("name", .string)]),
      ])
    }
    let text = try #require(error).description
    for part in [
      "entity \"9lives\": found the name \"9lives\"; expected ASCII letters",
      "entity Empty: found neither attribute nor relationship; expected at least one",
      "attribute depth: found a default that is the integer 40000; expected an int16",
      "attribute felt: found a default that is the integer 1; expected a boolean",
      "constraint [code, code]: found a property twice", "[cod]: found cod, which is no property",
      "constraint []: found no property", "[felt]: found the constraint again",
      "found the entities Quake and QUAKE; expected names that differ in more than case",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  @Test("A model without entities has stores, which keep metadata and refuse the models of others", .tags(.d1, .d2))
  func empty() throws {
    #expect(try ManagedObjectModel(entities: []) == ManagedObjectModel())
    let stack = try TestStack([])
    #expect(stack.coordinator.managedObjectModel.entities.isEmpty)
    let context = stack.context()
    try context.performAndWait { () throws in
      let store = try #require(stack.coordinator.persistentStores.first)
      try stack.coordinator.setMetadata(["made": "today"], for: store)
      try context.save()
      #expect(throws: ObjectGraphError.unknownEntity(found: "Quake", expected: [])) {
        try context.insertNewObject(forEntityName: "Quake")
      }
    }
    try stack.coordinator.close()
    let again = PersistentStoreCoordinator(managedObjectModel: ManagedObjectModel())
    let store = try again.addPersistentStore(stack.description())
    #expect(try again.metadata(for: store)["made"] == "today")
    try again.close()
    let other = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [.quake()]))
    guard
      case .incompatibleModel(_, let entities) = objectGraphError({ try other.addPersistentStore(stack.description()) })
    else { throw TestFailure("the store of no entity was opened") }
    #expect(entities.map(\.entity) == ["Quake"])
  }

  @Test("Numbers convert if their kind loses nothing, and nothing else converts", .tags(.d1))
  func conversions() {
    #expect(AttributeValue.integer(3).mismatch(with: .double) == nil)
    #expect(AttributeValue.integer(3).mismatch(with: .decimal) == nil)
    #expect(AttributeValue.integer(32_767).mismatch(with: .int16) == nil)
    #expect(AttributeValue.integer(32_768).mismatch(with: .int16) != nil)
    #expect(AttributeValue.integer(Int64(Int32.max) + 1).mismatch(with: .int32) != nil)
    #expect(AttributeValue.real(3).mismatch(with: .int64) != nil)
    #expect(AttributeValue.boolean(true).mismatch(with: .int64) != nil)
    #expect(AttributeValue.real(-1e127).mismatch(with: .decimal) == nil)
    for beyond in [Double.infinity, -.infinity, 1e300, -1e200, .leastNonzeroMagnitude] {
      #expect(
        AttributeValue.real(beyond).mismatch(with: .decimal)
          == "found the floating-point number \(beyond); expected a decimal")
    }
    #expect(AttributeValue.string("3").mismatch(with: .double) != nil)
    #expect(AttributeType.allCases.allSatisfy { AttributeValue.null.mismatch(with: $0) == nil })
  }
}

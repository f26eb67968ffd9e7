// D11: the destination of a to-one relationship without an inverse is preserved when the relationship becomes
// many-to-many.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D11 · one-way relationships that become many-to-many", .tags(.d11))
struct OneWayMigrationTests {
  /// The keys of each object's related objects, as `Entity/key.relationship`, after the migration of a store.
  ///
  /// Before, each object except for the last one has the next one of its destination.
  private func related(
    _ source: [EntityDescription], _ destination: [EntityDescription], removing removed: String? = nil
  ) throws -> [String: [String]] {
    let (old, new) = (try ManagedObjectModel(entities: source), try ManagedObjectModel(entities: destination))
    let folder = try CopiedStore()
    let first = PersistentStoreCoordinator(managedObjectModel: old)
    try first.addPersistentStore(PersistentStoreDescription(path: folder.path))
    let context = ManagedObjectContext(.privateQueue, coordinator: first)
    try context.performAndWait { () throws in
      var objects: [ManagedObject] = []
      for entity in source + source { objects.append(try context.insertNewObject(forEntityName: entity.name)) }
      for (index, object) in objects.enumerated() {
        for relationship in old.relationships(of: source[index % source.count].name) {
          let next = objects[(index + 1)...].first {
            old.entity($0.objectID.entityName, isKindOf: relationship.destinationEntityName)
          }
          try object.setObject(next, forKey: relationship.name)
        }
      }
      try context.save()
      if let removed, let last = objects.last(where: { $0.objectID.entityName == removed }) {
        try context.delete(last)
        try context.save()
      }
    }
    try first.close()
    var description = PersistentStoreDescription(path: folder.path)
    description.sourceModels = [old]
    let second = PersistentStoreCoordinator(managedObjectModel: new)
    try second.addPersistentStore(description)
    defer { try? second.close() }
    #expect(try second.integrity().breaches == [])
    #expect(try MigrationLayout.lines(of: folder.path) == MigrationLayout.fresh(new))
    var related: [String: [String]] = [:]
    for (key, object) in try MigrationContent.read(second) {
      for (name, objects) in object.objects where !objects.isEmpty { related["\(key).\(name)"] = objects }
    }
    return related
  }

  private func entity(
    _ name: String, superentity: String? = nil, _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      name, superentity: superentity, attributes: [.init("of\(name)", .string, isOptional: true)],
      relationships: relationships)
  }

  private func toMany(
    _ name: String, _ destination: String, _ inverse: String, was identifier: String? = nil, isOrdered: Bool = false
  ) -> RelationshipDescription {
    .init(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered, renamingIdentifier: identifier)
  }

  @Test("Pairs are kept whichever end names the join table, ordered or not", arguments: [false, true])
  func pairs(isOrdered: Bool) throws {
    let source = [entity("Person", .init("dog", to: "Dog", inverse: nil)), entity("Dog")]
    let destination = [
      entity("Person", toMany("dogs", "Dog", "persons", was: "dog", isOrdered: isOrdered)),
      entity("Dog", toMany("persons", "Person", "dogs", isOrdered: isOrdered)),
    ]
    let pairs = [
      "Person/1.dogs": ["Dog/1"], "Dog/1.persons": ["Person/1"], "Person/2.dogs": ["Dog/2"],
      "Dog/2.persons": ["Person/2"],
    ]
    #expect(try related(source, destination) == pairs)
    // The other entity comes first by name.
    let cat = [entity("Cat", .init("dog", to: "Dog", inverse: nil)), entity("Dog")]
    let cats = [
      entity("Cat", toMany("dogs", "Dog", "cats", was: "dog", isOrdered: isOrdered)),
      entity("Dog", toMany("cats", "Cat", "dogs", isOrdered: isOrdered)),
    ]
    #expect(
      try related(cat, cats) == [
        "Cat/1.dogs": ["Dog/1"], "Dog/1.cats": ["Cat/1"], "Cat/2.dogs": ["Dog/2"], "Dog/2.cats": ["Cat/2"],
      ])
  }

  @Test("Two relationships that become inverses of each other have the pairs of both")
  func bothEnds() throws {
    let source = [
      entity("Person", .init("dog", to: "Dog", inverse: nil)),
      entity("Dog", .init("person", to: "Person", inverse: nil)),
    ]
    let destination = [
      entity("Person", toMany("dogs", "Dog", "persons", was: "dog")),
      entity("Dog", toMany("persons", "Person", "dogs", was: "person")),
    ]
    // Person 1 had dog 1, which had person 2.
    #expect(
      try related(source, destination) == [
        "Person/1.dogs": ["Dog/1"], "Person/2.dogs": ["Dog/1", "Dog/2"], "Dog/1.persons": ["Person/1", "Person/2"],
        "Dog/2.persons": ["Person/2"],
      ])
  }

  @Test("Objects of one entity keep their links under a new inverse, even if the relationship is its own inverse")
  func selfRelationships() throws {
    let source = [entity("Person", .init("chief", to: "Person", inverse: nil))]
    let destination = [
      entity("Person", toMany("chiefs", "Person", "staff", was: "chief"), toMany("staff", "Person", "chiefs"))
    ]
    #expect(try related(source, destination) == ["Person/1.chiefs": ["Person/2"], "Person/2.staff": ["Person/1"]])
    let friends = [entity("Person", toMany("friends", "Person", "friends", was: "chief"))]
    #expect(try related(source, friends) == ["Person/1.friends": ["Person/2"], "Person/2.friends": ["Person/1"]])
  }

  @Test("A key whose row was deleted, or whose entity is removed, does not become a pair")
  func lostRows() throws {
    let (person, dog) = (entity("Person", .init("dog", to: "Dog", inverse: nil)), entity("Dog"))
    let destination = [
      entity("Person", toMany("dogs", "Dog", "persons", was: "dog")),
      entity("Dog", toMany("persons", "Person", "dogs")),
    ]
    let kept = ["Person/1.dogs": ["Dog/1"], "Dog/1.persons": ["Person/1"]]
    #expect(try related([person, dog], destination, removing: "Dog") == kept)
    // Both persons have puppies.
    #expect(try related([person, entity("Puppy", superentity: "Dog"), dog], destination) == [:])
  }
}

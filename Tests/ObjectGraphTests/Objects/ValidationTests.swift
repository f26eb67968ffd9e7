// D1, D5: validation of single values, and custom errors that a save preserves.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 D5 · checks of values and of objects")
struct ValidationTests {
  private static func entity() -> EntityDescription {
    var entity = EntityDescription.quake()
    entity.attributes[0].validationRules = [.length(minimum: 2, maximum: 4)]
    entity.attributes[1].validationRules = [.range(minimum: nil, maximum: 10)]
    return entity
  }

  @Test("A value is checked without being set: type, presence and rules", .tags(.d1))
  func validateValue() throws {
    let stack = try TestStack([ValidationTests.entity()])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("abc", 1, into: context)
      func codes(_ value: AttributeValue, _ key: String) -> [Int] {
        failures { () throws(ObjectGraphError) in try quake.validateValue(value, forKey: key) }.map(\.errorCode)
      }
      #expect(codes(.null, "code") == [1570] && codes("a", "code") == [1670] && codes("abcde", "code") == [1660])
      #expect(codes("ab", "code") == [] && codes(.null, "magnitude") == [] && codes(11, "magnitude") == [1610])
      #expect(
        throws: ObjectGraphError.wrongType(
          entity: "Quake", key: "magnitude", found: "a string", expected: "a double", row: nil)
      ) { try quake.validateValue("strong", forKey: "magnitude") }
      #expect(throws: ObjectGraphError.self) { try quake.validateValue(1, forKey: "magnitud") }
      #expect(quake[Quake.code] == "abc" && quake[Quake.magnitude] == 1)
      try context.save()
      try quake.validateValue("ab", forKey: "code")
      #expect(!quake.hasChanges)
    }
  }

  @Test("A failure has the value that breaks the rule, or none if it is missing", .tags(.d1))
  func refusedValue() throws {
    let stack = try TestStack([ValidationTests.entity()])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 11, into: context)
      quake["time"] = .null
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.key) == ["time", "code", "magnitude"] && wrong.map(\.errorCode) == [1570, 1670, 1610])
      #expect(wrong.map(\.value) == [nil, "a", 11.0])
      let alone = failures { () throws(ObjectGraphError) in try quake.validateValue("abcde", forKey: "code") }
      #expect(alone.map(\.value) == ["abcde"])
    }
  }
}

extension ValidationTests {
  @Test(
    "Before a deletion is saved, each relationship that denies it is reported with its number of objects", .tags(.d1))
  func validateDeletion() throws {
    let stack = try TestStack([
      EntityDescription(
        "Region",
        relationships: [
          .init("quakes", to: "Shock", inverse: "region", isToMany: true, deleteRule: .deny),
          .init("strongest", to: "Shock", inverse: "record", deleteRule: .deny),
          .init("last", to: "Shock", inverse: "latest", deleteRule: .cascade),
        ]),
      EntityDescription(
        "Shock",
        relationships: [
          .init("region", to: "Region", inverse: "quakes"), .init("record", to: "Region", inverse: "strongest"),
          .init("latest", to: "Region", inverse: "last"),
        ]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let region = try context.insertNewObject(forEntityName: "Region")
      let shocks = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Shock") }
      try region.setObjects(Array(shocks.prefix(2)), forKey: "quakes")
      try region.setObject(shocks[2], forKey: "strongest")
      try region.setObject(shocks[2], forKey: "last")
      try context.save()
      func denied() -> [String] {
        let found = failures { () throws(ObjectGraphError) in try region.validateDeletion() }
        #expect(found.allSatisfy { $0.code == .relationshipDeniedDelete && $0.objectID == region.objectID })
        return found.map { "\($0.key): \($0.found)" }
      }
      // It also checks an object that is not to be deleted, and deletes nothing.
      #expect(denied() == ["strongest: 1 object at its other end", "quakes: 2 objects at its other end"])
      #expect(!context.hasChanges)
      try region.setObject(nil, forKey: "strongest")
      try context.delete(shocks[0])
      #expect(denied() == ["quakes: 1 object at its other end"])
      try shocks[1].setObject(nil, forKey: "region")
      #expect(denied() == [])
      try context.delete(region)
      try context.save()
    }
    #expect(try stack.rows("SELECT (SELECT COUNT(*) FROM ZREGION), (SELECT COUNT(*) FROM ZSHOCK)") == ["0|1"])
  }

  struct Refusal: Error, CustomStringConvertible {
    let description = "not on a Sunday"
  }

  final class Picky: ManagedObject {
    override func validateForInsert() throws {
      try super.validateForInsert()
      switch self[Quake.code] {
      case "ns": throw NSError(domain: "com.example.quakes", code: 42)
      case "swift": throw Refusal()
      case "graph": throw ObjectGraphError.missingObject(objectID)
      default: break
      }
    }
    override func validateForUpdate() throws {}
  }

  private func pickyContext(_ stack: TestStack) throws -> (PersistentStoreCoordinator, ManagedObjectContext) {
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": Picky.self])
    try stack.coordinator.close()
    try coordinator.addPersistentStore(stack.description())
    return (coordinator, ManagedObjectContext(coordinator: coordinator))
  }

  @Test("An error thrown by an object's own check keeps its code and domain through the save", .tags(.d5))
  func ownErrors() throws {
    let stack = try TestStack()
    let (coordinator, context) = try pickyContext(stack)
    try context.performAndWait { () throws in
      for (code, domain, number) in [
        ("ns", "com.example.quakes", 42), ("swift", "ObjectGraphTests.ValidationTests.Refusal", 1),
        ("graph", "NSCocoaErrorDomain", 133_000),
      ] {
        try Quake.insert(code, into: context)
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.domain == domain && error?.code == number)
        guard case .validation(let failures)? = error else { throw try #require(error) }
        #expect(failures.count == 1 && failures[0].cause != nil && failures[0].code == .managedObject)
        if code == "ns" { #expect((failures[0].cause as? NSError)?.code == 42) }
        context.rollback()
      }
      try Quake.insert("ns", into: context)
      try Quake.insert("swift", into: context)
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(error?.code == 1560 && error?.domain == "NSCocoaErrorDomain")
      guard case .validation(let failures)? = error else { throw try #require(error) }
      #expect(failures.map(\.errorCode) == [42, 1])
    }
    try coordinator.close()
  }

  @Test("A class that skips the model's rules still reports a value that could not be set", .tags(.d5))
  func withoutSuper() throws {
    let stack = try TestStack()
    let (coordinator, context) = try pickyContext(stack)
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      quake["magnitude"] = "strong"
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["magnitude"])
      quake[Quake.magnitude] = 2
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["2.0"])
    try coordinator.close()
  }
}

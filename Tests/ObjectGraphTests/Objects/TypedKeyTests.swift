// D1: a typed key with another type than its attribute, or another class than its relationship, is an error.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 · typed keys that do not fit", .tags(.d1))
struct TypedKeyTests {
  private static let every = EntityDescription(
    "Sample",
    attributes: AttributeType.allCases.map { AttributeDescription("a\($0.rawValue)", $0, isOptional: true) })

  /// The attribute types that keys of a type can be used for.
  private func fitting<Value: AttributeConvertible>(_: Value.Type, _ object: ManagedObject) -> Set<AttributeType> {
    Set(
      AttributeType.allCases.filter { type in
        let key = AttributeKey<Value>("a\(type.rawValue)")
        do throws(ObjectGraphError) {
          return try object.value(for: key) == nil
        } catch {
          guard case .wrongType("Sample", key.name, let found, let expected, nil) = error else { return true }
          #expect(found == "a key of the type \(Value.self)" && expected.hasSuffix(type.expectation))
          return false
        }
      })
  }

  @Test("A key fits attributes whose every value its type can represent")
  func fitting() throws {
    let stack = try TestStack([TypedKeyTests.every])
    let context = stack.context()
    try context.performAndWait { () throws in
      let object = try context.insertNewObject(forEntityName: "Sample")
      #expect(fitting(String.self, object) == [.string])
      #expect(fitting(Int.self, object) == [.int16, .int32, .int64])
      #expect(fitting(Int64.self, object) == [.int16, .int32, .int64])
      #expect(fitting(Int32.self, object) == [.int16, .int32])
      #expect(fitting(Int16.self, object) == [.int16])
      #expect(fitting(Bool.self, object) == [.boolean])
      #expect(fitting(Double.self, object) == [.double, .float])
      #expect(fitting(Float.self, object) == [.double, .float])
      #expect(fitting(Decimal.self, object) == [.decimal])
      #expect(fitting(Date.self, object) == [.date])
      #expect(fitting(Data.self, object) == [.binary, .transformable])
      #expect(fitting(UUID.self, object) == [.uuid])
      #expect(fitting(URL.self, object) == [.uri])
      #expect(fitting(Grade.self, object).count == AttributeType.allCases.count)
    }
  }

  /// An application's own type, which only values reveal.
  private enum Grade: String, AttributeConvertible {
    case weak, strong
    var attributeValue: AttributeValue { .string(rawValue) }
    init?(attributeValue: AttributeValue) {
      guard case .string(let text) = attributeValue else { return nil }
      self.init(rawValue: text)
    }
  }

  @Test("Reading or setting through a key that does not fit is reported by the save, until a valid value is set")
  func subscripts() throws {
    let stack = try TestStack()
    let context = stack.context()
    let number = AttributeKey<Int>("magnitude")
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      #expect(quake[number] == nil)
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.key) == ["magnitude"] && wrong.first?.found == "a key of the type Int")
      #expect(wrong.first?.expected == "a key of a type that reads a double")
      quake[Quake.magnitude] = 2
      try context.save()
      quake[number] = 3
      #expect(quake[Quake.magnitude] == 2)
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["magnitude"])
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[AttributeKey<String>("plac")] == nil)
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["plac"])
      #expect(
        throws: ObjectGraphError.unknownAttribute(
          entity: "Quake", key: "plac", expected: ["code", "magnitude", "place", "time"], row: nil)
      ) { _ = try quake.value(for: AttributeKey<String>("plac")) }
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["2.0"])
  }
}

extension TypedKeyTests {
  @Test("A key of an application's own type reads nil for an unknown value, without an error")
  func ownType() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      quake[AttributeKey<Grade>("place")] = .strong
      #expect(quake[Quake.place] == "strong" && quake[AttributeKey<Grade>("place")] == .strong)
      quake[Quake.place] = "middling"
      #expect(quake[AttributeKey<Grade>("place")] == nil)
      try context.save()
    }
  }

  @Test("A wrong key in a batch insert's handler is an error that names the row")
  func batchInsert() throws {
    let stack = try TestStack()
    let context = stack.context()
    let request = BatchInsertRequest(entityName: "Quake") { (quake: ManagedObject) in
      quake[Quake.code] = "a"
      quake[AttributeKey<String>("time")] = "now"
      return false
    }
    context.performAndWait {
      #expect(
        throws: ObjectGraphError.wrongType(
          entity: "Quake", key: "time", found: "a key of the type String",
          expected: "a key of a type that reads a date", row: 1)
      ) { try context.execute(request) }
    }
  }

  final class Artist: ManagedObject {}
  final class Album: ManagedObject {}

  @Test("Relationship keys of no relationship, or of another class, are reported by the save")
  func relationshipKeys() throws {
    let stack = try Library.stack()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Artist": Artist.self, "Album": Album.self])
    try stack.coordinator.close()
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "artist", in: context)
      let album = try Library.make("Album", "album", in: context)
      try artist.addObject(album, forKey: "albums")
      #expect(album[ToOneKey<Artist>("artist")] === artist)
      #expect(artist[ToManyKey<Album>("albums")].count == 1 && artist[ToManyKey<Album>("albums")].first === album)
      try context.save()
      #expect(album[ToOneKey<Album>("artist")] == nil && artist[ToManyKey<Artist>("albums")].isEmpty)
      #expect(artist[ToOneKey<Artist>("boss")] == nil && artist[ToManyKey<Artist>("fans")].isEmpty)
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.key).sorted() == ["albums", "artist", "boss", "fans"])
      #expect(wrong.contains { $0.found.contains("a key of Album for") && $0.found.contains("which is a Artist") })
    }
    try coordinator.close()
  }
}

// D11: history survives a migration: tokens, entities, updated properties and preserved values.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D11 · history after a migration", .tags(.d11))
struct MigrationHistoryTests {
  private static let entities = [
    EntityDescription(
      "Note",
      attributes: [
        .init("code", .string, preservesValueInHistoryOnDeletion: true), .init("mood", .string, isOptional: true),
        .init("size", .int32, isOptional: true, preservesValueInHistoryOnDeletion: true),
      ], relationships: [.init("pad", to: "Pad", inverse: "notes")]),
    EntityDescription("Pad", relationships: [.init("notes", to: "Note", inverse: "pad", isToMany: true)]),
    EntityDescription("Scrap", attributes: [.init("text", .string, isOptional: true)]),
  ]

  /// A change as text, without its object ID's entity number.
  private func changes(_ coordinator: PersistentStoreCoordinator) throws -> [String] {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    return try context.performAndWait { () throws in
      let result = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil))
      return result.changes.map { change in
        let values = (change.tombstone ?? [:]).filter { !$0.value.isNull }.sorted { $0.key < $1.key }.map {
          "\($0.key)=\(text($0.value))"
        }
        return
          "\(change.changeID) \(change.changedObjectID.entityName) \(change.changeType) "
          + "\(change.updatedProperties ?? []) \(values)"
      }
    }
  }

  @Test("Changes keep their entities, properties and values under new numbers and positions, and tokens stay valid")
  func history() throws {
    let folder = try CopiedStore()
    let source = try ManagedObjectModel(entities: Self.entities)
    let first = PersistentStoreCoordinator(managedObjectModel: source)
    var description = PersistentStoreDescription(path: folder.path)
    description.tracksPersistentHistory = true
    try first.addPersistentStore(description)
    let context = ManagedObjectContext(.privateQueue, coordinator: first)
    try context.performAndWait { () throws in
      let note = try context.insertNewObject(forEntityName: "Note")
      try note.setValue("n1", forKey: "code")
      let pad = try context.insertNewObject(forEntityName: "Pad")
      let scrap = try context.insertNewObject(forEntityName: "Scrap")
      try context.save()
      try note.setObject(pad, forKey: "pad")
      try note.setValue(.integer(4), forKey: "size")
      try scrap.setValue("t", forKey: "text")
      try context.save()
      try note.setValue("calm", forKey: "mood")
      try context.save()
      try context.delete(note)
      try context.save()
    }
    let before = try changes(first)
    let token = try #require(try first.currentPersistentHistoryToken())
    try first.close()

    var entities = Self.entities
    entities[0].name = "Zettel"
    entities[0].renamingIdentifier = "Note"
    entities[0].attributes[1].name = "temper"
    entities[0].attributes[1].renamingIdentifier = "mood"
    entities[0].attributes.append(
      .init("area", .string, isOptional: true, preservesValueInHistoryOnDeletion: true))
    entities[1].relationships[0].destinationEntityName = "Zettel"
    entities.remove(at: 2)
    entities.append(EntityDescription("Archive", attributes: [.init("name", .string)]))
    description.sourceModels = [source]
    let second = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: entities))
    try second.addPersistentStore(description)
    defer { try? second.close() }
    let expected = before.filter { !$0.contains("Scrap") }.map {
      $0.replacingOccurrences(of: "Note", with: "Zettel").replacingOccurrences(of: "mood", with: "temper")
    }
    let found = try changes(second)
    #expect(found == expected, "\(found) and \(expected)")
    #expect(expected.count >= 6 && expected.count < before.count)
    #expect(expected.contains { $0.contains("code=n1") && $0.contains("size=4") })
    let later = ManagedObjectContext(.privateQueue, coordinator: second)
    try later.performAndWait { () throws in
      let since = try later.execute(PersistentHistoryChangeRequest.fetchHistory(after: token)).transactions
      #expect(since.count == 1 && since[0].changes?.isEmpty == true)
      #expect(since.first?.author?.hasPrefix("com.apple.coredata.schemamigrator") == true)
      let note = try later.insertNewObject(forEntityName: "Zettel")
      try note.setValue("n2", forKey: "code")
      try later.save()
      #expect(try later.execute(PersistentHistoryChangeRequest.fetchHistory(after: token)).transactions.count == 2)
    }
  }
}

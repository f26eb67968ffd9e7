// D11: the article Models that change; its release in three versions runs here.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D11 · the article Models that change", .tags(.d11))
struct MigrationArticleTests {
  @Test("The article shows the code that the other test runs")
  func articleText() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "NotesModel.swift")
    let code = try String(contentsOf: file, encoding: .utf8).drop { $0 != "\n" }.dropFirst()
    let blocks = try Fixture.swiftBlocks(of: "Sources/ObjectGraph/ObjectGraph.docc/ModelsThatChange.md")
    #expect(blocks.contains(String(code)))
  }

  /// A store that a release of the app has left.
  private func shipped(_ model: ManagedObjectModel, _ notes: [[String: AttributeValue]]) throws -> CopiedStore {
    let folder = try CopiedStore()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: folder.path))
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      for values in notes {
        let note = try context.insertNewObject(forEntityName: "Note")
        for (key, value) in values { try note.setValue(value, forKey: key) }
      }
      try context.save()
    }
    try coordinator.close()
    return folder
  }

  /// The notes in the third release: text, stars, folder.
  private func notes(_ folder: CopiedStore) throws -> [String] {
    let container = try openNotes(path: folder.path)
    #expect(try container.persistentStoreCoordinator.integrity().isSound)
    let context = container.newBackgroundContext()
    let found = try context.performAndWait { () throws in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")).map { note in
        let folder = try note.object(forKey: "folder").map { try text($0.value(forKey: "name")) }
        return try "\(text(note.value(forKey: "body"))) \(text(note.value(forKey: "stars"))) \(folder ?? "none")"
      }.sorted()
    }
    try container.persistentStoreCoordinator.checkpoint()
    try container.persistentStoreCoordinator.close()
    return found
  }

  @Test("Stores of all three releases open in the third, with every note in its place")
  func releases() throws {
    let first = try shipped(NotesModel.first(), [["text": "a"], ["text": "b"]])
    #expect(try notes(first) == ["a 0 none", "b 0 none"])
    let second = try shipped(
      NotesModel.second(),
      [
        ["body": "a", "stars": 2, "folderName": "home"], ["body": "b", "stars": 5],
        ["body": "c", "stars": 1, "folderName": "home"], ["body": "d", "stars": 0, "folderName": "work"],
      ])
    for _ in 0..<2 { #expect(try notes(second) == ["a 2 home", "b 5 none", "c 1 home", "d 0 work"]) }
    #expect(try PlainSQL(second.path).rows("SELECT ZNAME FROM ZFOLDER ORDER BY 1") == ["home", "work"])
    let third = try shipped(NotesModel.third(), [["body": "a", "stars": 3]])
    #expect(try notes(third) == ["a 3 none"])
  }
}

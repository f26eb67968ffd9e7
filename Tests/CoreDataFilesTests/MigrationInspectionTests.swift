// The effects of a migration on a store, tried on a copy: the store itself does not change.
import CoreDataFiles
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import Testing

@Suite("D11 A8 · trial migrations", .tags(.d11, .a8))
struct MigrationInspectionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")

  private static func attribute(_ name: String, _ type: String, _ more: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  /// Writes a version of the model.
  private func model(_ name: String, _ entities: String) throws -> String {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
      \(entities)
      </model>
      """
    let version = folder.appending(path: "App.xcdatamodeld/\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: version.appending(path: "contents"))
    return version.path
  }

  private static let first =
    "<entity name=\"Quake\">" + attribute("code", "String") + attribute("place", "String")
    + attribute("depth", "Double")
    + "</entity><entity name=\"Note\">" + attribute("text", "String") + "</entity>"
  private static let second =
    "<entity name=\"Quake\">" + attribute("code", "String") + attribute("felt", "Integer 32")
    + attribute("deep", "Double", "optional=\"YES\" elementID=\"depth\"") + "</entity><entity name=\"Region\">"
    + attribute("name", "String") + "</entity>"
  private static let third =
    "<entity name=\"Quake\">" + attribute("code", "Integer 64") + attribute("place", "String") + "</entity>"

  /// Three quakes, two of them with a place, and a note.
  private func store(_ model: String) throws -> String {
    let path = folder.appending(path: "App.sqlite").path
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try RecoveredModel(modelFileAt: model).model)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: path))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait {
      for number in 1...3 {
        let quake = try context.insertNewObject(forEntityName: "Quake")
        try quake.setValue(.string("q\(number)"), forKey: "code")
        if number < 3 { try quake.setValue(.string("here"), forKey: "place") }
      }
      try context.insertNewObject(forEntityName: "Note").setValue(.string("a note"), forKey: "text")
      try context.save()
    }
    try coordinator.close()
    return path
  }

  @Test("Changes, losses and costs are shown, and the store stays as it is")
  func migrated() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, new) = (try model("App", Self.first), try model("App 2", Self.second))
    let path = try store(old)
    let before = try Data(contentsOf: URL(filePath: path))
    let inspection = try MigrationInspection(
      of: path, against: RecoveredModel(modelFileAt: new), modelFiles: [folder.appending(path: "App.xcdatamodeld").path]
    )
    #expect(inspection.outcome == .migrated && inspection.problems.isEmpty, "\(inspection.problems)")
    #expect(inspection.changes.count == 3)
    let quake = try #require(inspection.changes.first { $0.entity == "Quake" })
    #expect(quake.objects == 3 && quake.added == ["felt"] && quake.renamed == ["deep": "depth"])
    #expect(quake.lost.map(\.property) == ["place"] && quake.lost.map(\.values) == [2])
    let note = try #require(inspection.changes.first { $0.source == "Note" })
    #expect(note.entity == nil && note.objects == 1)
    #expect(inspection.changes.contains { $0.entity == "Region" && $0.source == nil })
    #expect(inspection.tables.map(\.name) == ["ZQUAKE"] && inspection.tables.map(\.rows) == [3])
    #expect(inspection.tables.map(\.isCopied) == [true])
    #expect(!inspection.statements.isEmpty && (inspection.seconds ?? 0) > 0)
    #expect(inspection.bytesBefore > 0 && (inspection.bytesAfter ?? 0) > 0)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try JSONDecoder().decode(MigrationInspection.self, from: JSONEncoder().encode(inspection)) == inspection)
  }

  @Test("A store that already has the model stays as it is, and one that cannot be migrated gives the reason")
  func others() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, wrong) = (try model("App", Self.first), try model("App 3", Self.third))
    let path = try store(old)
    let same = try MigrationInspection(of: path, against: RecoveredModel(modelFileAt: old))
    #expect(same.outcome == .unchanged && same.seconds == nil && same.statements.isEmpty)
    let refused = try MigrationInspection(of: path, against: RecoveredModel(modelFileAt: wrong), modelFiles: [old])
    #expect(refused.outcome == .refused && refused.problems.first?.hasPrefix("Quake.code: found") == true)
    let unknown = try MigrationInspection(of: path, against: RecoveredModel(modelFileAt: wrong))
    #expect(
      unknown.outcome == .refused && unknown.problems.first?.contains("App.sqlite") == true, "\(unknown.problems)")
  }
}

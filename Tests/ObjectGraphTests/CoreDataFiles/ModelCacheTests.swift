// A8, D10: the model that a store keeps of itself, and the layout of a new store for it.
import ObjectGraph
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel

@Suite(
  "A8 D10 · models out of stores", .tags(.a8, .d10), .enabled(if: SharedStores.exist, "no ../shared/data/stores"))
struct ModelCacheTests {
  private func recovered(_ store: String) throws -> RecoveredModel {
    try RecoveredModel(modelCache: SharedStores.modelCache(store), path: store)
  }

  @Test(
    "Small models are read whole",
    arguments: [
      ("TestModel.sqlite", SampleModels.testModel), ("SampleModel3_V1.sqlite", SampleModels.sampleModel3),
      ("SampleModel_V1.sqlite", SampleModels.sampleModel),
    ])
  func small(store: String, entities: [EntityDescription]) throws {
    let recovered = try recovered(store)
    // One by one, so that a failure names the entity.
    for entity in entities { #expect(recovered.model[entity.name] == entity) }
    #expect(recovered.model == (try ManagedObjectModel(entities: entities)))
    #expect(recovered.origin == .modelCache)
    #expect(recovered.remarks.isEmpty)
  }

  @Test("Inheritance, a derived attribute, validation, counts and a configuration; what has no place is said")
  func books() throws {
    let recovered = try recovered("SampleModel2_V1.sqlite")
    let names = SampleModels.sampleModel2.map(\.name)
    #expect(
      recovered.model
        == (try ManagedObjectModel(
          entities: SampleModels.sampleModel2, configurations: ["SampleConfigurationV1": names.sorted()])))
    #expect(
      recovered.remarks.sorted() == [
        "A validation rule of Book.title is neither a range, a length nor a pattern: it is left out.",
        "Author.favFeedbacks is a fetched property, which has no place in a store: it is left out.",
        "Author.feedbacks is a fetched property, which has no place in a store: it is left out.",
        "The default of Book.cover is not binary data that can be read: there is none here.",
      ])
  }

  /// Own and inherited properties of each entity, as they are in the archives.
  private static let notes: [(store: String, properties: [String: Int], relationships: Int)] = [
    (
      "NoteStore-macOS-12-Monterey.sqlite",
      [
        "ICAccount": 52, "ICAccountData": 26, "ICAttachment": 81, "ICAttachmentLocation": 5,
        "ICAttachmentPreviewImage": 37, "ICCloudState": 5, "ICCloudSyncingObject": 24, "ICDeviceMigrationState": 28,
        "ICFolder": 42, "ICHashtag": 28, "ICInlineAttachment": 32, "ICLegacyTombstone": 28, "ICLocation": 3,
        "ICMedia": 26, "ICNote": 60, "ICNoteContainer": 29, "ICNoteData": 4, "ICServerChangeToken": 5,
      ], 54
    ),
    (
      "NoteStore-macOS-15-Seqoia.sqlite",
      [
        "ICAccount": 61, "ICAccountData": 32, "ICAttachment": 93, "ICAttachmentLocation": 5,
        "ICAttachmentPreviewImage": 41, "ICCloudState": 5, "ICCloudSyncingObject": 27, "ICDeviceMigrationState": 31,
        "ICFolder": 46, "ICHashtag": 31, "ICInlineAttachment": 36, "ICInvitation": 18, "ICLegacyTombstone": 31,
        "ICLocation": 3, "ICMedia": 31, "ICNote": 71, "ICNoteContainer": 33, "ICNoteData": 4, "ICNoteParticipant": 3,
        "ICServerChangeToken": 5,
      ], 78
    ),
  ]

  @Test("Eighteen and twenty entities in four levels", arguments: notes)
  func manyEntities(_ expected: (store: String, properties: [String: Int], relationships: Int)) throws {
    let recovered = try recovered(expected.store)
    let model = recovered.model
    #expect(recovered.remarks.isEmpty)
    var properties: [String: Int] = [:]
    var relationships = 0
    for entity in model.entities {
      relationships += model.relationships(of: entity.name).count
      properties[entity.name] = model.attributes(of: entity.name).count + model.relationships(of: entity.name).count
    }
    #expect(properties == expected.properties)
    #expect(relationships == expected.relationships)
    #expect(model.entities.filter(\.isAbstract).map(\.name) == ["ICNoteContainer", "ICLocation"])
    #expect(model["ICAccount"]?.superentityName == "ICNoteContainer")
    #expect(model["ICNoteContainer"]?.superentityName == "ICCloudSyncingObject")
    #expect(model["ICCloudSyncingObject"]?.uniquenessConstraints == [["identifier"]])
    #expect(
      model["ICCloudSyncingObject"]?.attribute(named: "serverRecordData")
        == AttributeDescription("serverRecordData", .binary, isOptional: true, renamingIdentifier: "cachedRecord"))
    #expect(
      model["ICAccount"]?.attribute(named: "serverSideUpdateTaskFailureCount")
        == AttributeDescription(
          "serverSideUpdateTaskFailureCount", .int16, isOptional: true, defaultValue: 0,
          validationRules: [.range(minimum: 0, maximum: nil)]))
    #expect(
      model["ICAttachment"]?.relationship(named: "subAttachments")
        == RelationshipDescription(
          "subAttachments", to: "ICAttachment", inverse: "parentAttachment", isToMany: true, deleteRule: .cascade))
    #expect(
      model["ICAttachment"]?.relationship(named: "note")
        == RelationshipDescription("note", to: "ICNote", inverse: "attachments", isOptional: false))
  }

  @Test("A default that is a date")
  func dateDefault() throws {
    let model = try recovered("NoteStore-macOS-12-Monterey.sqlite").model
    let defaults = Set(model.entities.flatMap(\.attributes).filter { $0.type == .date }.map(\.defaultValue))
    #expect(defaults == [.null, .date(Date(timeIntervalSinceReferenceDate: -541_232_580))])
  }

  // MARK: - Layouts

  /// Every object of a store's schema, as it is declared, and the entities with their numbers.
  private func schema(_ connection: Connection) throws -> Set<String> {
    defer { try? connection.close() }
    var texts: Set<String> = []
    for sql in [
      "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND type <> 'trigger'",
      "SELECT 'trigger ' || name FROM sqlite_master WHERE type = 'trigger'",
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001",
    ] {
      let statement = try connection.prepare(sql)
      while try statement.step() { texts.insert(statement.string(0) ?? "") }
    }
    return texts
  }

  /// What a store has that a new one for its model has not: the triggers that keep derived attributes.
  ///
  /// They call a function that Core Data alone has. Here such attributes are kept by who writes them.
  private static let derivedAttributeTriggers: Set = [
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE", "trigger Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT",
  ]

  @Test(
    "A new store for a recovered model has the original's tables, columns in order, indexes and entity numbers",
    arguments: [
      ("TestModel.sqlite", false, []), ("SampleModel3_V1.sqlite", false, []), ("SampleModel_V1.sqlite", false, []),
      ("SampleModel2_V1.sqlite", true, derivedAttributeTriggers),
      ("NoteStore-macOS-12-Monterey.sqlite", true, []), ("NoteStore-macOS-15-Seqoia.sqlite", true, []),
    ] as [(String, Bool, Set<String>)])
  func layouts(store: String, tracksHistory: Bool, missing: Set<String>) throws {
    let stack = try TestStack(recovered(store).model.entities) { $0.tracksPersistentHistory = tracksHistory }
    let ours = try schema(Connection(path: stack.path, access: .readOnly))
    let theirs = try schema(SharedStores.connection(store))
    #expect(theirs.subtracting(ours) == missing)
    #expect(ours.subtracting(theirs).isEmpty)
  }

  // MARK: - Errors

  @Test("What is no model cache is said in one sentence")
  func errors() throws {
    func message(_ bytes: [UInt8]) -> String? {
      do {
        _ = try RecoveredModel(modelCache: bytes, path: "App.sqlite")
        return nil
      } catch {
        return error.description
      }
    }
    let start = "App.sqlite: found in the model that the store keeps of itself, "
    let cache = try SharedStores.modelCache("TestModel.sqlite")
    #expect(message([]) == start + "no bytes; expected raw DEFLATE, the compression of a model cache")
    #expect(message(Array(cache.dropLast(9))) == start + "compressed data that ends early; expected all of it")
    #expect(
      message(Array("SQLite format 3".utf8)) == start
        + "bytes of another kind; expected raw DEFLATE, the compression of a model cache")
    #expect(message(cache + [1, 2, 3]) == nil)
  }
}

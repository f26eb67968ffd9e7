// A8, D10: the copy of a model in a store, and the layout of a new store for it.
import MissionTags
import ObjectGraph
import Foundation
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel

@Suite("A8 D10 · models read from stores", .tags(.a8, .d10))
struct ModelCacheTests {
  private func recovered(_ store: SampleStore) throws -> RecoveredModel {
    try RecoveredModel(modelCache: store.modelCache(), path: store.name)
  }

  @Test(
    "Models are read whole, with every kind of property and from every year's archive; unsupported parts are reported",
    arguments: SampleStore.all.filter { $0.hasModelCache && $0.model != nil })
  func models(store: SampleStore) throws {
    let recovered = try recovered(store)
    let entities = try #require(store.model)
    // Compare them one by one, so that a failure names the entity.
    for entity in entities { #expect(recovered.model[entity.name] == entity) }
    #expect(recovered.model == (try ManagedObjectModel(entities: entities, configurations: store.configurations)))
    #expect(recovered.origin == .modelCache)
    #expect(recovered.remarks.sorted() == store.remarks)
  }

  /// Own and inherited properties of each entity, as in the archives.
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

  @Test(
    "Eighteen and twenty of Apple's entities in four levels are read",
    .enabled(if: SampleStore.haveShared, "no ../shared/data/stores"), arguments: notes)
  func manyEntities(_ expected: (store: String, properties: [String: Int], relationships: Int)) throws {
    let store = try #require(SampleStore.all.first { $0.name == expected.store })
    let recovered = try recovered(store)
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
}

extension ModelCacheTests {
  @Test(
    "A default that is a date is read",
    arguments: SampleStore.all.filter { $0.shape == .journal || $0.name == "NoteStore-macOS-12-Monterey.sqlite" })
  func dateDefault(store: SampleStore) throws {
    let model = try recovered(store).model
    let defaults = Set(model.entities.flatMap(\.attributes).filter { $0.type == .date }.map(\.defaultValue))
    #expect(defaults == [.null, .date(Date(timeIntervalSinceReferenceDate: -541_232_580))])
  }

  // MARK: - Layouts

  /// Every object of a store's schema, as declared, and the entities with their numbers.
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

  /// What a store has but a new one for its model lacks: the triggers for derived attributes.
  ///
  /// They call a function that only Core Data has. Here, the writer updates such attributes.
  private static let derivedAttributeTriggers: Set = [
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT",
    "trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE", "trigger Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT",
  ]

  @Test(
    "A new store for a recovered model has the original's tables, columns in order, indexes and entity numbers",
    arguments: SampleStore.all.filter { $0.hasModelCache && $0.isFresh })
  func layouts(store: SampleStore) throws {
    let stack = try TestStack(recovered(store).model.entities) { $0.tracksPersistentHistory = store.history == .new }
    let ours = try schema(Connection(path: stack.path, access: .readOnly))
    var theirs = try schema(store.connection())
    // The tables of the first kind of history can be read but are never made.
    if store.history == .old { theirs = theirs.filter { !$0.contains(" ATRANSACTION ") && !$0.contains(" ACHANGE ") } }
    let missing = store.shape == .library ? ModelCacheTests.derivedAttributeTriggers : []
    #expect(theirs.subtracting(ours) == missing)
    #expect(ours.subtracting(theirs).isEmpty)
  }

  // MARK: - Errors

  @Test("Each fault of a model cache is named in one sentence")
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
    let cache = try SampleStore.own(.authors).modelCache()
    #expect(message([]) == start + "no bytes; expected raw DEFLATE, the compression of a model cache")
    #expect(message(Array(cache.dropLast(9))) == start + "compressed data that ends early; expected all of it")
    #expect(
      message(Array("SQLite format 3".utf8)) == start
        + "bytes of another kind; expected raw DEFLATE, the compression of a model cache")
    #expect(message(cache + [1, 2, 3]) == nil)
  }
}

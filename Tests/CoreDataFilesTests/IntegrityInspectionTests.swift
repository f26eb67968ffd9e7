// D13: checks of stores in files, including those that Core Data wrote: valid, damaged, truncated, or no stores at all.
import CoreDataFiles
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D13 D10 · the check of a file", .tags(.d13, .d10))
struct IntegrityInspectionTests {
  /// The broken rules, without the rows.
  private func breaches(_ inspection: IntegrityInspection) -> [String] {
    (inspection.integrity?.breaches ?? []).map {
      "\($0.count) \($0.rule.rawValue) \($0.entity).\($0.relationship)"
    }
  }

  /// The broken rules in sample stores, by name; the others are valid.
  ///
  /// Core Data left these. Of each pair of a synced object and its state, the object's row has the key of the state.
  /// The state's row has the object's key only in some pairs, and NULL in this column and its companion in the others:
  /// in 16 of 19 states in one file of Notes, and in 28 of 33 in the other. The tests' own journal has eight such
  /// states.
  private static let broken = [
    "journal-2021.sqlite": ["8 both_ends SyncObject.cloudState"],
    "NoteStore-macOS-12-Monterey.sqlite": ["16 both_ends ICCloudSyncingObject.cloudState"],
    "NoteStore-macOS-15-Seqoia.sqlite": ["28 both_ends ICCloudSyncingObject.cloudState"],
  ]

  private func check(_ store: SampleStore) throws {
    let inspection = try IntegrityInspection(of: store.path)
    #expect(breaches(inspection) == Self.broken[store.name, default: []])
    #expect(inspection.damage.isEmpty && inspection.integrity != nil)
    #expect(inspection.isSound == (Self.broken[store.name] == nil))
    #expect(inspection.file == store.name)
    #expect(inspection.model?.origin == (store.hasModelCache ? .modelCache : .schema))
  }

  @Test(
    "The contents of the stores that the tests write are reported exactly", arguments: SampleStore.all.filter(\.isOwn)
  )
  func ownStores(store: SampleStore) throws { try check(store) }

  @Test(
    "The contents of the stores that Core Data wrote are reported exactly",
    .enabled(if: SampleStore.haveShared, "no ../shared/data/stores"),
    arguments: SampleStore.all.filter { !$0.isOwn })
  func sharedStores(store: SampleStore) throws { try check(store) }

  @Test("Broken rules are found under the recovered model, and the file and its log stay as they are")
  func brokenRules() throws {
    let copy = try CopiedStore(.own(.library))
    try copy.dropTriggers()
    #expect(try IntegrityInspection(of: copy.path).isSound)
    try copy.execute("UPDATE ZPAGE SET ZBOOK = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZPAGE)")
    let required = ["1 required_object Page.book"]
    #expect(try breaches(IntegrityInspection(of: copy.path)) == required)

    // The second breach is only in the log of a file that is open.
    try copy.execute("PRAGMA journal_mode = wal")
    let writer = try Connection(path: copy.path, access: .readWrite)
    try writer.execute("UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK = (SELECT min(Z_PK) FROM ZBOOK)")
    let other = try CopiedStore()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: copy.path + suffix, toPath: other.path + suffix)
    }
    try writer.close()
    let files = try other.files()
    #expect(files.count == 2)
    let inspection = try IntegrityInspection(of: other.path)
    #expect(breaches(inspection) == ["1 key_leads_to_row Book.author"] + required)
    #expect(!inspection.isSound && inspection.damage.isEmpty)
    #expect(try other.files() == files)
    let decoded = try JSONDecoder().decode(IntegrityInspection.self, from: JSONEncoder().encode(inspection))
    #expect(decoded == inspection && decoded.schemaVersion == IntegrityInspection.currentSchemaVersion)
  }

  /// Passports with required holders; each belongs to one person.
  private static func passports(to person: String = "Person") -> [EntityDescription] {
    [
      EntityDescription(
        "Passport",
        relationships: [RelationshipDescription("holder", to: person, inverse: "passport", isOptional: false)]),
      EntityDescription(
        person,
        relationships: [RelationshipDescription("passport", to: "Passport", inverse: "holder", isOptional: true)]),
    ]
  }
}

extension IntegrityInspectionTests {
  @Test("With a given model, rules are checked that the tables of this library's stores do not show")
  func givenModel() throws {
    let stack = try TestStack(Self.passports())
    stack.mayBreakRules = true
    let context = stack.context()
    try context.performAndWait { () throws in
      for _ in 0..<3 {
        let passport = try context.insertNewObject(forEntityName: "Passport")
        try passport.setObject(try context.insertNewObject(forEntityName: "Person"), forKey: "holder")
      }
      try context.save()
    }
    let model = RecoveredModel(
      model: try ManagedObjectModel(entities: Self.passports()), origin: .modelFile, remarks: ["A remark."])
    try stack.coordinator.close()
    func inspect(_ model: RecoveredModel?) throws -> IntegrityInspection {
      try IntegrityInspection(of: stack.path, model: model)
    }
    #expect(try inspect(model).isSound)
    let connection = try Connection(path: stack.path, access: .readWrite)
    try connection.execute("UPDATE ZPASSPORT SET ZHOLDER = NULL WHERE Z_PK = 1")
    try connection.close()
    let own = try inspect(nil)
    #expect(own.isSound && own.model?.origin == .schema)
    let inspection = try inspect(model)
    #expect(
      Set(breaches(inspection)) == ["1 required_object Passport.holder", "1 both_ends Person.passport"],
      "\(breaches(inspection))")
    #expect(inspection.model?.origin == .modelFile && inspection.model?.remarks == ["A remark."])
    #expect(inspection.damage.isEmpty && !inspection.isSound)

    // A valid store that does not fulfill the model is not damaged.
    let other = RecoveredModel(
      model: try ManagedObjectModel(entities: Self.passports(to: "Citizen")), origin: .modelFile)
    let error = fileError { _ = try inspect(other) }.map { "\($0)" }
    #expect(error?.contains("no entity Citizen") == true, "\(error ?? "none")")
  }

  @Test("A truncated file, a page of zeros and a missing table are damage, not errors")
  func damage() throws {
    let copy = try CopiedStore(.own(.library))
    let bytes = try Data(contentsOf: URL(filePath: copy.path))
    func inspect(_ bytes: Data) throws -> IntegrityInspection {
      try bytes.write(to: URL(filePath: copy.path))
      return try IntegrityInspection(of: copy.path)
    }
    let cutOff = try inspect(bytes.prefix(bytes.count / 2))
    #expect(cutOff.damage == ["\(bytes.count / 2) bytes of a store of \(bytes.count)"])
    #expect(cutOff.model == nil && cutOff.integrity == nil && !cutOff.isSound)

    let page = try PlainSQL(SampleStore.own(.library).path)
    let size = try page.count("PRAGMA page_size")
    let root = try page.count("SELECT rootpage FROM sqlite_master WHERE name = 'ZPAGE'")
    var holed = bytes
    holed.replaceSubrange((root - 1) * size..<root * size, with: Data(count: size))
    let inspection = try inspect(holed)
    #expect(!inspection.damage.isEmpty && inspection.integrity == nil && !inspection.isSound)

    try bytes.write(to: URL(filePath: copy.path))
    try copy.dropTriggers()
    try copy.execute("DROP TABLE ZPAGE")
    let lacking = try IntegrityInspection(of: copy.path)
    #expect(lacking.damage.count == 1 && lacking.damage[0].contains("it has no entity Page"), "\(lacking.damage)")
    #expect(lacking.model?.origin == .modelCache && lacking.integrity == nil)
  }

  @Test("An index that lacks a row is damage, and the rows are still checked")
  func index() throws {
    let copy = try CopiedStore(.own(.library))
    // The index contains each author's books, but is declared for their prices.
    try copy.execute(
      "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, '(ZAUTHOR)', '(ZPRICE)') "
        + "WHERE type = 'index' AND sql LIKE '%(ZAUTHOR)%'")
    let inspection = try IntegrityInspection(of: copy.path)
    #expect(inspection.damage.contains { $0.contains("missing from index") }, "\(inspection.damage)")
    #expect(inspection.integrity?.isSound == true && !inspection.isSound)
  }

  @Test("A file that is not a store is an error")
  func noStores() throws {
    let folder = try CopiedStore()
    func error() -> String? { fileError { _ = try IntegrityInspection(of: folder.path) }.map { "\($0)" } }
    #expect(error()?.contains("no such file") == true)
    try Data("SQLite format 3\0".utf8).write(to: URL(filePath: folder.path))
    #expect(error()?.contains("no SQLite database") == true)
    try FileManager.default.removeItem(atPath: folder.path)
    let plain = try Connection(path: folder.path)
    try plain.execute("CREATE TABLE t (x)")
    try plain.close()
    #expect(error()?.contains("without these tables") == true)
  }
}

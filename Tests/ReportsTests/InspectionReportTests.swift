// D10: an inspection as a terminal table, Markdown and JSON: complete outputs for stores, without contents of their
// rows.
import Foundation
import CoreDataFiles
import Instruments
import MissionTags
import Reports
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D10 · an inspection written out", .tags(.d10))
struct InspectionReportTests {
  private static let knowsSizes = SQLiteLibrary.compileOptions.contains("ENABLE_DBSTAT_VTAB")

  private func inspect(_ store: SampleStore, withValues: Bool = false) throws -> StoreInspection {
    var inspection = try StoreInspection(of: store.path, withValues: withValues)
    guard store.isOwn else { return inspection }
    // The compressed size of the model depends on this system's zlib.
    inspection.metadata.modelCacheBytes = 4_321
    for index in (inspection.sizes.objects ?? []).indices where inspection.sizes.objects?[index].name == "Z_MODELCACHE"
    {
      inspection.sizes.objects?[index].unusedBytes = 1_234
    }
    return inspection
  }

  private func outputs(_ inspection: StoreInspection) throws -> [String] {
    [
      InspectionReport.lines(inspection), InspectionReport.markdown(inspection),
      try InspectionReport.json(inspection),
    ]
  }

  @Test(
    "Whole outputs of stores with history and triggers", .enabled(if: knowsSizes, "this SQLite has no dbstat"),
    arguments: SampleStore.all(.library))
  func goldenLibrary(store: SampleStore) throws {
    let name = store.isOwn ? "inspect-library" : "inspect-books"
    var library = try inspect(store)
    // The remarks on a model come from another module.
    library.model.remarks = ["One thing is left open.", "And | another."]
    try GoldenTests().check(InspectionReport.lines(library), against: "\(name).txt")
    try GoldenTests().check(InspectionReport.markdown(library), against: "\(name).md")
  }

  @Test(
    "Whole outputs of stores with and without values", .enabled(if: knowsSizes, "this SQLite has no dbstat"),
    arguments: SampleStore.all(.cars))
  func goldenCars(store: SampleStore) throws {
    let name = store.isOwn ? "inspect-own-cars" : "inspect-cars"
    var cars = try inspect(store)
    cars.model.remarks = []
    try GoldenTests().check(InspectionReport.lines(cars), against: "\(name).txt")
    try GoldenTests().check(try InspectionReport.json(cars), against: "\(name).json")
    var values = try inspect(store, withValues: true)
    values.model.remarks = []
    try GoldenTests().check(InspectionReport.lines(values), against: "\(name)-values.txt")
  }

  /// Every text and every number of eight digits or more in the rows of a store's entities.
  private func contents(_ store: SampleStore) throws -> Set<String> {
    let connection = try Connection(path: store.path, access: .immutable)
    let tables = try connection.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z]*' OR name = 'ATRANSACTIONSTRING'")
    var contents: Set<String> = []
    while try tables.step() {
      let rows = try connection.prepare("SELECT * FROM \(tables.string(0) ?? "")")
      while try rows.step() {
        for column in 0..<rows.columnCount {
          switch rows.columnType(column) {
          case .text, .real, .integer: contents.insert(rows.string(column) ?? "")
          case .blob:
            let bytes = rows.bytes(column).map { Array($0) } ?? []
            contents.insert(String(decoding: bytes, as: UTF8.self))
            contents.insert(bytes.map { String(format: "%02X", $0) }.joined())
          case .null: break
          }
        }
      }
    }
    return contents.filter { $0.count >= 8 }
  }

  @Test(
    "No output has a row's content, unless values are requested",
    arguments: SampleStore.all.filter { ![.authors, .users].contains($0.shape) })
  func privacy(store: SampleStore) throws {
    let contents = try contents(store)
    #expect(!contents.isEmpty)
    let outputs = try outputs(try inspect(store))
    try #require(!outputs.isEmpty)
    for output in outputs {
      let found = contents.filter { output.contains($0) }
      #expect(found.isEmpty)
    }
  }

  @Test("The output has some of the rows' content if values are requested", arguments: SampleStore.all(.cars))
  func values(store: SampleStore) throws {
    let contents = try contents(store)
    let outputs = try outputs(try inspect(store, withValues: true))
    try #require(!outputs.isEmpty)
    for output in outputs {
      #expect(contents.contains { output.contains($0) })
    }
  }
}

extension InspectionReportTests {
  @Test("The JSON has entities with name and rows, and says its version", arguments: SampleStore.all)
  func json(store: SampleStore) throws {
    let text = try InspectionReport.json(try inspect(store))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["schemaVersion"] as? Int == StoreInspection.currentSchemaVersion)
    let entities = try #require(object["entities"] as? [[String: Any]])
    #expect(
      entities.map { "\($0["name"] ?? "") \($0["rows"] ?? "")" }
        == store.entities.map {
          "\($0.name) \($0.rows)"
        })
    #expect(try InspectionReport.json(try inspect(store)) == text)
  }

  @Test("A check shows its rules, damage and violations, and no name controls a terminal", .tags(.d13))
  func integrity() throws {
    var sound = try IntegrityInspection(of: SampleStore.own(.cars).path)
    sound.file = "a|b\u{1B}[2J.sqlite"
    #expect(
      InspectionReport.lines(sound)
        == """
        a|b [2J.sqlite

        store    sound
        model    from the model cache
        checked  1 relationship, 63 keys, 0 pairs of many-to-many relationships

        Damage

        None was found.

        Broken rules

        None was found.

        """)
    #expect(InspectionReport.markdown(sound).hasPrefix("# a\\|b [2J.sqlite\n"))

    var damaged = sound
    damaged.damage = ["row 7 missing from index i"]
    damaged.integrity = nil
    damaged.model?.origin = .schema
    damaged.model?.remarks = ["One thing is left open."]
    let lines = InspectionReport.lines(damaged)
    #expect(lines.contains("store        not sound\nmodel        from the tables\nnot checked  required relationships"))
    #expect(lines.contains("Damage\n\n- row 7 missing from index i\n\nBroken rules\n\nThe file is too damaged"))
    #expect(lines.hasSuffix("Remarks\n\n- One thing is left open.\n"))
    #expect(InspectionReport.html(damaged).contains("<li>row 7 missing from index i</li>"))
  }

  @Test("If SQLite has no dbstat, a sentence says so in place of sizes")
  func withoutSizes() throws {
    var inspection = try inspect(.own(.cars))
    inspection.sizes.objects = nil
    for output in [InspectionReport.lines(inspection), InspectionReport.markdown(inspection)] {
      #expect(output.contains("built without the dbstat table"))
    }
  }

  @Test("A log beside the file is reported, and foreign names neither control a terminal nor end a table cell")
  func wordsAndNames() throws {
    var inspection = try inspect(.own(.cars))
    inspection.writeAheadLog = StoreInspection.WriteAheadLog(
      bytes: 8_272, sharedMemoryBytes: nil, pageSize: 4_096, frames: 2, committedFrames: 1)
    inspection.file.name = "a|b\u{1B}[2J.sqlite"
    let lines = InspectionReport.lines(inspection)
    #expect(lines.contains("8.08 KiB, without shared memory: 2 frames of 4,096 bytes, 1 of them committed"))
    #expect(!lines.contains("\u{1B}"))
    #expect(InspectionReport.markdown(inspection).hasPrefix("# a\\|b [2J.sqlite\n"))
  }
}

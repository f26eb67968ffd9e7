// D10: an inspection as a terminal table, Markdown and JSON: whole outputs of real stores, and nothing of their rows.
import Foundation
import CoreDataFiles
import Instruments
import Reports
import SQLiteDriver
import Testing

@Suite("D10 · an inspection written out", .tags(.d10), .enabled(if: stores != nil, "no ../shared/data/stores"))
struct InspectionReportTests {
  private static let knowsSizes = SQLiteLibrary.compileOptions.contains("ENABLE_DBSTAT_VTAB")

  private func inspect(_ name: String, withValues: Bool = false) throws -> StoreInspection {
    try StoreInspection(of: try path(name), withValues: withValues)
  }

  private func path(_ name: String) throws -> String { try #require(stores).appending(path: name).path }

  private func outputs(_ inspection: StoreInspection) throws -> [String] {
    [
      InspectionReport.lines(inspection), InspectionReport.markdown(inspection),
      try InspectionReport.json(inspection),
    ]
  }

  @Test("Whole outputs of two stores", .enabled(if: knowsSizes, "this SQLite has no dbstat"))
  func golden() throws {
    var books = try inspect("SampleModel2_V1.sqlite")
    // What a model leaves open is not this module's to word.
    books.model.remarks = ["One thing is left open.", "And | another."]
    try GoldenTests().check(InspectionReport.lines(books), against: "inspect-books.txt")
    try GoldenTests().check(InspectionReport.markdown(books), against: "inspect-books.md")
    var cars = try inspect("SampleModel_V1.sqlite")
    cars.model.remarks = []
    try GoldenTests().check(InspectionReport.lines(cars), against: "inspect-cars.txt")
    try GoldenTests().check(try InspectionReport.json(cars), against: "inspect-cars.json")
    var values = try inspect("SampleModel_V1.sqlite", withValues: true)
    values.model.remarks = []
    try GoldenTests().check(InspectionReport.lines(values), against: "inspect-cars-values.txt")
  }

  /// Every text and every number of eight digits or more in the rows of a store's entities.
  private func contents(_ name: String) throws -> Set<String> {
    let connection = try Connection(path: try path(name), access: .immutable)
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
    "Nothing of any row is in any output, unless it was asked for",
    arguments: [
      "BookMigration-Model1.sqlite", "NoteStore-macOS-12-Monterey.sqlite", "NoteStore-macOS-15-Seqoia.sqlite",
      "SampleModel2_V1.sqlite", "SampleModel_V1.sqlite",
    ])
  func privacy(name: String) throws {
    let contents = try contents(name)
    #expect(!contents.isEmpty)
    for output in try outputs(try inspect(name)) {
      let found = contents.filter { output.contains($0) }
      #expect(found.isEmpty)
    }
  }

  @Test("With values, some of the rows' content is there")
  func values() throws {
    let contents = try contents("SampleModel_V1.sqlite")
    for output in try outputs(try inspect("SampleModel_V1.sqlite", withValues: true)) {
      #expect(contents.contains { output.contains($0) })
    }
  }

  @Test("The JSON has entities with name and rows, and says its version")
  func json() throws {
    let text = try InspectionReport.json(try inspect("SampleModel2_V1.sqlite"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["schemaVersion"] as? Int == StoreInspection.currentSchemaVersion)
    let entities = try #require(object["entities"] as? [[String: Any]])
    #expect(
      entities.map { "\($0["name"] ?? "") \($0["rows"] ?? "")" } == [
        "Book 51", "GraphicNovel 1", "Feedback 444", "Page 4970", "Writer 0", "Author 2",
      ])
    #expect(try InspectionReport.json(try inspect("SampleModel2_V1.sqlite")) == text)
  }

  @Test("Where SQLite has no dbstat, a sentence says so in place of sizes")
  func withoutSizes() throws {
    var inspection = try inspect("SampleModel_V1.sqlite")
    inspection.sizes.objects = nil
    for output in [InspectionReport.lines(inspection), InspectionReport.markdown(inspection)] {
      #expect(output.contains("built without the dbstat table"))
    }
  }

  @Test("A log beside the file is told of, and foreign names can neither steer a terminal nor end a cell")
  func wordsAndNames() throws {
    var inspection = try inspect("SampleModel_V1.sqlite")
    inspection.writeAheadLog = StoreInspection.WriteAheadLog(
      bytes: 8_272, sharedMemoryBytes: nil, pageSize: 4_096, frames: 2, committedFrames: 1)
    inspection.file.name = "a|b\u{1B}[2J.sqlite"
    let lines = InspectionReport.lines(inspection)
    #expect(lines.contains("8.08 KiB, without shared memory: 2 frames of 4,096 bytes, 1 of them committed"))
    #expect(!lines.contains("\u{1B}"))
    #expect(InspectionReport.markdown(inspection).hasPrefix("# a\\|b [2J.sqlite\n"))
  }
}

/// Stores that Core Data wrote, beside the package; nil where there are none.
private let stores: URL? = {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/stores")
  return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}()

// A1, B11: the contents that a store must have are computed from the rows alone, and read without any engine.
import Foundation
import CoreDataModel
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import BatchmarkEngine
import Testing
import Harness

@Suite("A1 · contents and their hash")
struct ContentsTests {
  private let entity = EntityDescription(
    "Item",
    attributes: [
      AttributeDescription("name", .string), AttributeDescription("size", .double, isOptional: true),
      AttributeDescription("count", .int64, isOptional: true, defaultValue: 7),
    ],
    uniquenessConstraints: [["name"]])

  private func rows(_ rows: [(name: String, size: Double?, count: Int64?)]) -> ColumnarRows {
    var starts = [0]
    var bytes: [UInt8] = []
    for row in rows {
      bytes += Array(row.name.utf8)
      starts.append(bytes.count)
    }
    return ColumnarRows(
      entityName: "Item", attributes: entity.attributes,
      columns: [
        .text(BytesColumn(bytes: bytes, starts: starts, nulls: [])),
        .reals(NumberColumn(rows.map(\.size), placeholder: 0)),
        .integers(NumberColumn(rows.map(\.count), placeholder: 0)),
      ], count: rows.count)
  }

  private func expected(
    _ source: [(name: String, size: Double?, count: Int64?)], _ policy: MergePolicy = .error, repeats: Int = 1
  ) -> ExpectedContents {
    ExpectedContents(of: [ExpectedRows(of: rows(source), entity: entity, policy: policy, repeats: repeats)])
  }

  @Test("The order of rows does not matter, but every value does", .tags(.a1))
  func hash() {
    let base = expected([("a", 1, 1), ("b", 2, 2)])
    #expect(base == expected([("b", 2, 2), ("a", 1, 1)]))
    #expect(base.contentHash.count == 32)
    let others = [
      expected([("a", 1, 1), ("c", 2, 2)]), expected([("a", 1, 1), ("b", 2.5, 2)]),
      expected([("a", 1, 2), ("b", 2, 1)]), expected([("a", 1, 1), ("b", nil, 2)]),
      expected([("a", 1, 1)]), expected([("ab", 1, 1), ("", 2, 2)]), expected([]),
    ]
    #expect(Set(others + [base]).count == others.count + 1)
    #expect(expected([("a", 0, 1)]) == expected([("a", -0.0, 1)]))
    #expect(expected([("a", 1, nil)]) == expected([("a", 1, 7)]), "an absent value is its default")
  }

  @Test("A list with some of the rows is compared with those", .tags(.d12))
  func listed() throws {
    let source: [(name: String, size: Double?, count: Int64?)] = [("a", 1, 1), ("b", 2, 2), ("c", nil, 3)]
    let condition = RowCondition.comparison(attribute: "size", .greater, [.real(1)])
    let right = ExpectedContents(
      of: [ExpectedRows(of: rows(source), entity: entity)], listed: ListDescription(order: "name", condition: condition)
    )
    func observed(_ names: [String]) -> ObservedContents {
      var contents = ObservedContents(of: entity)
      for row in source where names.contains(row.name) {
        contents.add { name in
          switch name {
          case "name": .string(row.name)
          case "size": row.size.map(AttributeValue.real) ?? .null
          default: row.count.map(AttributeValue.integer) ?? .null
          }
        }
      }
      return contents
    }
    #expect(right.rows == 3 && right.listedRows == 1)
    try right.check(observed(["b"]))
    for wrong in [["a"], ["a", "b", "c"], []] {
      #expect(throws: VerificationError.self) { try right.check(observed(wrong)) }
    }
    try expected(source).check(observed(["a", "b", "c"]))
  }

  @Test("Swapping values between rows changes the hash, for any rows", .tags(.a1))
  func swaps() {
    var seed: UInt64 = 11
    func next() -> Int64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(seed >> 40)
    }
    for _ in 0..<200 {
      let (one, two) = (next(), next())
      #expect(
        expected([("a", nil, one), ("b", nil, two)]) != expected([("a", nil, two), ("b", nil, one)]) || one == two)
    }
  }

  @Test("Each policy keeps the right row, also if the source is played twice", .tags(.b11))
  func policies() {
    let source: [(name: String, size: Double?, count: Int64?)] = [("a", 1, 1), ("b", 2, 2), ("a", 3, nil)]
    let laterStays = expected([("a", 3, nil), ("b", 2, 2)])
    let earlierStays = expected([("a", 1, 1), ("b", 2, 2)])
    for repeats in 1...3 {
      for policy in [MergePolicy.mergeByPropertyObjectTrump, .overwrite] {
        let found = expected(source, policy, repeats: repeats)
        #expect(found.contentHash == laterStays.contentHash && found.rows == 2)
        // Each repetition of the source writes a twice and b once.
        #expect(found.versions == [2 * repeats: 1, repeats: 1])
      }
      for policy in [MergePolicy.error, .mergeByPropertyStoreTrump, .rollback] {
        #expect(expected(source, policy, repeats: repeats) == earlierStays)
      }
    }
  }

  @Test("A store is read back with its rows, nulls, versions and hash", .tags(.a1))
  func reading() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "contents-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "store.sqlite").path
    let connection = try Connection(path: path)
    try connection.execute(
      """
      CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, ZSIZE FLOAT, ZNAME VARCHAR);
      INSERT INTO ZITEM VALUES (5, 1, 1, 1, 1.0, 'a'), (2, 1, 3, 7, NULL, 'b');
      """)
    let contents = try StoredContents(reading: connection, entity: entity, links: [])
    #expect(contents.rows == 2 && contents.nulls == ["size": 1] && contents.versions == [1: 1, 3: 1])
    #expect(contents.contentHash == expected([("b", nil, 7), ("a", 1, 1)]).contentHash)
    #expect(contents.databaseBytes == 8_192)
    try connection.close()
  }
}

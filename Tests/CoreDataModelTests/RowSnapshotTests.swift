// D5: the values of a row are preserved, however they are packed in memory.
import CoreDataModel
import Foundation
import MissionTags
import Synchronization
import Testing

@Suite("D5 · rows in memory")
struct RowSnapshotTests {
  private static let values: [AttributeValue] = [
    .null, .integer(.min), .integer(.max), .boolean(true), .boolean(false), .real(-0.0),
    .real(.infinity),
    .decimal(Decimal(string: "12345678901234567890.12345678") ?? 0),
    .date(Date(timeIntervalSinceReferenceDate: 1.5)), .string(""), .string("short"),
    .string(String(repeating: "längere ", count: 9)), .binary(Data()),
    .binary(Data(repeating: 7, count: 100)),
    .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
    .uri(URL(filePath: "/a/longer/path/than/sixteen/bytes")),
    .reference(ObjectReference(key: -7, entityIndex: 3, order: 9)),
  ]

  @Test("Every kind of value is read back unchanged, whatever its neighbors", .tags(.d5))
  func roundTrip() {
    for count in 0...Self.values.count {
      let values = Array(Self.values.prefix(count))
      let row = RowSnapshot(values, version: 3)
      #expect(row.count == count && row.version == 3)
      #expect((0..<count).map { row[$0] } == values)
    }
  }

  @Test("Any value replaces any other, and an earlier copy keeps its own", .tags(.d5))
  func replacing() {
    for old in Self.values {
      for new in Self.values {
        var row = RowSnapshot(["left", old, "right of it, too long for sixteen bytes"], version: 1)
        let before = row
        row[1] = new
        row[1] = new
        #expect(
          (0..<3).map { row[$0] } == ["left", new, "right of it, too long for sixteen bytes"])
        #expect(before[1] == old)
        row.assign(from: before)
        #expect(row[1] == old && before[1] == old)
      }
    }
  }

  @Test(
    "Every version that saves can reach is kept; one beyond them becomes the nearest of these", .tags(.d5))
  func versions() {
    let most: Int64 = 1 << 39 - 1
    let versions: [(Int64, Int64)] = [
      (0, 0), (-1, -1), (most, most), (.max, most), (.min, -most - 1),
    ]
    for (given, kept) in versions {
      var row = RowSnapshot(["a", 2], version: given)
      #expect(row.version == kept)
      row.version = 4
      #expect(row.version == 4 && row.count == 2 && row[0] == "a" && row[1] == 2)
      row.version = given
      #expect(row.version == kept && row.count == 2)
    }
  }

  @Test("The values of a row are freed with it, or when they are replaced", .tags(.d5))
  func memory() {
    final class Count: Sendable {
      let gone = Atomic(0)
    }
    let count = Count()
    func data() -> AttributeValue {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
      bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 64)
      return .binary(
        Data(
          bytesNoCopy: bytes, count: 64,
          deallocator: .custom { pointer, _ in
            pointer.deallocate()
            count.gone.add(1, ordering: .relaxed)
          }
        ))
    }
    do {
      var row = RowSnapshot([data(), data(), .null])
      row[0] = .null
      #expect(count.gone.load(ordering: .relaxed) == 1)
      let copy = row
      row[1] = 5
      #expect(count.gone.load(ordering: .relaxed) == 1)
      row[2] = copy[1]
      row.assign(from: copy)
      #expect(count.gone.load(ordering: .relaxed) == 1)
    }
    #expect(count.gone.load(ordering: .relaxed) == 2)
  }

}

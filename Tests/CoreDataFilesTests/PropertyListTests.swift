// A8, D10: binary property lists and raw DEFLATE, valid and invalid.
import Foundation
import MissionTags
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

@Suite("A8 D10 · property lists", .tags(.a8, .d10))
struct PropertyListTests {
  /// A binary property list of objects, each in its own bytes, with one byte for a reference and two for an offset.
  private func list(_ objects: [[UInt8]], root: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, Int(root), table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return bytes
  }

  @Test("Every kind of value that Foundation writes is read")
  func kinds() throws {
    let date = Date(timeIntervalSinceReferenceDate: -1.5)
    let values: [String: Any] = [
      "true": true, "small": 7, "byte": 200, "short": 40_000, "word": 3_000_000_000, "negative": -1,
      "least": Int64.min, "real": 2.5, "date": date, "data": Data([1, 2, 3]), "text": "text", "wide": "größe €😀",
      "long": String(repeating: "x", count: 70_000), "array": [1, "two", ["three"]], "empty": [String: String](),
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    let long = String(repeating: "x", count: 70_000)
    #expect(
      try PropertyList(binary: [UInt8](data))
        == .dictionary([
          "true": .boolean(true), "small": .integer(7), "byte": .integer(200), "short": .integer(40_000),
          "word": .integer(3_000_000_000), "negative": .integer(-1), "least": .integer(.min), "real": .real(2.5),
          "date": .date(date), "data": .data(Data([1, 2, 3])), "text": .string("text"), "wide": .string("größe €😀"),
          "long": .string(long), "array": .array([.integer(1), .string("two"), .array([.string("three")])]),
          "empty": .dictionary([:]),
        ]))
  }

  @Test("References, nulls, sets, text as UTF-8 and numbers of four and sixteen bytes are read")
  func rareKinds() throws {
    let objects: [[UInt8]] = [
      [0xC7, 1, 2, 3, 4, 5, 6, 7], [0x80, 9], [0x81, 1, 0], [0x00], [0x22, 0x3F, 0x80, 0, 0],
      [0x14] + Array(repeating: 0, count: 15) + [5], [0x14] + Array(repeating: 0xFF, count: 16),
      [0x73, 0xC3, 0xA9, 0x61],
    ]
    #expect(
      try PropertyList(binary: list(objects))
        == .array([.reference(9), .reference(256), .null, .real(1), .integer(5), .integer(-1), .string("éa")]))
  }

  @Test(
    "Lists that contain themselves, repeat themselves, overlap, or have pointers or counts beyond their end are refused",
    arguments: [
      // An array that contains itself; a dictionary that contains itself; two arrays that contain each other.
      [[0xA1, 0]], [[0xD1, 1, 0], [0x51, 0x61]], [[0xA1, 1], [0xA1, 0]],
      // A reference to a missing object, counts without elements, a number as a key, an unknown marker.
      [[0xA1, 9]], [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0xAF, 0x12, 0, 1, 0, 0]],
      [[0xDF, 0x10, 0x80]], [[0x5F, 0x11, 0xFF, 0xFF, 0x61]], [[0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]],
      [[0xAF, 0xA1]], [[0xD1, 1, 1], [0x10, 5]], [[0xF0]], [[0x4F]], [[0x13, 1]], [[0x33]],
    ] as [[[UInt8]]])
  func hostile(objects: [[UInt8]]) {
    #expect(throws: MalformedContent.self) { try PropertyList(binary: list(objects)) }
  }
}

extension PropertyListTests {
  @Test("A list of lists of lists whose size would explode is refused at once")
  func bomb() {
    // Each of 40 arrays contains the next one ten times.
    let objects = (0..<40).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) } + [[0x09]]
    #expect(throws: MalformedContent.self) { try PropertyList(binary: list(objects)) }
    let deep = (0..<200).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]
    #expect(throws: MalformedContent.self) { try PropertyList(binary: list(deep)) }
  }

  @Test("The end of a list is checked: sizes, the number of objects, the position of the table")
  func trailers() throws {
    let good = list([[0x09]])
    #expect(try PropertyList(binary: good) == .boolean(true))
    let trailer = good.count - 32
    for (place, value) in [
      (6, 0), (6, 9), (7, 0), (7, 255), (8, 0xFF), (15, 0), (15, 200), (16, 0x80), (23, 1), (24, 0xFF),
    ] {
      var bad = good
      bad[trailer + place] = UInt8(value)
      #expect(throws: MalformedContent.self, "byte \(place) is \(value)") { try PropertyList(binary: bad) }
    }
    for bytes in [[], Array("bplist00".utf8), Array("<?xml version".utf8), Array(good.dropLast())] {
      #expect(throws: MalformedContent.self) { try PropertyList(binary: bytes) }
    }
  }

  @Test("Raw DEFLATE that grows past the limit is cut off there")
  func limit() throws {
    let bytes = deflated(Array(repeating: 0, count: 100_000))
    #expect(bytes.count < 1_000)
    #expect(try RawDeflate.inflate(bytes, limit: 100_000).count == 100_000)
    for limit in [0, 1, 65_536, 99_999] {
      #expect(
        throws: MalformedContent(
          found: "compressed data with more than \(limit) bytes in it", expected: "at most that")
      ) { try RawDeflate.inflate(bytes, limit: limit) }
    }
  }
}

// Binary property lists with references, which Foundation does not write, for archives that no shared store has.
import Foundation

@testable import CoreDataModel
@testable import ObjectGraph

/// Writes every value as an object of its own, with four bytes for a reference and an offset.
struct PropertyListWriter {
  private var objects: [[UInt8]] = []

  static func bytes(_ list: PropertyList) -> [UInt8] {
    var writer = PropertyListWriter()
    let root = writer.add(list)
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in writer.objects {
      offsets += number(bytes.count, 4)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + number(writer.objects.count, 8) + number(root, 8)
      + number(table, 8)
  }

  private mutating func add(_ value: PropertyList) -> Int {
    let object: [UInt8] =
      switch value {
      case .null: [0x00]
      case .boolean(let flag): [flag ? 0x09 : 0x08]
      case .integer(let number): [0x13] + PropertyListWriter.number(Int(number), 8)
      case .real(let number): [0x23] + PropertyListWriter.number(Int(bitPattern: UInt(number.bitPattern)), 8)
      case .date(let date):
        [0x33]
          + PropertyListWriter.number(Int(bitPattern: UInt(date.timeIntervalSinceReferenceDate.bitPattern)), 8)
      case .data(let data): PropertyListWriter.marker(0x40, data.count) + data
      case .string(let text): PropertyListWriter.marker(0x70, text.utf8.count) + Array(text.utf8)
      case .reference(let index): [0x83] + PropertyListWriter.number(index, 4)
      case .array(let elements):
        PropertyListWriter.marker(0xA0, elements.count) + references(elements)
      case .dictionary(let entries):
        PropertyListWriter.marker(0xD0, entries.count)
          + references(entries.keys.sorted().map { .string($0) })
          + references(entries.keys.sorted().map { entries[$0] ?? .null })
      }
    objects.append(object)
    return objects.count - 1
  }

  private mutating func references(_ values: [PropertyList]) -> [UInt8] {
    values.flatMap { PropertyListWriter.number(add($0), 4) }
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] { [kind | 0x0F, 0x12] + number(count, 4) }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// An archive put together object by object.
struct ArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [[String]: PropertyList] = [:]

  mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .reference(objects.count - 1)
  }

  /// An object of a class, named with those it inherits from.
  mutating func add(_ classNames: [String], _ values: [String: PropertyList]) -> PropertyList {
    let type =
      classes[classNames]
      ?? add(
        .dictionary([
          "$classname": .string(classNames[0]), "$classes": .array(classNames.map { .string($0) }),
        ]))
    classes[classNames] = type
    return add(.dictionary(values.merging(["$class": type]) { $1 }))
  }

  /// An object that takes its place later, so that others can lead to it before.
  mutating func reserve() -> PropertyList { add(.dictionary([:])) }

  mutating func fill(_ place: PropertyList, with value: PropertyList) {
    if let index = place.reference, let other = value.reference { objects[index] = objects[other] }
  }

  mutating func array(_ elements: [PropertyList]) -> PropertyList {
    add(["NSArray", "NSObject"], ["NS.objects": .array(elements)])
  }

  mutating func dictionary(_ entries: [(String, PropertyList)]) -> PropertyList {
    let keys = entries.map { add(.string($0.0)) }
    return add(["NSDictionary", "NSObject"], ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))])
  }

  func bytes(root: PropertyList) -> [UInt8] {
    PropertyListWriter.bytes(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
        "$top": .dictionary(["root": root]),
      ]))
  }
}

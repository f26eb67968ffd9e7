// Writes binary property lists as Core Data does, including references, which Foundation cannot write.
package import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes each different value once, with references and offsets as short as the list permits.
package struct PropertyListWriter {
  private enum Object {
    case value([UInt8])
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var places: [PropertyList: Int] = [:]

  package static func bytes(_ list: PropertyList) -> [UInt8] {
    var writer = PropertyListWriter()
    let root = writer.add(list)
    let referenceSize = size(of: writer.objects.count)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in writer.objects {
      offsets.append(bytes.count)
      bytes += encoded(object, referenceSize)
    }
    let table = bytes.count
    let offsetSize = size(of: table)
    bytes += offsets.flatMap { number($0, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    return bytes + number(writer.objects.count, 8) + number(root, 8) + number(table, 8)
  }

  private mutating func add(_ value: PropertyList) -> Int {
    let object: Object
    switch value {
    case .array(let elements): object = .array(elements.map { add($0) })
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key < $1.key }
      object = .dictionary(keys: sorted.map { add(.string($0.key)) }, values: sorted.map { add($0.value) })
    default:
      if let place = places[value] { return place }
      places[value] = objects.count
      object = .value(PropertyListWriter.encoded(value))
    }
    objects.append(object)
    return objects.count - 1
  }

  private static func encoded(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .boolean(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let number): return integer(Int(number))
    case .real(let number): return [0x23] + bits(of: number)
    case .date(let date): return [0x33] + bits(of: date.timeIntervalSinceReferenceDate)
    case .data(let data): return marker(0x40, data.count) + data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) { return marker(0x50, text.utf8.count) + Array(text.utf8) }
      return marker(0x60, text.utf16.count) + text.utf16.flatMap { number(Int($0), 2) }
    case .reference(let index):
      let size = size(of: index)
      return [0x80 | UInt8(size - 1)] + number(index, size)
    // Containers are written once all references are known.
    case .null, .array, .dictionary: return [0x00]
    }
  }

  private static func encoded(_ object: Object, _ size: Int) -> [UInt8] {
    switch object {
    case .value(let bytes): bytes
    case .array(let elements): marker(0xA0, elements.count) + elements.flatMap { number($0, size) }
    case .dictionary(let keys, let values): marker(0xD0, keys.count) + (keys + values).flatMap { number($0, size) }
    }
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(count)
  }

  private static func integer(_ value: Int) -> [UInt8] {
    let size = value < 0 ? 8 : self.size(of: value)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + number(value, size)
  }

  private static func bits(of value: Double) -> [UInt8] { number(Int(bitPattern: UInt(value.bitPattern)), 8) }

  private static func size(of number: Int) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

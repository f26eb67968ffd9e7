// Reads binary property lists, version 00, which store metadata and keyed archives use, including UIDs.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PropertyList {
  /// Reads a binary property list.
  ///
  /// Time and memory are linear in the number of bytes. The reader refuses objects that overlap, repeat so often that
  /// the result would be larger than the bytes allow, are nested too deeply, or contain themselves.
  /// - Throws: ``MalformedContent`` if the bytes are not a binary property list or contradict themselves.
  package init(binary bytes: [UInt8]) throws(MalformedContent) {
    var reader = try BinaryPropertyListReader(bytes)
    self = try reader.root()
  }
}

/// Reads objects by their index in the offset table at the end.
private struct BinaryPropertyListReader {
  private static let trailerSize = 32
  private static let deepest = 64

  private let bytes: [UInt8]
  /// Where the offsets start, which is where the objects end.
  private let offsetTable: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let rootIndex: Int
  /// Values without children that were already read; most are referenced many times.
  private var scalars: [Int: PropertyList] = [:]
  /// How many more references may be followed.
  ///
  /// Each takes at least a byte in its container, so a list without repetition has fewer references than bytes.
  private var valuesLeft: Int
  /// How many more bytes of text and data may be read.
  ///
  /// Without overlaps, they add up to less than the file.
  private var contentLeft: Int

  init(_ bytes: [UInt8]) throws(MalformedContent) {
    guard bytes.starts(with: "bplist0".utf8) else {
      throw MalformedContent(
        found: bytes.isEmpty ? "no bytes" : "bytes of another kind", expected: "a binary property list")
    }
    let trailer = bytes.count - BinaryPropertyListReader.trailerSize
    guard trailer >= 8 else {
      throw MalformedContent(found: "a binary property list of \(bytes.count) bytes", expected: "all of it")
    }
    self.bytes = bytes
    valuesLeft = bytes.count
    contentLeft = bytes.count
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let count = BinaryPropertyListReader.number(bytes, trailer + 8, 8)
    let root = BinaryPropertyListReader.number(bytes, trailer + 16, 8)
    let table = BinaryPropertyListReader.number(bytes, trailer + 24, 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= 8, table <= UInt64(trailer),
      count > root, count <= (UInt64(trailer) - table) / UInt64(offsetSize)
    else {
      throw MalformedContent(
        found: "a binary property list whose end does not fit it", expected: "a table of offsets in front of the end")
    }
    (objectCount, rootIndex, offsetTable) = (Int(count), Int(root), Int(table))
  }

  mutating func root() throws(MalformedContent) -> PropertyList { try object(rootIndex, depth: 0) }

  // MARK: - Objects

  private mutating func object(_ index: Int, depth: Int) throws(MalformedContent) -> PropertyList {
    guard depth <= BinaryPropertyListReader.deepest else {
      throw MalformedContent(
        found: "a property list that is too deep", expected: "at most \(BinaryPropertyListReader.deepest) levels")
    }
    if let scalar = scalars[index] { return scalar }
    guard index < objectCount else { throw outOfOrder("the object \(index) of \(objectCount)") }
    let offset = BinaryPropertyListReader.number(bytes, offsetTable + index * offsetSize, offsetSize)
    guard offset >= 8, offset < UInt64(offsetTable) else { throw outOfOrder("an object at \(offset)") }
    var position = Int(offset) + 1
    let marker = bytes[Int(offset)]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0xA, 0xB, 0xC:
      let count = try count(low, &position)
      return .array(try values(references(count, at: position), depth: depth))
    case 0xD:
      let count = try count(low, &position)
      let keys = try values(references(count, at: position), depth: depth)
      // Cannot overflow, because the keys fit.
      let values = try values(references(count, at: position + count * referenceSize), depth: depth)
      return .dictionary(try dictionary(keys, values))
    default:
      let scalar = try scalar(marker, low, position)
      scalars[index] = scalar
      return scalar
    }
  }

  private mutating func values(_ references: [Int], depth: Int) throws(MalformedContent) -> [PropertyList] {
    var values: [PropertyList] = []
    values.reserveCapacity(references.count)
    for reference in references { values.append(try object(reference, depth: depth + 1)) }
    return values
  }

  private func dictionary(
    _ keys: [PropertyList], _ values: [PropertyList]
  ) throws(MalformedContent) -> [String: PropertyList] {
    var entries = [String: PropertyList](minimumCapacity: keys.count)
    for (key, value) in zip(keys, values) {
      guard let text = key.string else {
        throw MalformedContent(found: "\(key.kind) as a dictionary's key", expected: "a string")
      }
      entries[text] = value
    }
    return entries
  }

  private mutating func scalar(_ marker: UInt8, _ low: Int, _ start: Int) throws(MalformedContent) -> PropertyList {
    var position = start
    switch marker {
    case 0x00: return .null
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14: return try integer(1 << low, at: position)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4, at: position)))))
    case 0x23: return .real(Double(bitPattern: try number(8, at: position)))
    case 0x33:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try number(8, at: position))))
    case 0x40...0x4F:
      let count = try count(low, &position)
      return .data(Data(try content(count, at: position)))
    case 0x50...0x5F, 0x70...0x7F:
      let count = try count(low, &position)
      return .string(String(decoding: try content(count, at: position), as: UTF8.self))
    case 0x60...0x6F:
      let count = try count(low, &position)
      guard count <= bytes.count / 2 else { throw outOfOrder("text of \(count) characters") }
      let text = try content(count * 2, at: position)
      let units = (0..<count).map { unit in
        UInt16(text[text.startIndex + unit * 2]) << 8 | UInt16(text[text.startIndex + unit * 2 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0x80...0x87:
      guard let index = Int(exactly: try number(low + 1, at: position)) else { throw outOfOrder("a reference") }
      return .reference(index)
    default:
      throw MalformedContent(
        found: "an object with the marker 0x\(String(marker, radix: 16))",
        expected: "one of a property list's kinds")
    }
  }

  /// Numbers of up to four bytes are unsigned; one of sixteen bytes holds an unsigned 64-bit value.
  private func integer(_ size: Int, at position: Int) throws(MalformedContent) -> PropertyList {
    if size < 16 { return .integer(Int64(bitPattern: try number(size, at: position))) }
    let (high, low) = (try number(8, at: position), try number(8, at: position + 8))
    if high == 0, let value = Int64(exactly: low) { return .integer(value) }
    if high == .max, Int64(bitPattern: low) < 0 { return .integer(Int64(bitPattern: low)) }
    return .real(Double(Int64(bitPattern: high)) * 0x1p64 + Double(low))
  }

  // MARK: - Bytes

  /// The number of an object's bytes or elements: in its marker, or in an integer after it.
  private func count(_ low: Int, _ position: inout Int) throws(MalformedContent) -> Int {
    if low < 0x0F { return low }
    let marker = try number(1, at: position)
    guard (0x10...0x13).contains(marker) else { throw outOfOrder("a count with the marker \(marker)") }
    let size = 1 << Int(marker & 0x0F)
    guard let count = Int(exactly: try number(size, at: position + 1)), count <= bytes.count else {
      throw outOfOrder("a count that is larger than the whole")
    }
    position += 1 + size
    return count
  }

  private mutating func references(_ count: Int, at position: Int) throws(MalformedContent) -> [Int] {
    // Cannot overflow: the count is at most the number of bytes, and a reference has at most eight bytes.
    guard count * referenceSize <= offsetTable - position else { throw outOfOrder("an object with \(count) elements") }
    valuesLeft -= count
    guard valuesLeft >= 0 else {
      throw MalformedContent(found: "a property list that repeats itself", expected: "each array and dictionary once")
    }
    // Clamp the index: one that does not fit into an integer refers to no object anyway.
    return (0..<count).map { element in
      Int(clamping: BinaryPropertyListReader.number(bytes, position + element * referenceSize, referenceSize))
    }
  }

  private mutating func content(_ count: Int, at position: Int) throws(MalformedContent) -> ArraySlice<UInt8> {
    contentLeft -= count
    guard count <= offsetTable - position, contentLeft >= 0 else { throw outOfOrder("an object of \(count) bytes") }
    return bytes[position..<position + count]
  }

  private func number(_ size: Int, at position: Int) throws(MalformedContent) -> UInt64 {
    guard size <= offsetTable - position else { throw outOfOrder("a number of \(size) bytes at \(position)") }
    return BinaryPropertyListReader.number(bytes, position, size)
  }

  /// A big-endian number at a position that is known to be in range.
  private static func number(_ bytes: [UInt8], _ position: Int, _ size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in position..<position + size { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  private func outOfOrder(_ what: String) -> MalformedContent {
    MalformedContent(found: "a binary property list with \(what)", expected: "objects inside it")
  }
}

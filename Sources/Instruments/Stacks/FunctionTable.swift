// The functions in a code file, from its ELF symbol table (System V ABI, chapter 4).
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The functions of an ELF file by address.
final class FunctionTable {
  private struct Function {
    let start: UInt64
    let size: UInt64
    let nameOffset: Int
  }

  private let bytes: UnsafeRawBufferPointer
  private var functions: [Function] = []
  private var strings = 0..<0
  /// Whether addresses in the file are relative to where it is loaded.
  private var isRelative = true

  /// Reads a file; `nil` if it cannot be read, is not a 64-bit ELF file or names no functions.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 64,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
    isRelative = number(at: 16, as: UInt16.self) == 3
    // Read all functions or, in a stripped file, the exported ones.
    guard read(sectionsOfType: 2) || read(sectionsOfType: 11) else { return nil }
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  /// The function that contains an address of the process; `nil` if the file has none there.
  func name(at address: UInt, imageBase: UInt) -> String? {
    let place = UInt64(isRelative ? address &- imageBase : address)
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    guard low > 0, place - functions[low - 1].start < functions[low - 1].size else { return nil }
    let end = bytes[functions[low - 1].nameOffset..<strings.upperBound].firstIndex(of: 0) ?? strings.upperBound
    return String(decoding: bytes[functions[low - 1].nameOffset..<end], as: UTF8.self)
  }

  /// Reads the functions in symbol tables of a type; false if there are none.
  private func read(sectionsOfType type: UInt32) -> Bool {
    guard let headers = number(at: 40, as: UInt64.self).flatMap({ Int(exactly: $0) }),
      let size = number(at: 58, as: UInt16.self).map({ Int($0) }),
      let count = number(at: 60, as: UInt16.self).map({ Int($0) })
    else { return false }
    for index in 0..<count {
      let header = headers + index * size
      guard number(at: header + 4, as: UInt32.self) == type, let symbols = range(ofSection: header),
        let link = number(at: header + 40, as: UInt32.self),
        let names = range(ofSection: headers + Int(link) * size)
      else { continue }
      strings = names
      for symbol in stride(from: symbols.lowerBound, to: symbols.upperBound - 23, by: 24) {
        guard let name = number(at: symbol, as: UInt32.self), let info = number(at: symbol + 4, as: UInt8.self),
          let start = number(at: symbol + 8, as: UInt64.self), let length = number(at: symbol + 16, as: UInt64.self),
          info & 0xF == 2, length > 0, names.contains(names.lowerBound + Int(name))
        else { continue }
        functions.append(Function(start: start, size: length, nameOffset: names.lowerBound + Int(name)))
      }
    }
    functions.sort { $0.start < $1.start }
    return !functions.isEmpty
  }

  /// The byte range of a section in the file.
  private func range(ofSection header: Int) -> Range<Int>? {
    guard let offset = number(at: header + 24, as: UInt64.self).flatMap({ Int(exactly: $0) }),
      let size = number(at: header + 32, as: UInt64.self).flatMap({ Int(exactly: $0) }),
      offset >= 0, size >= 0, offset <= bytes.count, size <= bytes.count - offset
    else { return nil }
    return offset..<offset + size
  }

  /// A number at an offset of the file; `nil` beyond its end.
  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }
}

// Whole files, with the system's own reason where one cannot be read.
package import SystemPackage

/// Reads a whole file.
package func readBytes(ofFile path: String) throws(Errno) -> [UInt8] {
  do {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      var bytes: [UInt8] = []
      // At most a gigabyte ahead of time: a sparse file may claim more than there is memory.
      bytes.reserveCapacity(min(Int((try? file.stat())?.size ?? 0), 1 << 30))
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try block.withUnsafeMutableBytes { try file.read(into: $0) }
        if count == 0 { return bytes }
        bytes.append(contentsOf: block[..<count])
      }
    }
  } catch {
    throw error as? Errno ?? .ioError
  }
}

extension Errno {
  /// The system's words, as they stand within a sentence: `no such file or directory`.
  var reason: String { description.prefix(1).lowercased() + description.dropFirst() }
}

/// The offset of the first byte that is not part of valid UTF-8; the count when there is none.
func firstInvalidUTF8(in bytes: [UInt8]) -> Int {
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var offset = 0
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let scalar): offset += scalar.count
    case .error, .emptyInput: return offset
    }
  }
}

// What is said of bytes and of the system's errors in the words of this module.
import SystemPackage

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

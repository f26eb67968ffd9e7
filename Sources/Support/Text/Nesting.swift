// Measures how deep JSON and XML are nested, without recursion. Parsers recurse at each level, and a thread's stack is
// limited.

/// Depths that fit on every thread's stack.
package enum Nesting {
  /// The deepest JSON and XML to read.
  package static let deepest = 256

  /// What was found in deeper values, as a noun phrase for an error message.
  package static let found = "values nested more than \(deepest) deep"
  package static let expected = "at most \(deepest) levels"

  /// Why the JSON cannot be read, as a noun phrase; `nil` if it can.
  ///
  /// O(bytes). The reason is that objects and arrays are nested deeper than ``deepest``, or that the text is not UTF-8,
  /// so that its depth is unknown.
  package static func obstacle(json bytes: UnsafeRawBufferPointer) -> String? {
    var depth = 0
    var isText = false
    var isEscaped = false
    for byte in bytes {
      // JSON in UTF-8 never has such a byte.
      if byte == 0 { return "binary data" }
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > deepest { return found }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return nil
  }

  /// Whether elements are nested deeper than ``deepest``; O(bytes).
  package static func isTooDeep(xml bytes: [UInt8]) -> Bool {
    var scanner = MarkupScanner(bytes: bytes)
    while let change = scanner.nextTag() {
      scanner.depth += change
      if scanner.depth > deepest { return true }
    }
    return false
  }
}

/// Moves from tag to tag.
private struct MarkupScanner {
  let bytes: [UInt8]
  var depth = 0
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// How the next tag changes the depth; `nil` at the end.
  mutating func nextTag() -> Int? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      if skip(from: "!--", to: "-->") || skip(from: "![CDATA[", to: "]]>") || skip(from: "?", to: "?>") { continue }
      if starts("!") { continue }
      if starts("/") { return -1 }
      return skipTag() ? 0 : 1
    }
    return nil
  }

  /// Skips an opening tag and returns whether it closes itself.
  private mutating func skipTag() -> Bool {
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return bytes[position - 2] == UInt8(ascii: "/")
      }
    }
    return false
  }

  private func starts(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in bytes[position...].starts(with: word) }
  }

  /// Skips a section with these delimiters; false if none begins here.
  private mutating func skip(from opening: StaticString, to closing: StaticString) -> Bool {
    guard starts(opening) else { return false }
    position += opening.utf8CodeUnitCount
    while position < bytes.count, !starts(closing) { position += 1 }
    position = min(position + closing.utf8CodeUnitCount, bytes.count)
    return true
  }
}

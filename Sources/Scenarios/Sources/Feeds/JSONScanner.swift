// A strict forward reader for JSON (RFC 8259): the caller says what it expects, and the rest is skipped.
internal import Support

/// A mistake in JSON: its offset, and what was expected.
struct JSONFault: Error {
  let offset: Int
  let found: String
  let expected: String
}

/// The kind of a JSON value, determined by its first byte.
enum JSONKind: String {
  case object = "an object"
  case array = "an array"
  case text = "text"
  case number = "a number"
  case boolean = "a boolean"
  case null = "null"
}

/// Scans valid UTF-8.
struct JSONScanner {
  let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  /// Moves forward.
  mutating func advance(_ count: Int) { position += count }

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The kind of the next value.
  mutating func nextKind() throws(JSONFault) -> JSONKind {
    skipBlanks()
    switch try peek("a value") {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .text
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), 0x30...0x39: return .number
    default: throw fault("a value")
    }
  }

  /// Reads an object; `member` is called with each key and must read or skip the value.
  mutating func object<Failure: Error>(
    fault convert: (JSONFault) -> Failure,
    member: (inout JSONScanner, String) throws(Failure) -> Void
  ) throws(Failure) {
    var isFirst = true
    while true {
      let key: String?
      do {
        key = try nextKey(isFirst: isFirst)
      } catch {
        throw convert(error)
      }
      guard let key else { return }
      isFirst = false
      try member(&self, key)
    }
  }

  /// Reads an array; `element` is called before each value and must read or skip it.
  mutating func array<Failure: Error>(
    fault convert: (JSONFault) -> Failure,
    element: (inout JSONScanner) throws(Failure) -> Void
  ) throws(Failure) {
    var isFirst = true
    while true {
      let isMore: Bool
      do {
        isMore = try nextElement(isFirst: isFirst)
      } catch {
        throw convert(error)
      }
      guard isMore else { return }
      isFirst = false
      try element(&self)
    }
  }

  /// Reads a value that is neither an object nor an array.
  mutating func scalar() throws(JSONFault) -> FieldValue {
    switch try nextKind() {
    case .text: return .text(try text())
    case .number: return .number(try number())
    case .boolean:
      let isTrue = bytes[position] == UInt8(ascii: "t")
      try literal(isTrue ? "true" : "false")
      return .boolean(isTrue)
    case .null:
      try literal("null")
      return .null
    case .object, .array:
      throw fault("text, a number, a boolean or null")
    }
  }

  /// Skips a value of any kind and checks its grammar, without recursion.
  mutating func skip() throws(JSONFault) {
    var open: [(isObject: Bool, isFirst: Bool)] = []
    repeat {
      if let inmost = open.last {
        open[open.count - 1].isFirst = false
        let isMore =
          inmost.isObject
          ? try nextKey(isFirst: inmost.isFirst) != nil : try nextElement(isFirst: inmost.isFirst)
        guard isMore else {
          open.removeLast()
          continue
        }
      }
      let kind = try nextKind()
      guard kind == .object || kind == .array else {
        _ = try scalar()
        continue
      }
      guard open.count < Nesting.deepest else {
        throw JSONFault(offset: offset, found: Nesting.found, expected: Nesting.expected)
      }
      open.append((kind == .object, true))
    } while !open.isEmpty
  }

  /// Checks that only whitespace is left.
  mutating func end(_ expected: String = "the end of the file") throws(JSONFault) {
    skipBlanks()
    if position < bytes.endIndex { throw fault(expected) }
  }
}

// MARK: - Tokens

extension JSONScanner {
  /// The offset in the file: a slice keeps the indices of its base.
  var offset: Int { position }

  private mutating func skipBlanks() {
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private func peek(_ expected: String) throws(JSONFault) -> UInt8 {
    guard position < bytes.endIndex else { throw fault(expected) }
    return bytes[position]
  }

  /// An error at the current position.
  func fault(_ expected: String) -> JSONFault {
    guard position < bytes.endIndex else {
      return JSONFault(offset: offset, found: "the end of the file", expected: expected)
    }
    let next = String(decoding: bytes[position...].prefix(4), as: UTF8.self).prefix(1)
    return JSONFault(offset: offset, found: shown(String(next)), expected: expected)
  }

  private mutating func nextKey(isFirst: Bool) throws(JSONFault) -> String? {
    skipBlanks()
    if isFirst {
      guard try peek("an object") == UInt8(ascii: "{") else { throw fault("an object") }
      position += 1
      skipBlanks()
    }
    if try peek("a comma or the object's end") == UInt8(ascii: "}") {
      position += 1
      return nil
    }
    if !isFirst {
      guard bytes[position] == UInt8(ascii: ",") else { throw fault("a comma or the object's end") }
      position += 1
      skipBlanks()
    }
    guard try peek("a key") == UInt8(ascii: "\"") else { throw fault("a key") }
    let key = String(decoding: try text(), as: UTF8.self)
    skipBlanks()
    guard try peek("a colon") == UInt8(ascii: ":") else { throw fault("a colon") }
    position += 1
    return key
  }

  private mutating func nextElement(isFirst: Bool) throws(JSONFault) -> Bool {
    skipBlanks()
    if isFirst {
      guard try peek("an array") == UInt8(ascii: "[") else { throw fault("an array") }
      position += 1
      skipBlanks()
    }
    if try peek("a comma or the array's end") == UInt8(ascii: "]") {
      position += 1
      return false
    }
    if !isFirst {
      guard bytes[position] == UInt8(ascii: ",") else { throw fault("a comma or the array's end") }
      position += 1
    }
    return true
  }

  private mutating func literal(_ word: String) throws(JSONFault) {
    guard bytes[position...].starts(with: word.utf8) else { throw fault(word) }
    position += word.utf8.count
  }

  private mutating func number() throws(JSONFault) -> NumberToken {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }
    if next == UInt8(ascii: "-") { position += 1 }
    // JSON allows neither leading zeros nor fractions without digits on both sides.
    guard isDigit(next) else { throw fault("a digit") }
    if next == UInt8(ascii: "0") { position += 1 } else { while isDigit(next) { position += 1 } }
    if next == UInt8(ascii: ".") {
      position += 1
      guard isDigit(next) else { throw fault("a digit") }
      while isDigit(next) { position += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
      guard isDigit(next) else { throw fault("a digit") }
      while isDigit(next) { position += 1 }
    }
    guard let token = NumberToken(bytes[start..<position]) else {
      let text = String(decoding: bytes[start..<position].prefix(40), as: UTF8.self)
      throw JSONFault(offset: start, found: text, expected: "a number of at most 1.8e308")
    }
    return token
  }
}

// JSON strings: slices of the file if nothing is escaped, otherwise decoded copies.

extension JSONScanner {
  /// Reads a string as UTF-8; its opening quote comes next.
  mutating func text() throws(JSONFault) -> ArraySlice<UInt8> {
    advance(1)
    let start = position
    var decoded: [UInt8] = []
    var copied = start
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let last = bytes[copied..<position]
        advance(1)
        return copied == start ? last : (decoded + last)[...]
      case UInt8(ascii: "\\"):
        decoded += bytes[copied..<position]
        advance(1)
        try escape(into: &decoded)
        copied = position
      case 0..<0x20:
        throw fault("a control character written as an escape")
      default:
        advance(1)
      }
    }
    throw fault("a closing quote")
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONFault) {
    guard position < bytes.endIndex else { throw fault("an escape") }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      advance(1)
      decoded.append(contentsOf: String(try scalar16()).utf8)
      return
    default: throw fault("an escape: one of \" \\ / b f n r t u")
    }
    advance(1)
  }

  /// Reads the digits of one escape, or of two that form a surrogate pair.
  private mutating func scalar16() throws(JSONFault) -> Character {
    let high = try hexadecimal()
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    let pair = "the second half of a surrogate pair, \\uDC00 to \\uDFFF"
    guard UTF16.isLeadSurrogate(UInt16(truncatingIfNeeded: high)), bytes[position...].starts(with: "\\u".utf8) else {
      throw fault(pair)
    }
    advance(2)
    let low = try hexadecimal()
    guard UTF16.isTrailSurrogate(UInt16(truncatingIfNeeded: low)),
      let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    else { throw fault(pair) }
    return Character(scalar)
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.endIndex, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw fault("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      advance(1)
    }
    return value
  }
}

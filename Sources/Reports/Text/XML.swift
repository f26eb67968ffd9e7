// Escapes foreign text for XML, https://www.w3.org/TR/xml/.

/// Text in XML.
enum XML {
  /// Text on one line, escaped for an attribute.
  ///
  /// Characters that XML 1.0 does not allow are removed.
  static func escaped(_ text: String) -> String {
    let line = text.onOneLine
    guard line.utf8.contains(where: mayNeedEscape) else { return line }
    return line.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte is one of the characters above, or the first byte of a removed one.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF: true
    default: false
    }
  }
}

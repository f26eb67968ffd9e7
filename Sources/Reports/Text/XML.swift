// Foreign text in XML, https://www.w3.org/TR/xml/.

/// Text in XML.
enum XML {
  /// Text on one line that may stand in an attribute; characters that XML 1.0 does not have are left out.
  static func escaped(_ text: String) -> String {
    text.onOneLine.unicodeScalars.reduce(into: "") { result, scalar in
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
}

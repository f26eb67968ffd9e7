// Characters that steer what shows a text: no output of this program has them raw.

extension Unicode.Scalar {
  /// Whether the character moves a terminal's cursor, ends a line, or turns the direction of the text around it.
  ///
  /// Those of direction let a name look like another one (https://trojansource.codes).
  package var isControl: Bool {
    switch value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default:
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}

/// What stands in JSON besides what its encoder writes.
package enum JSONText {
  /// JSON with those control characters as escapes that JSON lets stand in strings, and without the beginning of a
  /// command of GitHub's runners; every reader gets the same values.
  ///
  /// The text is one that an encoder wrote: its blanks are line feeds and spaces.
  package static func escaped(_ json: String) -> String {
    guard mayNeedEscapes(json) else { return json }
    var text = ""
    var numberSigns = 0
    for scalar in json.unicodeScalars {
      if scalar != "\n" && scalar.isControl || scalar == "[" && numberSigns >= 2 {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
      numberSigns = scalar == "#" ? numberSigns + 1 : 0
    }
    return text
  }

  /// Whether a byte is there that such a character has; most files have none, and results are long.
  private static func mayNeedEscapes(_ json: String) -> Bool {
    var json = json
    return json.withUTF8 { bytes in
      for byte in bytes where byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == UInt8(ascii: "#") { return true }
      return false
    }
  }
}

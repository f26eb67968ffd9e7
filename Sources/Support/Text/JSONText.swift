// Makes JSON safe to print: terminals, web pages and logs of CI runners find no commands in it.

/// The text of JSON documents, made safe to print.
package enum JSONText {
  /// Escapes the control characters that JSON allows in strings, and the prefixes of GitHub runner commands; parsed
  /// values stay the same.
  ///
  /// The text must come from an encoder that uses only line feeds and spaces as white space.
  package static func escaped(_ json: String) -> String {
    guard needsEscapes(json) else { return json }
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

  /// Whether there is a character to escape; checked first, since most files have none and results are long.
  private static func needsEscapes(_ json: String) -> Bool {
    var json = json
    return json.withUTF8 { bytes in
      func bytesFollow(_ index: Int, _ other: UInt8, _ last: ClosedRange<UInt8>) -> Bool {
        index + 2 < bytes.count && bytes[index + 1] == other && last.contains(bytes[index + 2])
      }
      for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "\n"): break
        case 0..<0x20, 0x7F: return true
        case UInt8(ascii: "#") where bytesFollow(index, byte, UInt8(ascii: "[")...UInt8(ascii: "[")): return true
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0: return true
        // U+2028 to U+202E, and U+2066 to U+2069.
        case 0xE2 where bytesFollow(index, 0x80, 0xA8...0xAE) || bytesFollow(index, 0x81, 0xA6...0xA9): return true
        default: break
        }
      }
      return false
    }
  }
}

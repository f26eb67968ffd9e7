// Formats text and numbers for XML, the same in every locale.

enum XML {
  /// The text with markup escaped and without characters that XML 1.0 forbids.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 8)
    var numberSigns = 0
    for scalar in text.unicodeScalars {
      defer { numberSigns = scalar == "#" ? numberSigns + 1 : 0 }
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // After two number signs, it would begin a command for GitHub's runners.
      case "[" where numberSigns >= 2: escaped += "&#91;"
      case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += " "
      // Control characters, and marks that change the direction of all following text.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
      case _ where scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value): escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A coordinate, rounded to a tenth.
  ///
  /// NaN becomes 0, and a value far outside of any picture becomes the limit, so that a file is always valid.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
    let (whole, tenth) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + (tenth == 0 ? "\(whole)" : "\(whole).\(tenth)")
  }

  /// A valid id.
  static func identifier(_ name: String) -> String {
    let kept = name.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": Character(scalar)
      default: Character("-")
      }
    }
    return "c-" + String(kept)
  }
}

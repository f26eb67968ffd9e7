// The kinds of text in a picture: their fonts and sizes, and estimates of their widths.

/// A kind of text: its class in the style sheet, and its size.
enum TextStyle: String, CaseIterable {
  case label, gloss, figure, detail, tick, key, caption, inside, frame

  /// In pixels, at least 12 for legibility.
  var size: Double {
    switch self {
    case .label: 13
    case .figure: 14
    case .gloss, .detail, .tick, .key, .caption, .inside, .frame: 12
    }
  }

  var isBold: Bool { self == .label || self == .figure || self == .caption || self == .inside }
  var isMonospaced: Bool { self == .label || self == .frame }
  /// Whether the text has the soft color of secondary text.
  var isSoft: Bool { self == .gloss || self == .detail || self == .tick || self == .caption }

  /// An estimate of the text's width in pixels, rather too large than too small.
  func width(_ text: String) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width($1) } * size / 1000
  }

  /// The text; if it is too wide, its start and its end with … between them.
  func fitted(_ text: String, room: Double) -> String {
    guard width(text) > room else { return text }
    let characters = Array(text)
    var (fits, tooMany) = (0, characters.count)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if width(shortened(characters, to: middle)) <= room { fits = middle } else { tooMany = middle }
    }
    return fits == 0 ? (size <= room ? "…" : "") : shortened(characters, to: fits)
  }

  /// The text in lines that fit, broken between words, before a list of parameters and after the commas of a list.
  ///
  /// A word that is too wide has its own line.
  func wrapped(_ text: String, room: Double) -> [String] {
    guard width(text) > room else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in TextStyle.words(in: text) {
      let longer = line + word
      if line.isEmpty || width(longer.hasSuffix(" ") ? String(longer.dropLast()) : longer) <= room {
        line = longer
      } else {
        lines.append(line)
        line = word
      }
    }
    lines.append(line)
    return lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
  }

  /// The pieces between which a line may break, each with the space or comma at its end or the bracket at its start.
  private static func words(in text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in text {
      if character == "[", !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(character)
      if character == " " || character == "," {
        words.append(word)
        word = ""
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  private func shortened(_ characters: [Character], to count: Int) -> String {
    String(characters.prefix((count + 1) / 2)) + "…" + String(characters.suffix(count / 2))
  }

  /// In thousandths of the size.
  private func width(_ scalar: Unicode.Scalar) -> Double {
    if scalar.value < 0x7F, scalar.value >= 0x20 {
      if isMonospaced { return 602 }
      let index = Int(scalar.value) - 0x20
      return Double((isBold ? FontWidths.bold : FontWidths.regular)[index])
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // East Asian characters and emoji, which use another font.
    if (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xD7AF).contains(scalar.value)
      || (0xF900...0xFAFF).contains(scalar.value) || (0xFE30...0xFE4F).contains(scalar.value)
      || (0xFF00...0xFF60).contains(scalar.value)
    {
      return 1050
    }
    if scalar.value >= 0x1F000 { return 1350 }
    if isMonospaced { return 602 }
    switch scalar {
    case "\u{A0}", "\u{202F}", "\u{2009}", "·": return isBold ? 380 : 318
    case "×", "±", "≤", "≥", "→", "←", "−": return 838
    case "µ", "²", "–", "√": return isBold ? 736 : 640
    case "\u{C0}"..."\u{24F}": return isBold ? 900 : 800
    default: return isBold ? 1150 : 1000
    }
  }
}

/// The advance widths of the characters from space to tilde, in thousandths of the size.
///
/// They are those of DejaVu Sans, which is wider than most readers' fonts.
private enum FontWidths {
  static let regular = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
  ]
  static let bold = [
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995,
    837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716,
    678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712,
    365, 712, 838,
  ]
}

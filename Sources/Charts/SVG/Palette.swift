// The palette: the colors of Okabe and Ito, which color-blind readers can distinguish, adapted to light and dark
// backgrounds.

/// An RGB color with components from 0 to 255.
struct Color: Hashable {
  var red: Int, green: Int, blue: Int

  init(_ hex: Int) { (red, green, blue) = (hex >> 16 & 255, hex >> 8 & 255, hex & 255) }

  /// A mixture with a share of this color and the rest of the other.
  func mixed(_ share: Double, with other: Color) -> Color {
    func mix(_ own: Int, _ other: Int) -> Int { Int((Double(own) * share + Double(other) * (1 - share)).rounded()) }
    var mixed = self
    (mixed.red, mixed.green, mixed.blue) = (mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    return mixed
  }

  var css: String {
    let digits = String(red << 16 | green << 8 | blue, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// The colors for one kind of background.
struct Palette {
  /// The colors of a mark, a line and a bar.
  struct Entry {
    /// The fill of marks and bars.
    let fill: Color
    /// Outlines and lines, with a contrast of at least 3 to 1 against the background.
    let edge: Color
    /// Text on the fill.
    let inside: Color
  }

  let paper, ink, soft, grid: Color
  let entries: [Entry]

  /// The indexes of the colors.
  static let colors = 0..<6

  static let light = Palette(
    paper: Color(0xFFFFFF), ink: Color(0x1B1F24), soft: Color(0x59636E), grid: Color(0xE1E5E9),
    entries: [
      Entry(fill: Color(0x0072B2), edge: Color(0x00568A), inside: Color(0xFFFFFF)),
      Entry(fill: Color(0xD55E00), edge: Color(0xB34F00), inside: Color(0x111418)),
      Entry(fill: Color(0x009E73), edge: Color(0x007A59), inside: Color(0x111418)),
      Entry(fill: Color(0xE69F00), edge: Color(0xA67300), inside: Color(0x111418)),
      Entry(fill: Color(0x56B4E9), edge: Color(0x2B8AC6), inside: Color(0x111418)),
      Entry(fill: Color(0xCC79A7), edge: Color(0xA84C7E), inside: Color(0x111418)),
    ])

  static let dark = Palette(
    paper: Color(0x14171B), ink: Color(0xE6E9ED), soft: Color(0x9BA6B2), grid: Color(0x2B3138),
    entries: [
      Entry(fill: Color(0x2F8FD6), edge: Color(0x62B1EC), inside: Color(0x111418)),
      Entry(fill: Color(0xE8722A), edge: Color(0xFF9A57), inside: Color(0x111418)),
      Entry(fill: Color(0x1FAF86), edge: Color(0x5AD3B0), inside: Color(0x111418)),
      Entry(fill: Color(0xEBAA22), edge: Color(0xFFCF70), inside: Color(0x111418)),
      Entry(fill: Color(0x8CCBF2), edge: Color(0xC0E4FA), inside: Color(0x111418)),
      Entry(fill: Color(0xD98BB6), edge: Color(0xF2BBD8), inside: Color(0x111418)),
    ])

  /// Paler colors for muted elements; their text has the ink color.
  func muted(_ entry: Entry) -> Entry {
    Entry(fill: entry.fill.mixed(0.28, with: paper), edge: entry.edge.mixed(0.75, with: paper), inside: ink)
  }

  /// The number of steps of the neutral ramp.
  static let tones = 5

  /// A step of the neutral ramp, from the color of secondary text nearly to that of the background.
  func tone(_ step: Int) -> Entry {
    let share = [0.9, 0.6, 0.4, 0.25, 0.12][step]
    return Entry(fill: soft.mixed(share, with: paper), edge: soft, inside: step == 0 ? paper : ink)
  }

  /// The CSS custom properties.
  var properties: String {
    var css = "--c-bg:\(paper.css);--c-ink:\(ink.css);--c-soft:\(soft.css);--c-grid:\(grid.css);"
    for (index, entry) in entries.enumerated() {
      for (suffix, entry) in [("", entry), ("m", muted(entry))] {
        css += "--c-f\(index)\(suffix):\(entry.fill.css);--c-e\(index)\(suffix):\(entry.edge.css);"
        css += "--c-i\(index)\(suffix):\(entry.inside.css);"
      }
    }
    for step in 0..<Palette.tones {
      let entry = tone(step)
      css += "--c-ft\(step):\(entry.fill.css);--c-et\(step):\(entry.edge.css);--c-it\(step):\(entry.inside.css);"
    }
    return css
  }
}

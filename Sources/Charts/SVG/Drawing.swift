// Writes SVG: lines, shapes and text, one element after the other.

/// The output of a chart: SVG elements and their size.
package struct Drawing: Sendable {
  /// The possible widths of a picture, in pixels.
  package static let widths = 240.0...4000.0
  /// Below this width, the layout is for phones.
  static let narrow = 640.0

  let width: Double
  var height = 0.0
  private(set) var body = ""

  init(width: Double) { self.width = Drawing.width(width) }

  /// The nearest possible width of a picture.
  static func width(_ width: Double) -> Double {
    width.isFinite ? min(max(width, widths.lowerBound), widths.upperBound) : 860
  }

  var isNarrow: Bool { width < Drawing.narrow }

  enum Anchor: String { case start, middle, end }

  mutating func line(_ kind: String, x1: Double, y1: Double, x2: Double, y2: Double) {
    body += "<line class=\"\(kind)\" x1=\"\(XML.number(x1))\" y1=\"\(XML.number(y1))\""
    body += " x2=\"\(XML.number(x2))\" y2=\"\(XML.number(y2))\"/>"
  }

  mutating func rect(_ kind: String, x: Double, y: Double, width: Double, height: Double) {
    body += "<rect class=\"\(kind)\" x=\"\(XML.number(x))\" y=\"\(XML.number(y))\""
    body += " width=\"\(XML.number(max(width, 0)))\" height=\"\(XML.number(max(height, 0)))\"/>"
  }

  mutating func path(_ kind: String, _ path: Path) {
    if !path.isEmpty { body += "<path class=\"\(kind)\" d=\"\(path.data)\"/>" }
  }

  /// A mark with its center at this point.
  mutating func mark(_ appearance: Appearance, x: Double, y: Double, radius: Double = 5.5) {
    body += "<path class=\"c-mark \(appearance.colorClass)\" d=\"M\(XML.number(x)) \(XML.number(y))"
    body += appearance.shape.outline(radius: radius) + "\"/>"
  }

  /// Another drawing with its upper left corner at this point.
  mutating func place(_ other: Drawing, x: Double, y: Double) {
    body += "<g transform=\"translate(\(XML.number(x)) \(XML.number(y)))\">\(other.body)</g>"
  }

  /// Groups elements that have the same tooltip.
  mutating func item(_ kind: String = "c-item", title: String, _ draw: (inout Drawing) -> Void) {
    body += "<g class=\"\(kind)\"><title>\(XML.escaped(title))</title>"
    draw(&self)
    body += "</g>"
  }

  /// One line of text.
  ///
  /// If it is too wide, it is shortened, and a tooltip shows all of it.
  mutating func text(
    _ style: TextStyle, _ text: String, x: Double, y: Double, anchor: Anchor = .start, room: Double = .infinity,
    extra: String = ""
  ) {
    guard !text.isEmpty else { return }
    let fitted = style.fitted(text, room: room)
    body += "<text class=\"c-\(style.rawValue)\(extra)\" x=\"\(XML.number(x))\" y=\"\(XML.number(y))\""
    if anchor != .start { body += " text-anchor=\"\(anchor.rawValue)\"" }
    body += ">" + XML.escaped(fitted)
    if fitted != text { body += "<title>\(XML.escaped(text))</title>" }
    body += "</text>"
  }
}

/// The outline of a path, with each coordinate rounded to a tenth.
struct Path {
  private(set) var data = ""
  var isEmpty: Bool { data.isEmpty }

  mutating func move(_ x: Double, _ y: Double) { data += "M\(XML.number(x)) \(XML.number(y))" }
  mutating func line(_ x: Double, _ y: Double) { data += "L\(XML.number(x)) \(XML.number(y))" }
  mutating func horizontal(_ x: Double) { data += "H\(XML.number(x))" }
  mutating func vertical(_ y: Double) { data += "V\(XML.number(y))" }
  mutating func close() { data += "Z" }

  /// A dot, if the line has round caps.
  mutating func dot(_ x: Double, _ y: Double) {
    move(x, y)
    data += "h0"
  }
}

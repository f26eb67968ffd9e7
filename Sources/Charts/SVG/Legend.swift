// The legend: the meanings of appearances, in as many lines as needed.

/// The symbol before the text of a legend entry.
enum Swatch: Hashable {
  case mark(Appearance), line(Appearance), block(Appearance), pale(Appearance)
  case rule, guide, band
  /// Small dots, in the color of their series if it has one.
  case dots(Appearance?)
  case whisker
}

struct Legend {
  var entries: [(swatch: Swatch, label: String)]

  /// Draws the legend and moves below it; draws nothing without entries.
  func draw(_ drawing: inout Drawing, y: inout Double) {
    guard !entries.isEmpty else { return }
    let (line, swatch, gap) = (20.0, 24.0, 18.0)
    let room = drawing.width - swatch
    var x = 0.0
    for entry in entries {
      let lines = TextStyle.key.wrapped(entry.label, room: room)
      let width = swatch + (lines.map { TextStyle.key.width($0) }.max() ?? 0)
      if x > 0, x + width > drawing.width {
        x = 0
        y += line
      }
      Legend.draw(entry.swatch, &drawing, x: x, y: y + 8)
      for (index, text) in lines.enumerated() {
        if index > 0 { y += Legend.wrappedLine }
        drawing.text(.key, text, x: x + swatch, y: y + 12, room: room)
      }
      x += width + gap
    }
    y += line + 4
  }

  /// The distance between lines of a long label.
  private static let wrappedLine = 15.0

  /// A swatch 18 pixels wide.
  static func draw(_ swatch: Swatch, _ drawing: inout Drawing, x: Double, y: Double) {
    switch swatch {
    case .mark(let appearance): drawing.mark(appearance, x: x + 9, y: y, radius: 5.5)
    case .line(let appearance):
      drawing.line("c-line \(appearance.colorClass)", x1: x, y1: y, x2: x + 18, y2: y)
      drawing.mark(appearance, x: x + 9, y: y, radius: 4)
    case .block(let appearance):
      drawing.rect("c-part \(appearance.colorClass)", x: x + 3, y: y - 6, width: 12, height: 12)
    case .pale(let appearance):
      drawing.rect("c-pale \(appearance.colorClass)", x: x + 3, y: y - 6, width: 12, height: 12)
    case .rule: drawing.line("c-rule", x1: x, y1: y, x2: x + 18, y2: y)
    case .guide: drawing.line("c-guide", x1: x, y1: y, x2: x + 18, y2: y)
    case .band: drawing.rect("c-band", x: x, y: y - 6, width: 18, height: 12)
    case .whisker:
      var path = Path()
      path.move(x + 1, y)
      path.horizontal(x + 17)
      for end in [x + 1, x + 17] {
        path.move(end, y - 5)
        path.vertical(y + 5)
      }
      drawing.path("c-whisker c-plain", path)
    case .dots(let appearance):
      var dots = Path()
      for (index, offset) in [2.0, 6.5, 11, 15.5].enumerated() {
        dots.dot(x + offset, y + (index.isMultiple(of: 2) ? -2 : 2))
      }
      drawing.path("c-raw \(appearance?.colorClass ?? "c-plain")", dots)
    }
  }
}

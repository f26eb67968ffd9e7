// The name of a row and what it means, in as many lines as they need.

/// What stands at the left of a row: names are broken between parameters, and never cut where there is such a place.
struct RowWords {
  private let lines: [(style: TextStyle, text: String)]

  init(_ label: String, gloss: String, room: Double) {
    let texts: [(TextStyle, String)] = [(.label, label), (.gloss, gloss)].filter { !$0.1.isEmpty }
    lines = texts.flatMap { style, text in
      style.wrapped(text, room: room).map { (style: style, text: $0) }
    }
  }

  /// From one line to the next.
  private static let pitch = 15.0

  /// The widest line.
  var width: Double { lines.map { $0.style.width($0.text) }.max() ?? 0 }

  /// What the lines take beside marks, with the room above and below them.
  var height: Double { stretch + 12 }

  /// What the lines take above marks.
  var heightAboveMarks: Double { stretch + 8 }

  private var stretch: Double { Double(max(lines.count, 1)) * RowWords.pitch }

  /// Draws the lines about a middle.
  func draw(_ drawing: inout Drawing, middle: Double, room: Double) {
    let first = middle + (lines.count < 2 ? 5 : 4.5 - RowWords.pitch * Double(lines.count - 1) / 2)
    for (index, line) in lines.enumerated() {
      drawing.text(line.style, line.text, x: 0, y: first + RowWords.pitch * Double(index), room: room)
    }
  }
}

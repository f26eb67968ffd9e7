// Lays out rows with names at the left and figures at the right, or both above the plot if the picture is narrow.

/// The columns of a chart of rows.
struct RowLayout {
  /// The right limit of names.
  let labelRoom: Double
  let figureRoom: Double
  /// The range of the plot, with room for marks on both sides.
  let plot: ClosedRange<Double>
  /// The range for text above and below the plot.
  let axisRoom: ClosedRange<Double>
  let isNarrow: Bool

  /// The columns for the widest name and the widest figure, with the room that marks need at the ends of the plot.
  init(width: Double, names: [(label: String, gloss: String)], figures: Double, margin: Double) {
    isNarrow = width < Drawing.narrow
    let figures = figures.rounded(.up)
    if isNarrow {
      figureRoom = min(figures, width * 0.45)
      labelRoom = width - figureRoom - (figureRoom > 0 ? 12 : 0)
      plot = margin + 2...width - margin - 2
      axisRoom = 0...width
    } else {
      figureRoom = min(figures, width * 0.22)
      let most = width * 0.36
      let widest = names.map { RowWords($0.label, gloss: $0.gloss, room: most).width }.max() ?? 0
      labelRoom = min(widest.rounded(.up), most)
      let end = width - (figureRoom > 0 ? figureRoom + 14 : 0)
      plot = (labelRoom > 0 ? labelRoom + 16 : 0) + margin...end - margin
      axisRoom = plot.lowerBound - margin...width
    }
  }

  /// A row's name and its meaning, in lines that fit.
  func words(_ label: String, _ gloss: String) -> RowWords { RowWords(label, gloss: gloss, room: labelRoom) }

  /// Where lines run through the plot: below the text of each row if the picture is narrow.
  func strips(top: Double, heights: [Double], strip: Double) -> [ClosedRange<Double>] {
    guard isNarrow else { return [top...top + heights.reduce(0, +)] }
    var bottom = top
    return heights.map { height in
      bottom += height
      return bottom - strip...bottom
    }
  }

  /// Draws the title of an axis and the labels of its ticks, with the title next to the labels if it fits there,
  /// otherwise above them.
  ///
  /// `y` is the top of the drawing, and afterwards its bottom. `aboveLabels` draws between the title and the labels,
  /// and moves `y` down by its height.
  func drawHead(
    _ drawing: inout Drawing, _ ruler: HorizontalAxis, title: String, y: inout Double,
    aboveLabels: (inout Drawing, inout Double) -> Void = { _, _ in }
  ) {
    let besideLabels = !isNarrow && TextStyle.tick.width(title) <= labelRoom
    if !besideLabels, !title.isEmpty {
      drawing.text(.tick, title, x: 0, y: y + 14, room: drawing.width)
      y += 20
    }
    aboveLabels(&drawing, &y)
    ruler.drawLabels(&drawing, baseline: y + 13)
    if besideLabels { drawing.text(.tick, title, x: 0, y: y + 13, room: labelRoom) }
    y += 20
  }

  /// From edge to edge of the plot, including marks at its ends.
  func whole(margin: Double) -> ClosedRange<Double> { plot.lowerBound - margin...plot.upperBound + margin }
}

/// The text at the left of a row.
///
/// Names are broken between parameters if possible, and otherwise truncated.
struct RowWords {
  private let lines: [(style: TextStyle, text: String)]

  init(_ label: String, gloss: String, room: Double) {
    let texts: [(TextStyle, String)] = [(.label, label), (.gloss, gloss)].filter { !$0.1.isEmpty }
    lines = texts.flatMap { style, text in
      style.wrapped(text, room: room).map { (style: style, text: $0) }
    }
  }

  /// The distance between lines.
  private static let pitch = 15.0

  /// The widest line.
  var width: Double { lines.map { $0.style.width($0.text) }.max() ?? 0 }

  /// The height of the lines next to marks, with margins.
  var height: Double { stretch + 12 }

  /// The height of the lines above marks.
  var heightAboveMarks: Double { stretch + 8 }

  private var stretch: Double { Double(max(lines.count, 1)) * RowWords.pitch }

  /// Draws the lines centered vertically.
  func draw(_ drawing: inout Drawing, middle: Double, room: Double) {
    let first = middle + (lines.count < 2 ? 5 : 4.5 - RowWords.pitch * Double(lines.count - 1) / 2)
    for (index, line) in lines.enumerated() {
      drawing.text(line.style, line.text, x: 0, y: first + RowWords.pitch * Double(index), room: room)
    }
  }
}

// Rows with names at the left and figures at the right, or both above the plot where the picture is narrow.

/// The columns of a chart of rows.
struct RowLayout {
  /// Where names end at the latest.
  let labelRoom: Double
  let figureRoom: Double
  /// The stretch of the plot, in which marks have room to both sides.
  let plot: ClosedRange<Double>
  /// What text above and below the plot may take.
  let axisRoom: ClosedRange<Double>
  let isNarrow: Bool

  /// The columns for the widest name and the widest figure, with the room that marks need beside the ends of the plot.
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

  /// A row's name and what it means, in the lines that there is room for.
  func words(_ label: String, _ gloss: String) -> RowWords { RowWords(label, gloss: gloss, room: labelRoom) }

  /// Where lines run through the plot: below the words of each row where the picture is narrow.
  func strips(top: Double, heights: [Double], strip: Double) -> [ClosedRange<Double>] {
    guard isNarrow else { return [top...top + heights.reduce(0, +)] }
    var bottom = top
    return heights.map { height in
      bottom += height
      return bottom - strip...bottom
    }
  }

  /// From edge to edge of the plot, marks at its ends included.
  func whole(margin: Double) -> ClosedRange<Double> { plot.lowerBound - margin...plot.upperBound + margin }
}

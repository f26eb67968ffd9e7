// The layout of the final table within the width of a terminal.
internal import Analysis

/// The columns that fit, and their widths.
struct TerminalLayout {
  static let dash = "—"
  private static let gap = "  "
  private static let nameTitle = "cell"

  private let width: Int
  /// The metric that the question asks about, whose column always stays; `nil` for time.
  private let asked: MetricID?
  /// Its name.
  private let askedWords: String
  /// `nil` if names are too long for a column and get their own lines.
  private let nameWidth: Int?
  private let columns: [TerminalColumn]
  /// The width of the widest text in each column.
  private let widths: [TerminalColumn: Int]
  private let bars: TextBars?
  /// The common unit of each column that has one.
  private let units: [TerminalColumn: Unit]
  /// Whether some figure in the table was not measured.
  let hasGaps: Bool
  /// The titles of the columns that do not fit, in order.
  let titlesLeftOut: [String]

  /// - Parameters:
  ///   - cells: The cells of the table.
  ///   - asked: The metric that the question asks about, with its name; `nil` for time.
  ///   - showsProcessorTime: Whether times are so disturbed that processor time must be shown next to them.
  ///   - width: The width of the terminal.
  init(
    _ cells: [CellReport], asked: (metric: MetricID, words: String)? = nil, showsProcessorTime: Bool = false, width: Int
  ) {
    self.width = width
    let metric = asked?.metric
    let words = asked?.words ?? ""
    self.asked = metric
    askedWords = words
    let times = cells.compactMap(\.main.wall.figure)
    let all = TerminalColumn.allCases.filter { column in
      // A single bar shows nothing.
      switch column {
      case .bar: times.count > 1
      case .processor: showsProcessorTime
      case .latency: metric?.isLatency == true
      default: true
      }
    }
    func title(_ column: TerminalColumn) -> String { column == .latency ? words : column.title }
    let units = Dictionary(
      uniqueKeysWithValues: all.compactMap { column in column.unit(of: cells, asked: metric).map { (column, $0) } })
    self.units = units
    var widths: [TerminalColumn: Int] = [:]
    for column in all {
      widths[column] = cells.map { (column.text(of: $0, units[column], asked: metric) ?? TerminalLayout.dash).count }
        .reduce(
          title(column).count, max)
    }
    widths[.bar] = TextBars.leastWidth
    let longest = cells.map(\.label.onOneLine.count).reduce(TerminalLayout.nameTitle.count, max)

    func taken(_ columns: [TerminalColumn], name: Int) -> Int {
      columns.reduce(name) { $0 + TerminalLayout.gap.count + (widths[$1] ?? 0) }
    }
    func fitting(name: Int, keeping least: [TerminalColumn]) -> [TerminalColumn]? {
      var columns = all
      for next in TerminalColumn.givingWay where taken(columns, name: name) > width && !least.contains(next) {
        columns.removeAll { $0 == next }
      }
      return taken(columns, name: name) <= width ? columns : nil
    }
    let kept = all.filter { metric != nil && $0.metric == metric }
    let beside = fitting(name: longest, keeping: [.bar] + kept)
    nameWidth = beside == nil ? nil : longest
    columns = beside ?? fitting(name: 0, keeping: kept) ?? [.time]
    if columns.contains(.bar) {
      let room = width - taken(columns, name: nameWidth ?? 0)
      widths[.bar] = min(TextBars.leastWidth + room, TextBars.mostWidth)
      bars = TextBars(times, width: widths[.bar] ?? 0)
    } else {
      bars = nil
    }
    self.widths = widths
    let shown = columns
    titlesLeftOut = all.filter { !shown.contains($0) && $0 != .bar }.map { $0 == .interval ? "the interval" : $0.title }
    hasGaps = cells.contains { cell in shown.contains { $0.text(of: cell, units[$0], asked: metric) == nil } }
  }

  /// The titles, with an axis above the bars.
  var head: String {
    let titles = columns.map { column in
      (column, column == .bar ? bars?.axis ?? "" : column == .latency ? askedWords : column.title)
    }
    return fields(titles, name: nameWidth == nil ? "" : TerminalLayout.nameTitle) { text, _ in text }
  }

  /// A cell's line, or two lines if its name has its own.
  ///
  /// `style` formats a text; `nil` means the name.
  func lines(of cell: CellReport, style: (String, TerminalColumn?) -> String) -> [String] {
    let name = cell.label.onOneLine
    let texts = columns.map { column -> (TerminalColumn, String) in
      let text =
        column == .bar ? bars?.bar(cell.main.wall.figure) ?? "" : column.text(of: cell, units[column], asked: asked)
      return (column, text ?? TerminalLayout.dash)
    }
    guard nameWidth == nil else { return [fields(texts, name: name, style: style)] }
    return TerminalText.folded(name, to: width).map { style($0, nil) } + [fields(texts, name: "", style: style)]
  }

  /// Pads texts before it styles them, because escape sequences have no width.
  private func fields(
    _ texts: [(column: TerminalColumn, text: String)], name: String, style: (String, TerminalColumn?) -> String
  ) -> String {
    var line = style(name, nil) + padding(max((nameWidth ?? 0) - name.count, 0))
    for (index, (column, text)) in texts.enumerated() {
      let blanks = padding(max((widths[column] ?? 0) - text.count, 0))
      let isLast = index == texts.count - 1
      line += TerminalLayout.gap
      line += column.isLeft ? style(text, column) + (isLast ? "" : blanks) : blanks + style(text, column)
    }
    return line
  }

  private func padding(_ count: Int) -> String { String(repeating: " ", count: count) }
}

// The layout of a table: one unit per column, digits that follow intervals, and a sentence for values that all rows
// share.
internal import Analysis

extension Table {
  /// With fewer rows, equal values are easy to see.
  static let leastFolded = 3

  /// The cells of a table as text.
  struct Layout {
    var columns: [Title]
    var rows: [(name: String, figures: [Shown])]
    /// The values that all rows share.
    var constants: [(title: String, figure: String)]
    /// What a row represents.
    var noun: String
  }

  struct Title {
    /// The name without a unit.
    var name: String
    var text: String
    var alignment: Alignment
  }

  /// Whether a change or a verdict is good or bad.
  ///
  /// It sets the color; words and signs say the same.
  enum Tendency: String {
    case worse, better

    /// The tendency of a verdict; `nil` for other words and for neutral verdicts.
    init?(of text: String) {
      switch Verdict(rawValue: text) {
      case .regression: self = .worse
      case .improved: self = .better
      default: return nil
      }
    }

    /// The tendency of a change for the worse; `nil` if no direction is worse.
    init?(of change: Estimate) {
      if change.low ?? change.median > 0 {
        self = .worse
      } else if change.high ?? change.median < 0 {
        self = .better
      } else {
        return nil
      }
    }
  }

  /// A figure and its interval.
  struct Shown: Equatable {
    var text: String
    var interval: String?
    var isAbsent = false
    /// Whether it says that something got worse or better; `nil` for most figures.
    var tendency: Tendency?

    var whole: String { whole(unit: nil) }

    /// `152 ms [149, 158]`.
    func whole(unit: String?) -> String { [text, unit, interval].compactMap(\.self).joined(separator: " ") }
  }

  /// The columns with differences, and the values of the others.
  var layout: Layout {
    let unlike = columns.indices.dropFirst().filter { !isFolded($0) }
    let filled = unlike.filter { !isBlank($0) }
    let shown = filled.isEmpty ? unlike : filled
    let units = columns.indices.map(unit(of:))
    let figures = rows.map { row in
      columns.indices.dropFirst().map { index in
        var shown = columns[index].quantity.shown(row.values[index - 1], units[index])
        if columns[index].saysVerdicts { shown.tendency = Tendency(of: shown.text) }
        return shown
      }
    }
    let lines = zip(rows, figures).map { row, figures in (name: row.name, figures: shown.map { figures[$0 - 1] }) }
      .filter { !leavesOutGaps || !$0.figures.allSatisfy(\.isAbsent) }
    let titles = [0] + (lines.isEmpty && !rows.isEmpty ? [] : shown)
    return Layout(
      columns: titles.map { index in
        let column = columns[index]
        let hasInterval = index > 0 && figures.contains { $0[index - 1].interval != nil }
        let name = (units[index]?.name ?? column.counted).map { "\(column.title), \($0)" } ?? column.title
        return Title(
          name: column.title, text: hasInterval ? "\(name) \(column.brackets)" : name, alignment: column.alignment)
      },
      rows: lines,
      constants: columns.indices.dropFirst().filter { saysAlike && isFolded($0) && !isBlank($0) }.compactMap {
        index in
        guard let figure = figures.first?[index - 1], !figure.isAbsent else { return nil }
        return (columns[index].title, figure.whole(unit: units[index]?.name ?? columns[index].counted))
      },
      noun: noun)
  }

  /// `cell`, for a table that begins with `Cell, ingest`.
  var noun: String {
    let word = columns.first?.title.prefix { $0 != "," } ?? ""
    return word.isEmpty || word.contains(" ") ? "row" : word.lowercased()
  }

  /// Whether a column is blank in every row.
  private func isBlank(_ index: Int) -> Bool {
    !rows.isEmpty && rows.allSatisfy { $0.values[index - 1] == .text("") }
  }

  /// Whether a column is the same in every row: the same figure, or missing for the same reason.
  func isFolded(_ index: Int) -> Bool {
    let column = columns[index]
    guard column.folds, rows.count >= Table.leastFolded, let first = rows.first?.values[index - 1] else { return false }
    switch first {
    case .absent: return rows.allSatisfy { $0.values[index - 1] == first }
    case .text where column.quantity != .text: return false
    case .text, .estimate, .whole, .shift:
      let unit = unit(of: index)
      let shown = column.quantity.shown(first, unit)
      return rows.allSatisfy { column.quantity.shown($0.values[index - 1], unit) == shown }
    }
  }

  /// The unit of a column; `nil` if it has none.
  private func unit(of index: Int) -> Unit? {
    guard index > 0 else { return nil }
    let numbers = rows.flatMap { $0.values[index - 1].numbers }
    return switch columns[index].quantity {
    case .text, .ratio, .number, .rate: nil
    case .share, .change: .percent
    case .time: Unit.common(of: numbers, among: Unit.times) ?? .milliseconds
    case .bytes: Unit.common(of: numbers, among: Unit.bytes) ?? .byte
    }
  }
}

extension Table.Layout {
  /// What all rows have in common, in a sentence or two; `nil` if there is nothing.
  ///
  /// The first closure writes a title: it gets the column's title and the text to show here. The second writes a figure.
  func sentence(_ title: (String, String) -> String, figure: (String) -> String) -> String? {
    if constants.count == 1 {
      return "\(title(constants[0].title, constants[0].title)): \(figure(constants[0].figure)) in every \(noun)."
    }
    let parts = constants.enumerated().map { index, constant in
      "\(title(constant.title, index == 0 ? constant.title : constant.title.lowercasedFirst)): \(figure(constant.figure))"
    }
    return parts.isEmpty ? nil : "The same in every \(noun). \(parts.joined(separator: "; "))."
  }
}

extension Table.Value {
  /// The numbers that determine the unit.
  fileprivate var numbers: [Double] {
    switch self {
    case .text, .absent: []
    case .estimate(let estimate): [estimate.median]
    case .whole(let count): [Double(count)]
    case .shift(let from, let to): [Double(from), Double(to)]
    }
  }
}

extension Table.Quantity {
  /// A value, in the column's unit.
  fileprivate func shown(_ value: Table.Value, _ unit: Unit?) -> Table.Shown {
    switch value {
    case .text(let text): return Table.Shown(text: text)
    case .absent: return Table.Shown(text: "—", isAbsent: true)
    case .estimate(let estimate) where self == .rate: return Table.Shown(text: Digits.three(estimate.median))
    case .estimate(let estimate) where self == .share && estimate.low == nil && (0..<0.001).contains(estimate.median):
      // No reader needs the digits of tiny values.
      return Table.Shown(text: estimate.median == 0 ? "0" : estimate.median < 0.00005 ? "<0.01" : hundredths(estimate))
    case .estimate(let estimate):
      let (figure, interval) = Digits.shown(estimate.scaled(by: unit?.factor ?? 1), isSigned: self == .change)
      return Table.Shown(
        text: figure, interval: interval, tendency: self == .change ? Table.Tendency(of: estimate) : nil)
    case .whole(let count): return Table.Shown(text: whole(count, unit))
    case .shift(let from, let to):
      let (from, to) = (whole(from, unit), whole(to, unit))
      return Table.Shown(text: from == to ? to : "\(from) → \(to)")
    }
  }

  private func hundredths(_ estimate: Estimate) -> String { Digits.fixed(estimate.median * 100, decimals: 2) }

  private func whole(_ count: Int64, _ unit: Unit?) -> String {
    guard let unit, unit != .byte else { return Digits.grouped(count) }
    return Digits.significant(Double(count) * unit.factor)
  }
}

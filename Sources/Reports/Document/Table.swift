// A table whose gaps explain themselves.
internal import Analysis

/// A table whose first column names the row.
///
/// A figure that is missing is a dash, and its reason stands below.
struct Table {
  enum Alignment {
    case left, right
  }

  /// What stands in a cell.
  enum Value {
    case text(String)
    /// Not measured, for this reason.
    case absent(String)

    /// A figure in words, or the reason why there is none.
    static func figure<Figure>(_ figure: Figure?, or reason: String, _ words: (Figure) -> String) -> Value {
      if let figure { .text(words(figure)) } else { .absent(reason) }
    }

    /// A figure in words, or the reason that comes with it.
    static func figure<Figure>(_ figure: Measured<Figure>, _ words: (Figure) -> String) -> Value {
      switch figure {
      case .figure(let figure): .text(words(figure))
      case .absent(let reason): .absent(reason)
      }
    }

    /// The text, or a dash.
    var shown: String {
      switch self {
      case .text(let text): text
      case .absent: "—"
      }
    }

    static func time(_ estimate: Measured<Estimate>) -> Value { .figure(estimate) { HumanUnits.time($0) } }

    /// A time in nanoseconds.
    static func time(_ nanoseconds: Measured<Int64>) -> Value {
      .figure(nanoseconds) { HumanUnits.time(Double($0) / 1e9) }
    }

    static func bytes(_ bytes: Measured<Int64>) -> Value { .figure(bytes) { HumanUnits.bytes($0) } }

    static func count(_ count: Measured<Int64>) -> Value { .figure(count) { Digits.grouped($0) } }

    static func number(_ number: Measured<Double>) -> Value { .figure(number) { Digits.significant($0) } }
  }

  /// The first names the row.
  let columns: [(title: String, alignment: Alignment)]
  private(set) var rows: [Row] = []
  private var absences: [Absence] = []

  struct Row {
    /// In plain text, as are the values.
    var name: String
    /// One for each column but the first.
    var values: [Value]
  }

  /// Makes a table of the column of names, whose title is `first`, and others.
  init(_ first: String, _ columns: [String], alignment: Alignment = .right) {
    self.columns = [(first, .left)] + columns.map { ($0, alignment) }
  }

  /// Makes a table of columns, the first of which names the row.
  init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; missing values at its end are blank, values beyond the last column are left out.
  mutating func append(_ name: String, _ values: [Value]) {
    let values = columns.indices.dropFirst().map { $0 <= values.count ? values[$0 - 1] : .text("") }
    rows.append(Row(name: name, values: values))
    var missing: [(reason: String, columns: [String])] = []
    for (column, value) in zip(columns.dropFirst(), values) {
      guard case .absent(let reason) = value else { continue }
      if let known = missing.firstIndex(where: { $0.reason == reason }) {
        missing[known].columns.append(column.title)
      } else {
        missing.append((reason, [column.title]))
      }
    }
    for (reason, titles) in missing { note(Absence(reason: reason, columns: titles, names: [name])) }
  }

  var isEmpty: Bool { rows.isEmpty }

  var markdown: String {
    let rules = columns.map { $0.alignment == .left ? ":--" : "--:" }
    let lines = rows.map { row in
      Table.line([Markdown.escaped(row.name)] + row.values.map { Markdown.escaped($0.shown) })
    }
    return ([Table.line(columns.map { Markdown.escaped($0.title) }), Table.line(rules)] + lines).joined(separator: "\n")
  }

  /// What the dashes mean, one item a reason.
  var notes: [ListItem] {
    absences.map { absence in
      let columns = Markdown.escaped(HumanUnits.list(absence.columns))
      let names = HumanUnits.list(absence.names.map { Markdown.code($0) })
      return ListItem("\(columns) of \(names): \(Markdown.escaped(absence.reason)).")
    }
  }

  /// Rows whose gaps lie in the same columns for the same reason share a note.
  private mutating func note(_ absence: Absence) {
    let known = absences.firstIndex { $0.reason == absence.reason && $0.columns == absence.columns }
    if let known {
      absences[known].names += absence.names
    } else {
      absences.append(absence)
    }
  }

  private static func line(_ fields: [String]) -> String { "| " + fields.joined(separator: " | ") + " |" }

  private struct Absence {
    let reason: String
    let columns: [String]
    var names: [String]
  }
}

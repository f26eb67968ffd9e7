// A table that explains its missing values.

/// A table with the name of each row in its first column.
///
/// A missing figure is shown as a dash, with its reason below the table.
struct Table {
  /// The columns; the first one names the row.
  let columns: [Column]
  private(set) var rows: [Row] = []
  /// Whether row names are ordinary words, not identifiers.
  private(set) var namesAreWords = false
  /// Whether rows without any figure are only mentioned in the notes.
  var leavesOutGaps = false
  /// Whether a sentence below the table gives the values that all rows share.
  var saysAlike = true

  struct Row {
    /// Plain text, like the values.
    var name: String
    /// One value for each column except the first.
    var values: [Value]
  }

  /// Makes a table with a column of names, titled `first`, and other columns.
  init(_ first: String, _ columns: [Column]) { self.columns = [.text(first)] + columns }

  /// Makes a table with ordinary words as row names.
  init(words first: String, _ columns: [Column]) {
    self.init(first, columns)
    namesAreWords = true
  }

  /// Makes a table of facts: one fact and its value per row.
  init(facts title: String) { self.init(words: title, [.text("Value")]) }

  /// Makes a table of text columns; the first one names the row.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns.map { .text($0.title, $0.alignment) }
  }

  /// Adds a row.
  ///
  /// Missing values at its end are blank; values beyond the last column are dropped.
  mutating func append(_ name: String, _ values: [Value]) {
    rows.append(
      Row(
        name: name,
        values: columns.indices.dropFirst().map { $0 <= values.count ? values[$0 - 1] : .text("") }))
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The table, and below it the values that all of its rows share.
  var markdown: [String] {
    let layout = layout
    let rules = layout.columns.map { $0.alignment == .left ? ":--" : "--:" }
    let lines = layout.rows.map { row in
      Table.line([row.name] + row.figures.map(\.whole))
    }
    let table = [Table.line(layout.columns.map(\.text)), "| \(rules.joined(separator: " | ")) |"] + lines
    return (layout.columns.count > 1 ? [table.joined(separator: "\n")] : [])
      + [alike].compactMap(\.self)
  }

  /// The values that all rows share, in Markdown; `nil` if there are none.
  var alike: String? { layout.sentence({ Markdown.escaped($1) }, figure: Markdown.escaped) }

  private static func line(_ fields: [String]) -> String {
    "| " + fields.map { Markdown.escaped($0) }.joined(separator: " | ") + " |"
  }

  /// More rows than this are only counted, and exceptions are named only up to this number.
  private static let mostNamed = 4
  private static let mostExcepted = 2

  /// What was not measured, one item per reason: `Syncs and Read of 12 cells; Heap peak of every cell but a: …`.
  var notes: [ListItem] {
    var reasons: [(reason: String, parts: [String])] = []
    for absence in absences {
      let part = "\(Markdown.escaped(HumanUnits.list(absence.columns))) of \(rowNames(absence.names))"
      if let known = reasons.firstIndex(where: { $0.reason == absence.reason }) {
        reasons[known].parts.append(part)
      } else {
        reasons.append((absence.reason, [part]))
      }
    }
    return reasons.map { ListItem("\($0.parts.joined(separator: "; ")): \(Markdown.escaped($0.reason)).") }
  }

  /// A description of the rows with these names: all, all but some, a list, or a number if there are many.
  private func rowNames(_ names: [String]) -> String {
    if names.count == rows.count, rows.count >= Table.leastFolded { return "every \(noun)" }
    func list(_ names: [String]) -> String {
      HumanUnits.list(names.map { namesAreWords ? Markdown.escaped($0) : Markdown.code($0) })
    }
    var known: Set<String> = []
    let different = names.filter { known.insert($0).inserted }
    guard different.count > Table.mostNamed else { return list(different) }
    let others = rows.map(\.name).filter { !known.contains($0) }
    // If rows share a name, another row with the name may have the figure.
    let isOneEach = different.count == names.count && different.count + others.count == rows.count
    return isOneEach && others.count <= Table.mostExcepted
      ? "every \(noun) but \(list(others))" : HumanUnits.counted(different.count, noun)
  }

  /// Whether the table shows a dash for a missing measurement.
  var hasDashes: Bool { layout.rows.contains { $0.figures.contains { $0.isAbsent } } }

  /// Rows that lack the same columns for the same reason share a note.
  ///
  /// Columns without any figure come first.
  private var absences: [Absence] {
    var absences: [Absence] = []
    func note(_ absence: Absence) {
      if let known = absences.firstIndex(where: { $0.reason == absence.reason && $0.columns == absence.columns }) {
        absences[known].names += absence.names
      } else {
        absences.append(absence)
      }
    }
    func note(_ columns: [Int], of row: Row, for names: [String]) {
      var missing: [Absence] = []
      for index in columns {
        guard case .absent(let reason) = row.values[index - 1] else { continue }
        if let known = missing.firstIndex(where: { $0.reason == reason }) {
          missing[known].columns.append(self.columns[index].title)
        } else {
          missing.append(Absence(reason: reason, columns: [self.columns[index].title], names: names))
        }
      }
      missing.forEach(note)
    }
    let folded = columns.indices.dropFirst().filter(isFolded)
    if let first = rows.first { note(folded, of: first, for: rows.map(\.name)) }
    let others = columns.indices.dropFirst().filter { !folded.contains($0) }
    for row in rows { note(others, of: row, for: [row.name]) }
    return absences
  }

  private struct Absence {
    let reason: String
    var columns: [String]
    var names: [String]
  }
}

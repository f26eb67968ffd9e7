// A table whose gaps explain themselves.

/// A table whose first column names the row.
///
/// A figure that is missing is a dash, and its reason stands below.
struct Table {
  /// The first names the row.
  let columns: [Column]
  private(set) var rows: [Row] = []
  /// Whether rows are named by words of a sentence, not by what a program calls them.
  private(set) var namesAreWords = false
  /// Whether a row without any figure stands only in the notes.
  var leavesOutGaps = false
  /// Whether a sentence below the table says what all rows have alike.
  var saysAlike = true

  struct Row {
    /// Plain text, like the values.
    var name: String
    /// One for each column but the first.
    var values: [Value]
  }

  /// Makes a table of the column of names, whose title is `first`, and others.
  init(_ first: String, _ columns: [Column]) { self.columns = [.text(first)] + columns }

  /// Makes a table whose rows are named by words.
  init(words first: String, _ columns: [Column]) {
    self.init(first, columns)
    namesAreWords = true
  }

  /// Makes a table of facts: a fact and its value per row.
  init(facts title: String) { self.init(words: title, [.text("Value")]) }

  /// Makes a table of text columns; the first names the row.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns.map { .text($0.title, $0.alignment) }
  }

  /// Adds a row; missing values at its end are blank, values beyond the last column are left out.
  mutating func append(_ name: String, _ values: [Value]) {
    rows.append(
      Row(
        name: name,
        values: columns.indices.dropFirst().map { $0 <= values.count ? values[$0 - 1] : .text("") }))
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The table, and below it what all of its rows have alike.
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

  /// What all rows have alike, in Markdown; nil for nothing.
  var alike: String? { layout.sentence({ Markdown.escaped($1) }, figure: Markdown.escaped) }

  private static func line(_ fields: [String]) -> String {
    "| " + fields.map { Markdown.escaped($0) }.joined(separator: " | ") + " |"
  }

  /// More rows than these are counted, and a rest of more is not named.
  private static let mostNamed = 4
  private static let mostExcepted = 2

  /// What was not measured, one item a reason: `Syncs and Read of 12 cells; Heap peak of every cell but a: …`.
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

  /// The rows of these names, one for each: all of them, all but some, or how many they are where they are many.
  private func rowNames(_ names: [String]) -> String {
    if names.count == rows.count, rows.count >= Table.leastFolded { return "every \(noun)" }
    func list(_ names: [String]) -> String {
      HumanUnits.list(names.map { namesAreWords ? Markdown.escaped($0) : Markdown.code($0) })
    }
    var known: Set<String> = []
    let different = names.filter { known.insert($0).inserted }
    guard different.count > Table.mostNamed else { return list(different) }
    let others = rows.map(\.name).filter { !known.contains($0) }
    // If rows share a name, another one may have the figure.
    let isOneEach = different.count == names.count && different.count + others.count == rows.count
    return isOneEach && others.count <= Table.mostExcepted
      ? "every \(noun) but \(list(others))" : HumanUnits.counted(different.count, noun)
  }

  /// Whether a dash means that something was not measured.
  var hasDashes: Bool { layout.rows.contains { $0.figures.contains { $0.isAbsent } } }

  /// Rows with gaps in the same columns for the same reason share a note.
  ///
  /// Columns that only have gaps come first.
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

// The reference of scenario files: every key, in columns for the terminal or as a Markdown table.
internal import BatchmarkEngine
internal import Scenarios

/// The table of keys, as `list --keys` prints it.
struct KeyReference {
  private static let titles = ["key", "where", "value", "default", "also in", "meaning"]
  /// The maximum width of a column.
  ///
  /// A longer list of words shifts only its own line.
  private static let widestColumn = 36

  /// A line for each key.
  private let rows: [[String]]

  init(_ schema: ScenarioSchema) {
    rows = schema.keys.map { key in
      let uses = (key.isSweepable ? ["sweep"] : []) + (key.isSettable ? ["--set"] : [])
      return [
        key.name, key.location.rawValue, key.kind.description, key.standard ?? "", uses.joined(separator: ", "),
        key.help,
      ]
    }
  }

  /// The table in columns, below a line with their titles.
  var text: String {
    let lines = [KeyReference.titles] + rows.map { row in row.map { $0.isEmpty ? "-" : $0 } }
    let widths = KeyReference.titles.indices.map { column in
      min(lines.map { $0[column].count }.max() ?? 0, KeyReference.widestColumn)
    }
    return lines.map { line in
      let columns = zip(line, widths).dropLast().map { text, width in
        text + String(repeating: " ", count: max(width - text.count, 0)) + "  "
      }
      return columns.joined() + (line.last ?? "") + "\n"
    }.joined()
  }

  /// The table in Markdown.
  ///
  /// The meaning comes early, so that a narrow page shows it.
  var markdown: String {
    let lines =
      [KeyReference.titles, KeyReference.titles.map { _ in ":--" }]
      + rows.map { row in ["`\(row[0])`"] + row.dropFirst().map(KeyReference.escaped) }
    return lines.map { line in
      "| " + (line.prefix(2) + line.suffix(1) + line.dropFirst(2).dropLast()).joined(separator: " | ") + " |\n"
    }.joined()
  }

  /// Escapes text for Markdown.
  ///
  /// Options become code, because two hyphens would become a dash.
  private static func escaped(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing(/--[a-z]+/) { "`\($0.output)`" }
  }
}

// `--only` and `--skip`: selects the cells to measure.
internal import Harness
internal import BatchmarkEngine
internal import Scenarios

/// The combination of `--only` and `--skip`: cells that match any value of the first, or all cells without one, except
/// those that match a value of the second.
struct CellSelection {
  private let only: [CellPattern]
  private let skip: [CellPattern]

  /// The most cells that a message names.
  private static let mostNamed = 20

  /// - Throws: ``CommandError`` with status ``CommandStatus/usage`` if a regular expression is invalid.
  init(only: [String], skip: [String] = []) throws(CommandError) {
    self.only = try CellSelection.patterns(only, "--only")
    self.skip = try CellSelection.patterns(skip, "--skip")
  }

  /// Whether it selects everything.
  var isEmpty: Bool { only.isEmpty && skip.isEmpty }

  func selects(_ cell: Cell, tags: [String]) -> Bool { selects { $0.selects(cell, tags: tags) } }

  /// Whether it selects a cell that may have a different name in each of these scenarios.
  func selects(_ scenarios: [Scenario]) -> Bool {
    selects { pattern in
      scenarios.contains { one in one.cells.contains { pattern.selects($0, tags: one.tags[$0]) } }
    }
  }

  /// The same for a cell known only by its id and words.
  func selects(id: String, words: some Sequence<String>) -> Bool { selects { $0.selects(id: id, words: words) } }

  private func selects(_ isMeant: (CellPattern) -> Bool) -> Bool {
    (only.isEmpty || only.contains(where: isMeant)) && !skip.contains(where: isMeant)
  }

  /// Refuses a pattern that matches none of the cells, and patterns that together select none.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  func check(among scenarios: [Scenario]) throws(CommandError) {
    let cells = scenarios.flatMap { scenario in scenario.cells.map { ($0, scenario.tags[$0]) } }
    try check(ids: cells.map(\.0.id)) { pattern, index in
      pattern.selects(cells[index].0, tags: cells[index].1)
    }
  }

  /// The same for cells known only by their ids and words.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  func check(ids: [String], _ selects: (CellPattern, _ index: Int) -> Bool) throws(CommandError) {
    for (option, patterns) in [("--only", only), ("--skip", skip)] {
      for pattern in patterns { _ = ids.indices.filter { selects(pattern, $0) } }
      if let problem = patterns.lazy.compactMap(\.problem).first { throw CommandError(.usage, "\(option): \(problem)") }
      guard let pattern = patterns.first(where: { pattern in !ids.indices.contains { selects(pattern, $0) } })
      else { continue }
      throw CommandError(
        .usage, "\(option) \(pattern.text): found no such cell; the cells are \(CellSelection.list(ids))")
    }
    let isAnyLeft = ids.indices.contains { index in self.selects { selects($0, index) } }
    guard isAnyLeft || isEmpty else {
      throw CommandError(
        .usage,
        "--skip \(skip.map(\.text).joined(separator: " ")): found no cell left to measure; the cells are \(CellSelection.list(ids))"
      )
    }
  }

  private static func list(_ ids: [String]) -> String {
    var known: Set<String> = []
    let ids = ids.filter { known.insert($0).inserted }
    let others = ids.count > mostNamed ? " and \(ids.count - mostNamed) more" : ""
    return ids.prefix(mostNamed).joined(separator: ", ") + others
  }

  private static func patterns(_ words: [String], _ option: String) throws(CommandError) -> [CellPattern] {
    var patterns: [CellPattern] = []
    for word in words {
      do throws(CellPatternError) {
        patterns.append(try CellPattern(word))
      } catch {
        throw CommandError(.usage, "\(option): \(error)")
      }
    }
    return patterns
  }
}

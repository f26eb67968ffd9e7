// The key `exclude`, which removes unwanted cells of a sweep.
import BatchmarkEngine

/// How the cells differ from those in the file.
struct CellChanges {
  /// Whether settings changed parameters of cells, and so their names.
  var hasRenamedCells = false
  /// Whether settings replaced parts of the sweep, so that exclusions may name cells that no longer exist.
  var hasReplacedSweep = false
  /// Whether cells with missing engines were left out.
  var leavesOutCells = false

  /// Whether a name that matches no cell may be valid.
  var mayNameOthers: Bool { hasRenamedCells || leavesOutCells }
}

extension ScenarioSections {
  /// The cells that no exclusion matches.
  ///
  /// An exclusion without matches is a mistake only if no setting changed the sweep and no cell was left out. Otherwise
  /// it may refer to cells that no longer exist.
  func readExclusions(_ node: YAMLNode, from cells: [PlacedCell], isSwept: Bool) -> [PlacedCell] {
    let expected = "a list of what to leave out, such as [{strategy: \(schema.exampleStrategy), rows: 1_000_000}]"
    guard let items = items(node, expected: expected) else { return cells }
    let isChecked = !changes.hasReplacedSweep && !changes.mayNameOthers
    if let first = items.dropFirst(SweepAxis.mostCells).first {
      diagnose(first.place, found: "\(items.count) exclusions", expected: "at most \(SweepAxis.mostCells)")
      return cells
    }
    if items.isEmpty { diagnose(node.place, found: "an empty list", expected: expected) }
    if !isSwept && isChecked {
      diagnose(
        node.place, found: "the key 'exclude' without a key 'sweep'", expected: "a sweep whose cells it leaves out")
      return cells
    }
    let mistakes = diagnostics.count
    var excluded: Set<String> = []
    for item in items {
      guard
        let entries = entries(
          item, expected: "a mapping, such as {strategy: \(schema.exampleStrategy), rows: 1_000_000}")
      else {
        continue
      }
      let matched = self.cells(among: cells.map(\.cell), matching: entries, at: item.place, isChecked: isChecked)
      excluded.formUnion(matched.map(\.id))
    }
    let kept = cells.filter { !excluded.contains($0.cell.id) }
    if kept.isEmpty && !cells.isEmpty && diagnostics.count == mistakes {
      diagnose(node.place, found: "exclusions that leave no cell", expected: "at least one cell that none matches")
    }
    return kept
  }

  /// The cells that have all of the values.
  private func cells(
    among cells: [Cell], matching entries: [YAMLNode.Entry], at place: SourceLocation, isChecked: Bool
  ) -> [Cell] {
    let mistakes = diagnostics.count
    if entries.isEmpty {
      diagnose(
        place, found: "an empty mapping", expected: "keys and values, such as {strategy: \(schema.exampleStrategy)}")
      return []
    }
    var matched = cells
    for entry in entries {
      let words = self.words(of: entry.key, among: cells)
      if words.isEmpty {
        guard isChecked else { return [] }
        diagnose(
          entry.keyPlace, found: "the key \(shown(entry.key)) in an exclusion", word: entry.key,
          words: exclusionKeys(of: cells))
        continue
      }
      let wanted = excludedWords(entry, among: words, isChecked: isChecked)
      matched.removeAll { cell in self.word(entry.key, of: cell).map { !wanted.contains($0) } ?? true }
    }
    if matched.isEmpty && isChecked && diagnostics.count == mistakes {
      diagnose(
        place, found: "an exclusion that no cell matches", expected: "values that one cell has, all of them together")
    }
    return matched
  }

  /// The words for an exclusion's value or values, as they occur in cells.
  private func excludedWords(_ entry: YAMLNode.Entry, among words: [String], isChecked: Bool) -> [String] {
    var values = [entry.value]
    if case .list(let items) = entry.value.content { values = items }
    if values.isEmpty {
      diagnose(entry.value.place, found: "an empty list", expected: "one of " + words.joined(separator: ", "))
    }
    return values.compactMap { value in
      guard let text = text(value, expected: "one of " + words.joined(separator: ", ")) else { return nil }
      let synonyms = ["true": "on", "yes": "on", "false": "off", "no": "off"]
      // Use the spelling of ids: numbers without underscores, sizes without a space.
      let word = wholeNumberDigits(text) ?? text.lowercased()
      let spellings = [text, word, text.filter { $0 != " " }, synonyms[word] ?? word]
      if let known = spellings.first(where: words.contains) { return known }
      if isChecked {
        diagnose(
          value.place, found: "\(shown(text)), which no cell has for '\(entry.key)'", word: text, words: words)
      }
      return nil
    }
  }

  /// The values of a key in the cells, without duplicates; empty for an unknown key.
  private func words(of key: String, among cells: [Cell]) -> [String] {
    var words: [String] = []
    for word in cells.compactMap({ self.word(key, of: $0) }) where !words.contains(word) { words.append(word) }
    return words
  }

  /// A cell's value for a key; `nil` if the cell does not have the key.
  private func word(_ key: String, of cell: Cell) -> String? {
    switch key {
    case "engine": cell.engine
    case "strategy": cell.strategy
    default: cell.parameters[key]?.description ?? parameters(of: cell)[key]?.standard.description
    }
  }

  private func parameters(of cell: Cell) -> [String: Parameter] {
    schema.strategy(of: cell)?.parametersByName ?? [:]
  }

  private func exclusionKeys(of cells: [Cell]) -> [String] {
    ["engine", "strategy"]
      + Set(cells.flatMap { $0.conditionKeys + parameters(of: $0).keys }).sorted()
  }
}

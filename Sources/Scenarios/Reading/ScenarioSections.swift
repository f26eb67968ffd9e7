// Combines the sections of a scenario, once or for each combination of a sweep.
import BatchmarkEngine
import ObjectGraph

/// Reads a whole scenario.
///
/// If settings of the source, the store or the scenario are swept, everything but the cells is read for each
/// combination that a cell has.
struct ScenarioSections: NodeReading {
  let diagnostics: Diagnostics
  let schema: ScenarioSchema
  let changes: CellChanges

  /// Reads the scenario; `nil` if there is a mistake, which is among the diagnostics.
  func read(_ root: YAMLNode) -> Scenario? {
    guard let section = section(root, .scenario) else { return nil }
    let name = required("scenario", in: section, example: "scenario: earthquakes").flatMap { self.name($0) }
    let about = about(section["about"])
    let tags = readTags(section["tags"])
    let operation = OperationSection(diagnostics: diagnostics).kind(section["operation"])
    var mistakes = diagnostics.count
    let sweep =
      section["sweep"].map {
        readSweep($0, over: section, operation: operation)
      } ?? []
    let isSweepWhole = diagnostics.count == mistakes
    mistakes = diagnostics.count
    var cells = cells(in: section, scenario: name ?? "scenario", operation: operation, sweep: sweep)
    // If a cell has a mistake, it is unknown whether an exclusion or a budget names it.
    if let node = section["exclude"], let found = cells, isSweepWhole, diagnostics.count == mistakes {
      cells = readExclusions(node, from: found, isSwept: section["sweep"] != nil)
    }
    let areCellsWhole = isSweepWhole && diagnostics.count == mistakes
    let budgets = section["budgets"].map {
      readBudgets($0, of: areCellsWhole ? cells?.map(\.cell) : nil, operation: operation)
    }
    let gate = section["gate"].map {
      readGate($0, of: areCellsWhole ? cells?.map(\.cell) : nil, operation: operation)
    }
    // If an axis of the sweep has no value, others would seem to be missing, so do not look for them.
    guard isSweepWhole else { return nil }
    let variants = variants(of: section, name: name, operation: operation, cells: cells ?? [], sweep: sweep)
    guard diagnostics.count == 0, var scenario = variants.first?.scenario, let cells else { return nil }
    let differing = Set(variants.flatMap { $0.scenario.cells.map(\.id) })
    scenario.cells = cells.map(\.cell).filter { differing.contains($0.id) }
    scenario.about = about.first.flatMap(\.self)
    scenario.alsoAbout = about.dropFirst().compactMap(\.self)
    scenario.tags = CellTags(
      common: tags, own: Dictionary(cells.map { ($0.cell.id, $0.tags) }) { first, _ in first }.filter { !$1.isEmpty })
    scenario.budgets = budgets ?? []
    scenario.gate = gate ?? Gate()
    if sweep.contains(where: { $0.subject != .parameter }) {
      scenario.variants = Dictionary(variants.map { ($0.conditions, $0.scenario) }) { first, _ in first }
      scenario.fingerprint = Scenario.fingerprint(of: scenario.variants)
    }
    return scenario
  }

  /// The exact metrics or latencies that the scenario is about, the most important one first; `nil` among them means
  /// time.
  private func about(_ node: YAMLNode?) -> [MetricID?] {
    guard let node else { return [] }
    let expected = "time, an exact figure such as heap_peak, wal_peak or syncs, or a latency such as latency.read.p99"
    let figures = schema.metrics.filter { $0.precision == .exact || $0.id.isLatency }
    var found: [MetricID?] = []
    var earlier: Set<String> = []
    let items = if case .list(let items) = node.content { items } else { [node] }
    for item in items {
      guard let word = text(item, expected: expected) else { continue }
      if !earlier.insert(word).inserted {
        diagnose(item.place, found: "the figure \(shown(word)) again", expected: "each figure once")
      } else if word == ScenarioSections.time {
        found.append(nil)
      } else if let figure = figures.first(where: { $0.name == word || $0.column == word }) {
        found.append(figure.id)
      } else {
        diagnose(
          item.place, found: "the figure \(shown(word))", expected: expected,
          suggestion: nearestWord(to: word, among: [ScenarioSections.time] + figures.map(\.name)))
      }
    }
    return found
  }

  private static let time = "time"

  private func cells(
    in section: Section, scenario: String, operation: Operation.Kind, sweep: [SweepAxis]
  ) -> [PlacedCell]? {
    let example = "cells: [{strategy: \(schema.exampleStrategy)}]"
    return required("cells", in: section, example: example).map {
      readCells($0, in: section, scenario: scenario, operation: operation, sweep: sweep)
    }
  }

  /// The scenario for each combination of swept conditions, with its cells.
  private func variants(
    of section: Section, name: String?, operation: Operation.Kind, cells: [PlacedCell], sweep: [SweepAxis]
  ) -> [(conditions: [String: ParameterValue], scenario: Scenario)] {
    let axes = sweep.filter { $0.subject == .condition }
    var combinations = cells.map(\.cell).distinctConditions
    // Do not expand the sweep here: one that was refused for its size would not fit into memory.
    if combinations.isEmpty { combinations = [SweepCombination.first(of: axes).conditions] }
    return combinations.compactMap { combination in
      var variant = section
      for axis in axes {
        guard let node = axis.node(meaning: combination[axis.name]) else { continue }
        variant = variant.setting(axis.path, to: node)
      }
      let own = cells.filter { $0.cell.conditions == combination }
      return ScenarioVariant(diagnostics: diagnostics, schema: schema)
        .read(variant, name: name, operation: operation, cells: own).map { (combination, $0) }
    }
  }

  private static let longestName = 100

  /// A name that can be part of a cell's id.
  private func name(_ node: YAMLNode) -> String? {
    let expected = "a name of ASCII letters, digits, '-', '_' and '.'"
    guard let name = text(node, expected: expected) else { return nil }
    guard isName(name) else {
      diagnose(node.place, found: "the name \(shown(name))", expected: expected)
      return nil
    }
    // It is a prefix of file names, which can have at most 255 bytes.
    guard name.utf8.count <= ScenarioSections.longestName else {
      diagnose(
        node.place, found: "a name of \(name.utf8.count) characters",
        expected: "at most \(ScenarioSections.longestName)")
      return nil
    }
    return name
  }
}

extension ScenarioSections {
  /// Each budget looks at every cell.
  static let mostBudgets = 1_000

  /// Reads the budgets; `cells` is `nil` if some cells could not be read.
  func readBudgets(_ node: YAMLNode, of cells: [Cell]?, operation: Operation.Kind) -> [Budget] {
    let line = "\(schema.exampleStrategy).wall <= 2 s"
    let example = "a budget, such as \(line)"
    guard let items = items(node, expected: "a list of budgets, such as [\(line)]") else { return [] }
    if items.isEmpty { diagnose(node.place, found: "no budget", expected: example) }
    if let first = items.dropFirst(ScenarioSections.mostBudgets).first {
      diagnose(first.place, found: "\(items.count) budgets", expected: "at most \(ScenarioSections.mostBudgets)")
      return []
    }
    return items.compactMap { item in
      guard let text = text(item, expected: example) else { return nil }
      var reading = BudgetReading(
        text: text, metrics: schema.metrics,
        words: MetricReader(operation: operation, cells: cells, mayNameOthers: changes.mayNameOthers),
        exampleStrategy: schema.exampleStrategy)
      do throws(MetricMistake) {
        return try reading.budget()
      } catch {
        diagnose(
          item.place(ofScalar: error.offset), found: error.found, expected: error.expected,
          suggestion: error.suggestion)
        return nil
      }
    }
  }
}

extension YAMLNode {
  /// The position of a Unicode scalar in a text on one line; for text on several lines, the position of the whole text.
  func place(ofScalar offset: Int) -> SourceLocation {
    guard case .file(let line, let column) = place, case .scalar(let text, let isQuoted) = content,
      !text.contains("\n")
    else { return place }
    return .file(line: line, column: column + offset + (isQuoted ? 1 : 0))
  }
}

// The text of a migration that was tried on a copy: what happens, what is lost, and what it costs.

internal import Analysis

extension InspectionPage {
  init(_ inspection: MigrationInspection) {
    var blocks: [Block] = [.heading(1, inspection.file), .facts(inspection.facts)]
    if !inspection.problems.isEmpty {
      blocks.append(.heading(2, "Why it cannot be opened"))
      blocks.append(.list(inspection.problems.map { "\($0)." }))
    }
    if inspection.outcome == .migrated {
      blocks.append(.heading(2, "Changes"))
      let changes = inspection.changes.flatMap(\.sentences)
      blocks.append(changes.isEmpty ? .sentence("No entity changes.") : .list(changes))
      if !inspection.tables.isEmpty {
        blocks.append(.heading(2, "Tables"))
        var grid = Grid(left: ["table"], right: ["rows"], leftAgain: ["its rows are"])
        grid.rows = inspection.tables.map {
          [$0.name, Digits.grouped($0.rows), $0.isCopied ? "copied" : "left in place"]
        }
        blocks.append(.table(grid))
      }
      blocks.append(.heading(2, "Statements"))
      blocks.append(.list(inspection.statements))
    }
    self.init(blocks)
  }
}

extension MigrationInspection {
  /// The effect in a few words.
  package var summary: String {
    switch outcome {
    case .unchanged: return "has this model"
    case .refused: return "cannot be opened with it: " + problems.joined(separator: "; ")
    case .migrated:
      let copied = tables.filter(\.isCopied)
      let rows = copied.reduce(0) { $0 + $1.rows }
      let losses = changes.flatMap(\.losses)
      return
        [
          "is migrated: " + HumanUnits.counted(statements.count, "statement"),
          copied.isEmpty
            ? "no table copied"
            : "\(HumanUnits.counted(copied.count, "table")) of \(HumanUnits.counted(Int(clamping: rows), "row")) copied",
          seconds.map { HumanUnits.time($0) + " here" },
          losses.isEmpty ? "nothing is lost" : "lost: " + HumanUnits.list(losses),
        ].compactMap(\.self).joined(separator: "; ")
    }
  }

  fileprivate var facts: [(name: String, text: String)] {
    var facts = [(name: "with this model", text: summary)]
    if let seconds, let bytesAfter {
      facts.append((name: "time on a copy here", text: HumanUnits.time(seconds)))
      facts.append(
        (name: "file", text: "\(HumanUnits.bytes(bytesBefore)) before, \(HumanUnits.bytes(bytesAfter)) after"))
    }
    return facts
  }
}

extension MigrationInspection.Change {
  /// What is lost from its objects, as nouns.
  fileprivate var losses: [String] {
    guard let source else { return [] }
    if entity == nil {
      return objects == 0 ? [] : ["\(HumanUnits.counted(Int(clamping: objects), "object")) of \(source)"]
    }
    return lost.compactMap { loss in
      guard let values = loss.values else { return "\(source).\(loss.property)" }
      return values == 0 ? nil : "\(HumanUnits.counted(Int(clamping: values), "value")) of \(source).\(loss.property)"
    }
  }

  fileprivate var sentences: [String] {
    guard let entity else {
      return ["\(source ?? "") is removed with its \(HumanUnits.counted(Int(clamping: objects), "object"))."]
    }
    guard let source else { return ["\(entity) is added."] }
    var sentences: [String] = []
    if source != entity { sentences.append("\(source) is named \(entity) now.") }
    if !added.isEmpty { sentences.append("\(entity) gets \(HumanUnits.list(added)).") }
    for (name, old) in renamed.sorted(by: { $0.key < $1.key }) {
      sentences.append("\(entity).\(old) is named \(name) now.")
    }
    for loss in lost {
      let values = loss.values.map { " with \(HumanUnits.counted(Int(clamping: $0), "value"))" } ?? ""
      sentences.append("\(source).\(loss.property) is removed\(values).")
    }
    return sentences.isEmpty ? ["\(entity) changes in its rules, and keeps its values."] : sentences
  }
}

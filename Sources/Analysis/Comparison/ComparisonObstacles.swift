// The reasons why two results cannot be compared. A comparison that skipped incomparable parts would miss everything in
// them, so each difference stops it.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// The differences that make figures answer different questions.
package struct ComparisonObstacles {
  package let base: Report
  package let head: Report

  /// One sentence each.
  package var sentences: [String] { runs + scenarios }

  private var runs: [String] {
    var found: [String] = []
    for (side, results) in [("base", base), ("head", head)] {
      if !results.run.isComparable { found.append("\(side) is of a debug build, whose figures mean nothing") }
      if results.run.isInterrupted { found.append("\(side) was interrupted before every sample was taken") }
    }
    let versions = [base, head].map { results in results.environment.first { $0.name == "SQLite" }?.value }
    if versions[0] != versions[1] {
      let words = versions.map { $0 ?? "unknown" }
      found.append("base was measured with SQLite \(words[0]), and head with \(words[1])")
    }
    return found
  }

  private var scenarios: [String] {
    let names = [base, head].map { $0.scenarios.map(\.name) }
    let one = names[0].filter { !names[1].contains($0) }.map { "head has no scenario \($0), which base has" }
    let other = names[1].filter { !names[0].contains($0) }.map { "base has no scenario \($0), which head has" }
    let both = base.scenarios.flatMap { scenario -> [String] in
      head.scenarios.first { $0.name == scenario.name }.map { differences(scenario, $0) } ?? []
    }
    return one + other + both + (names[0].isEmpty && names[1].isEmpty ? ["neither has a scenario"] : [])
  }

  private func differences(_ one: ScenarioReport, _ other: ScenarioReport) -> [String] {
    guard one.fingerprint == other.fingerprint else {
      return [
        "the scenario \(one.name) asks another question: its fingerprint is \(one.fingerprint) in base and "
          + "\(other.fingerprint) in head"
      ]
    }
    let ids = [one, other].map { $0.cells.map(\.cell.id) }
    var found = ids[0].filter { !ids[1].contains($0) }.map { "head has no cell \($0), which base has" }
    found += ids[1].filter { !ids[0].contains($0) }.map { "base has no cell \($0), which head has" }
    if let hash = one.contentHash, let second = other.contentHash, hash != second {
      found.append("the scenario \(one.name) stored other rows: their hash is \(hash) in base and \(second) in head")
    }
    for cell in one.cells {
      guard let second = other.cells.first(where: { $0.cell.id == cell.cell.id }) else { continue }
      found += gaps(cell, second) + libraries(cell, second)
      // A sweep has no hash that all of its cells share.
      let hashes = [cell, second].map { Set($0.samples.map(\.contents.contentHash)).sorted() }
      let haveHashes = one.contentHash != nil && other.contentHash != nil
      if !haveHashes, hashes[0] != hashes[1], hashes.allSatisfy({ !$0.isEmpty }) {
        let words = hashes.map { $0.joined(separator: " and ") }
        found.append(
          "the cell \(cell.cell.id) stored other rows: their hash is \(words[0]) in base and \(words[1]) in head")
      }
    }
    return found
  }

  /// A different SQLite in the program that is the cell's engine.
  ///
  /// If one side does not know it, that is not a difference.
  private func libraries(_ one: CellReport, _ other: CellReport) -> [String] {
    let found = [one, other].map { Set($0.samples.compactMap(\.programSQLite)).sorted() }
    guard found[0] != found[1], found.allSatisfy({ !$0.isEmpty }) else { return [] }
    let words = found.map { $0.joined(separator: " and ") }
    return ["the program of \(one.cell.id) used SQLite \(words[0]) in base, and \(words[1]) in head"]
  }

  /// Metrics that one side lacks.
  private func gaps(_ one: CellReport, _ other: CellReport) -> [String] {
    ComparedCell.phases.compactMap { phase -> String? in
      guard let base = one.summary(of: phase) else {
        return other.summary(of: phase) == nil
          ? nil : "base has no phase \(phase.rawValue) of \(one.cell.id), which head has"
      }
      guard let head = other.summary(of: phase) else {
        return "head has no phase \(phase.rawValue) of \(one.cell.id), which base has"
      }
      let gaps = FigureGaps(base: Set(base.metrics.keys), head: Set(head.metrics.keys))
      let place = "\(phase.rawValue) of \(one.cell.id)"
      if let first = gaps.lost.first { return "head has no \(first.rawValue) in \(place), which base has" }
      return gaps.gained.first.map { "base has no \($0.rawValue) in \(place), which head has" }
    }
      + (one.phases.isEmpty || other.phases.isEmpty ? ["no sample of \(one.cell.id) succeeded on one side"] : [])
  }
}

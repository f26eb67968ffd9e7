// The reasons why the two sides of a pair cannot be compared, although both were measured: another SQLite, scenario or
// cell, or other rows or metrics. Each one fails the gate.
package import Harness
internal import Instruments
package import BatchmarkEngine

extension PairResults {
  /// Why a comparison's figures answer different questions, one sentence each; empty if they can be compared.
  ///
  /// Intended changes of the sides are not obstacles: their SQLite, the scenario's fingerprint, a cell's parameters,
  /// the set of metrics. Different rows are still an obstacle.
  package func obstacles(to comparison: PairComparison) -> [String] {
    let differ = base.overrides != head.overrides
    let differInSQLite = base.sqliteFile != head.sqliteFile
    var found = comparison.cellObstacles(mayDiffer: differ) + comparison.libraryObstacles(mayDiffer: differInSQLite)
    if !differ, comparison.baseFingerprint != comparison.headFingerprint {
      found.append(
        "the scenario \(comparison.baseCell.scenario) asks another question: its fingerprint is "
          + "\(comparison.baseFingerprint) in base and \(comparison.headFingerprint) in head, which have the same settings"
      )
    }
    found += comparison.readingObstacles
    let gaps = comparison.gaps
    if !differ {
      found += gaps.lost.map { "head has no \($0.rawValue), which base has" }
      found += gaps.gained.filter { !isNew($0, in: comparison) }.map { "base has no \($0.rawValue), which head has" }
    }
    if !comparison.isOfOneContent {
      let hashes = [true, false].map {
        comparison.distinct(isBase: $0, \.contents.contentHash).joined(separator: " and ")
      }
      found.append(
        "the sides did not store the same rows, so their figures are of different work: the content hash is "
          + "\(hashes[0]) in base and \(hashes[1]) in head")
    }
    return found
  }

  /// Whether a metric that only head has is unknown to base's build, as opposed to one that base failed to measure: its
  /// instrument measured other metrics there.
  private func isNew(_ metric: MetricID, in comparison: PairComparison) -> Bool {
    guard base.build != head.build,
      let instrument = InstrumentList.all.first(where: { $0.metrics.contains { $0.id == metric } })
    else { return false }
    let known = Set(comparison.baseFigures.flatMap { $0.mainPhase?.metrics.keys.map { $0 } ?? [] })
    return instrument.metrics.contains { known.contains($0.id) }
  }

  /// What is not compared, although nothing is wrong: metrics that only one side has.
  package func oneSidedFigures(of comparison: PairComparison) -> (base: [MetricID], head: [MetricID]) {
    let gaps = comparison.gaps
    return (gaps.lost, gaps.gained)
  }
}

extension PairComparison {
  private func samples(isBase: Bool) -> [Sample] {
    (isBase ? baseFigures : headFigures) + (pairs + confirmation).map { isBase ? $0.base : $0.head }
  }

  /// The distinct values that a side's samples report, in their order.
  func distinct(isBase: Bool, _ word: (Sample) -> String?) -> [String] {
    var words: [String] = []
    for value in samples(isBase: isBase).compactMap(word) where !words.contains(value) { words.append(value) }
    return words
  }

  fileprivate func cellObstacles(mayDiffer: Bool) -> [String] {
    var (base, head) = (baseCell, headCell)
    if mayDiffer { (base.parameters, head.parameters) = ([:], [:]) }
    return base == head ? [] : ["base's cell is \(baseCell.id), and head's is \(headCell.id), which is another"]
  }

  /// Different SQLite libraries of workers, or of the program that is the cell's engine.
  fileprivate func libraryObstacles(mayDiffer: Bool) -> [String] {
    libraryObstacles(of: ["base", "head"], \.sqlite, mayDiffer: mayDiffer)
      + libraryObstacles(of: ["base's program", "head's program"], \.programSQLite, mayDiffer: mayDiffer)
  }

  private func libraryObstacles(
    of sides: [String], _ library: (Sample) -> String?, mayDiffer: Bool
  ) -> [String] {
    let libraries = [true, false].map { distinct(isBase: $0, library) }
    for (side, found) in zip(sides, libraries) where found.count > 1 {
      return ["\(side) ran with more than one SQLite: \(found.joined(separator: " and "))"]
    }
    guard !mayDiffer, let base = libraries[0].first, let head = libraries[1].first, base != head else { return [] }
    return ["\(sides[0]) ran with SQLite \(base), and \(sides[1]) with SQLite \(head)"]
  }

  /// Workers of another build that interpreted the scenario's file differently from the plan.
  fileprivate var readingObstacles: [String] {
    [("base", true, baseFingerprint), ("head", false, headFingerprint)].flatMap { side, isBase, planned in
      distinct(isBase: isBase, \.fingerprint).filter { $0 != planned }.map {
        "\(side)'s workers read the scenario \(baseCell.scenario) as another: its fingerprint is \($0) there, and "
          + "\(planned) as it was planned"
      }
    }
  }

  /// The metrics of the main phase that only one side has; empty if no exact pass was taken.
  fileprivate var gaps: FigureGaps {
    let metrics = [baseFigures, headFigures].map { samples in
      Set(samples.flatMap { $0.mainPhase?.metrics.keys.map { $0 } ?? [] })
    }
    return FigureGaps(base: metrics[0], head: metrics[1])
  }
}

/// The judged figures of one phase that only one of two sides has.
package struct FigureGaps {
  /// The metrics that only base has.
  package let lost: [MetricID]
  /// The metrics that only head has.
  package let gained: [MetricID]

  package init(base: Set<MetricID>, head: Set<MetricID>) {
    func inOrder(_ metrics: Set<MetricID>) -> [MetricID] {
      metrics.filter(\.isJudged).sorted { $0.rawValue < $1.rawValue }
    }
    lost = inOrder(base.subtracting(head))
    gained = inOrder(head.subtracting(base))
  }
}

// Combines the same pairs of two sides on several machines into one verdict. Each machine first computes its own ratio.
package import Harness
internal import BatchmarkEngine
internal import Instruments

/// The results of several machines for two sides.
package struct PairMerge: Sendable {
  /// Each machine's own comparison, by shard.
  package let results: [PairResults]
  /// Sorted by shard.
  package let machines: [MergedMachine]
  package let cells: [PairOnMachines]
  /// The facts that all machines share, in display order.
  package let alike: [EnvironmentFact]
  /// What is missing in a partial merge; `nil` if no machine is missing.
  package let absent: AbsentShards?

  /// The common rules of all machines.
  package var rules: PairRules { results[0].rules }

  /// Combines the machines' comparisons.
  ///
  /// Their order does not matter.
  ///
  /// O(machines · cells · pairs).
  ///
  /// - Parameters:
  ///   - pairs: Results of `pair --machines`, with the user's names for them.
  ///   - isPartial: Whether machines may be missing or interrupted.
  /// - Throws: ``ShardMergeError`` with all reasons why they do not belong to one comparison.
  package init(_ pairs: [(name: String, results: PairResults)], isPartial: Bool) throws(ShardMergeError) {
    var sentences: [String] = []
    var known: [Known] = []
    for pair in pairs {
      if let shard = pair.results.shard {
        if let sentence = ShardPart.impossible(shard, pair.name) { sentences.append(sentence) }
        known.append((pair.name, pair.results, shard))
      } else {
        sentences.append("\(pair.name) is of one machine alone; expected a comparison with pair --machines")
      }
    }
    known.sort { ($0.shard.index, $0.name, $0.results.run.runID) < ($1.shard.index, $1.name, $1.results.run.runID) }
    guard let first = known.first, sentences.isEmpty else {
      throw ShardMergeError(
        sentences: sentences.isEmpty
          ? ["found no comparison to merge; expected the folders of pair --machines"] : sentences)
    }
    for pair in known.dropFirst() { sentences += PairMerge.differences(of: pair, from: first) }
    let parts = known.map {
      ShardPart(name: $0.name, shard: $0.shard, isWhole: !$0.results.run.isInterrupted, remedy: "measure it again")
    }
    sentences += ShardPart.obstacles(to: parts, isPartial: isPartial)
    guard sentences.isEmpty else { throw ShardMergeError(sentences: sentences) }

    results = known.map(\.results)
    let environments = results.map(\.environment)
    let alike = environments[0].filter { fact in environments.allSatisfy { $0.contains(fact) } }
    self.alike = alike
    machines = known.map { pair in
      MergedMachine(
        shard: pair.shard, runID: pair.results.run.runID, machine: pair.results.run.machine,
        started: pair.results.run.started, scenarios: [],
        environment: pair.results.environment.filter { !alike.contains($0) })
    }
    let missing = ShardPart.missing(from: parts)
    absent =
      missing.isEmpty ? nil : AbsentShards(shards: missing, count: first.shard.count, scenarios: [])
    let results = results
    cells = first.results.comparisons.map { comparison in PairOnMachines(comparison.headCell, results) }
  }

  private typealias Known = (name: String, results: PairResults, shard: Shard)

  /// Why a machine's comparison does not match the first one's.
  private static func differences(of pair: Known, from first: Known) -> [String] {
    let place = "\(pair.name) is of another comparison than \(first.name)"
    if pair.shard.count != first.shard.count {
      return ["\(place): it is machine \(pair.shard), and the other is machine \(first.shard)"]
    }
    if pair.results.rules != first.results.rules {
      return ["\(place): its rules are others; give all machines the same margins, looks and trials"]
    }
    var found: [String] = []
    for (side, own, other) in [
      ("base", pair.results.base, first.results.base), ("head", pair.results.head, first.results.head),
    ] {
      if own.build != other.build {
        found.append(
          "\(place): its \(side) is the build \(own.build.executable) with SQLite \(own.build.sqlite ?? "unknown"), and the "
            + "other's \(other.build.executable) with \(other.build.sqlite ?? "unknown")")
      }
      if own.overrides != other.overrides { found.append("\(place): its \(side) has other settings") }
    }
    let cells = [pair, first].map { $0.results.comparisons.map(\.headCell.id) }
    if cells[0] != cells[1] {
      found.append("\(place): it has the cells \(list(cells[0])), and the other \(list(cells[1]))")
    }
    for (own, other) in zip(pair.results.comparisons, first.results.comparisons)
    where own.headFingerprint != other.headFingerprint || own.baseFingerprint != other.baseFingerprint {
      found.append("\(place): its scenario \(own.headCell.scenario) asks another question")
    }
    for (own, other) in zip(pair.results.comparisons, first.results.comparisons) {
      for (side, isBase) in [("base", true), ("head", false)] {
        for (verb, word) in [("is", \Sample.programVersion), ("used SQLite", \.programSQLite)] {
          let programs = [own, other].map {
            $0.distinct(isBase: isBase) { $0[keyPath: word] }.joined(separator: " and ")
          }
          guard programs[0] != programs[1], programs.allSatisfy({ !$0.isEmpty }) else { continue }
          found.append(
            "\(place): the program of \(own.headCell.id) \(verb) \(programs[0]) in its \(side), and \(programs[1]) in the "
              + "other's")
        }
      }
    }
    return found
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

extension PairMerge {
  /// The machines on which the base side differed from itself.
  package var untrusted: [MergedMachine] {
    zip(machines, results).filter { $1.isPlaceboBroken }.map(\.0)
  }

  /// The worst verdict of a cell's time and metrics.
  package func verdict(of cell: PairOnMachines) -> Verdict {
    let verdicts =
      (cell.isTimeJudged ? [cell.time] : []) + cell.figures.map(\.worst.verdict)
      + (cell.plans.map { [$0.verdict] } ?? [])
    if !cell.isMeasured || verdicts.isEmpty { return .untrusted }
    return Verdict.worst(of: verdicts, fails: cell.fails, time: cell.isTimeJudged ? cell.time : .pass)
  }

  /// The worst verdict of all.
  package var overall: Verdict {
    if !untrusted.isEmpty || cells.isEmpty { return .untrusted }
    return Verdict.worst(ofCells: cells.map { (verdict(of: $0), $0.fails) })
  }

  /// The exit status.
  package var status: CommandStatus {
    // Begin with what machines could not measure. A single machine's times give no verdict, and its interruption must
    // not hide anything else.
    var statuses = results.flatMap(\.statuses).filter { $0 != .interrupted }
    let verdicts = cells.map { verdict(of: $0) }
    if cells.contains(where: \.fails) { statuses.append(.regression) }
    let undecided = verdicts.filter { $0.isUndecided(rules) }
    if undecided.contains(.untrusted) { statuses.append(.untrusted) }
    if undecided.contains(.inconclusive) { statuses.append(.inconclusive) }
    return .first(of: statuses)
  }
}

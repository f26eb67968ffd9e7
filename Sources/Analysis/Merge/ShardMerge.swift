// Combines the results of shards into those of one run. Nothing computes with times of two machines: either each
// scenario was measured on one machine, and no finding compares two scenarios; or each was measured on all machines,
// and only ratios are combined.
internal import Harness
internal import BatchmarkEngine
internal import Support

/// The shards of one run, combined.
package struct ShardMerge: Sendable {
  /// The outcome of merging shards.
  package enum Outcome: Sendable {
    /// Divided scenarios: the whole run, or as much of it as there is.
    case run(Report)
    /// Shared rounds: the results of each machine, by shard, and their comparison.
    case machines([Report], MachineComparison)
  }

  package let outcome: Outcome

  /// Combines shards.
  ///
  /// Their order does not matter.
  ///
  /// O(shards · scenarios).
  ///
  /// - Parameters:
  ///   - shards: Results of `run --shard`, with the user's names for them.
  ///   - isPartial: Whether shards may be missing or interrupted.
  /// - Throws: ``ShardMergeError`` with all reasons why the shards do not belong to one run.
  package init(_ shards: [(name: String, results: Report)], isPartial: Bool) throws(ShardMergeError) {
    var sentences: [String] = []
    var known: [(name: String, results: Report, record: ShardRecord)] = []
    for shard in shards {
      if let record = shard.results.run.shard {
        if let sentence = ShardPart.impossible(record.shard, shard.name) { sentences.append(sentence) }
        known.append((shard.name, shard.results, record))
      } else if shard.results.machines != nil {
        sentences.append("\(shard.name) is a merged run; expected the shards that it was merged from")
      } else {
        sentences.append("\(shard.name) is no shard; expected a run with --shard, of one machine --shard 1/1")
      }
    }
    // Sort first, so that the order of arguments does not matter, even for errors.
    known.sort {
      ($0.record.shard.index, $0.name, $0.results.run.runID) < ($1.record.shard.index, $1.name, $1.results.run.runID)
    }
    guard let first = known.first, sentences.isEmpty else {
      throw ShardMergeError(
        sentences: sentences.isEmpty
          ? ["found no shard to merge; expected the folders of runs with --shard"] : sentences)
    }
    for shard in known.dropFirst() {
      sentences += ShardMerge.differences(of: shard, from: first)
    }
    for shard in known { sentences += ShardMerge.gaps(in: shard) }
    let parts = known.map { ShardPart(name: $0.name, shard: $0.record.shard, isWhole: !$0.results.run.isInterrupted) }
    sentences += ShardPart.obstacles(to: parts, isPartial: isPartial)
    let missing = ShardPart.missing(from: parts)
    guard sentences.isEmpty else { throw ShardMergeError(sentences: sentences) }
    let absent = ShardMerge.absent(of: first.record, missing: missing)
    let common = ShardMerge.commonEnvironment(of: known)
    let machines = ShardMerge.machines(of: known, common: common)
    if first.record.sharesRounds == true {
      let results = known.map(\.results)
      outcome = .machines(
        results, MachineComparison(results, on: machines, alike: common, absent: absent))
    } else {
      outcome = .run(ShardMerge.merged(known, machines: machines, common: common, absent: absent))
    }
  }

  private typealias Known = (name: String, results: Report, record: ShardRecord)

  /// Why a shard does not match the first one's run.
  private static func differences(of shard: Known, from first: Known) -> [String] {
    let (one, other) = (first.record, shard.record)
    let place = "\(shard.name) is of another run than \(first.name)"
    if one.shard.count != other.shard.count {
      return ["\(place): it is shard \(other.shard), and the other is shard \(one.shard)"]
    }
    if one.sharesRounds != other.sharesRounds {
      let words = [other, one].map { $0.sharesRounds == true ? "rounds were shared" : "scenarios were divided" }
      return ["\(place): its \(words[0]), and the other's \(words[1])"]
    }
    let names = [one, other].map { $0.blocks.map(\.scenario) }
    if names[0] != names[1] {
      let difference = names[1].difference(from: names[0])
      let words = difference.map { change in
        switch change {
        case .insert(_, let name, _): "it has the scenario \(name)"
        case .remove(_, let name, _): "it lacks the scenario \(name)"
        }
      }
      return ["\(place): \(words.joined(separator: ", "))"]
    }
    for (block, same) in zip(other.blocks, one.blocks) where block.fingerprint != same.fingerprint {
      return ["\(place): its scenario \(block.scenario) has other rows, cells, rounds or settings"]
    }
    if one.blocks != other.blocks {
      return ["\(place): the scenarios were divided in another way; give all shards the same --estimate-from, or none"]
    }
    var found: [String] = []
    if one.build != other.build {
      let words =
        one.build.sqlite != other.build.sqlite
        ? "its SQLite is \(other.build.sqlite ?? "unknown"), and the other's \(one.build.sqlite ?? "unknown")"
        : "it was measured by the build \(other.build.executable), and the other by \(one.build.executable)"
      found.append("\(place): \(words)")
    }
    for (verb, word) in [("is", \Sample.programVersion), ("used SQLite", \.programSQLite)] {
      let (own, others) = (programs(of: shard.results, word), programs(of: first.results, word))
      for (engine, program) in own.sorted(by: { $0.key < $1.key }) {
        guard let known = others[engine], known != program else { continue }
        found.append("\(place): its program of the engine \(engine) \(verb) \(program), and the other's \(known)")
      }
    }
    if shard.results.run.seed != first.results.run.seed {
      found.append(
        "\(place): its seed is \(shard.results.run.seed), and the other's \(first.results.run.seed); give all the same --seed, or none"
      )
    }
    if shard.results.run.isComparable != first.results.run.isComparable {
      found.append("\(place): one of them is a debug build")
    }
    return found
  }

  /// What the program of each engine reports, if it is known.
  private static func programs(of results: Report, _ word: KeyPath<Sample, String?>) -> [String: String] {
    let known = results.scenarios.flatMap(\.cells).compactMap { cell in
      cell.samples.lazy.compactMap { $0[keyPath: word] }.first.map { (cell.cell.engine, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }

  /// How a shard's results differ from its part of the run.
  private static func gaps(in shard: Known) -> [String] {
    let own = shard.record.ownScenarios
    let expected = shard.record.blocks.map(\.scenario).filter { own.contains($0) }
    let found = shard.results.scenarios.map(\.name)
    return expected == found
      ? []
      : ["\(shard.name), shard \(shard.record.shard), has the scenarios \(list(found)); expected \(list(expected))"]
  }

  /// The facts that all machines share.
  private static func commonEnvironment(of shards: [Known]) -> [EnvironmentFact] {
    let environments = shards.map(\.results.environment)
    return environments[0].filter { fact in environments.allSatisfy { $0.contains(fact) } }
  }

  private static func machines(of shards: [Known], common: [EnvironmentFact]) -> [MergedMachine] {
    shards.map { shard in
      MergedMachine(
        shard: shard.record.shard, runID: shard.results.run.runID, machine: shard.results.run.machine,
        started: shard.results.run.started, scenarios: shard.results.scenarios.map(\.name),
        environment: shard.results.environment.filter { !common.contains($0) })
    }
  }

  /// `nil` if nothing is missing.
  private static func absent(of record: ShardRecord, missing: [Int]) -> AbsentShards? {
    if missing.isEmpty { return nil }
    return AbsentShards(
      shards: missing, count: record.shard.count,
      scenarios: record.blocks.filter { $0.shard.map(missing.contains) ?? false }.map(\.scenario))
  }

  private static func merged(
    _ shards: [Known], machines: [MergedMachine], common: [EnvironmentFact], absent: AbsentShards?
  ) -> Report {
    let runs = shards.map(\.results.run)
    var run = runs[0]
    var fingerprint = Fingerprint()
    for one in runs { fingerprint.add(one.runID) }
    run.runID = fingerprint.text
    run.shard = nil
    run.started = runs.map(\.started).min() ?? run.started
    run.finished = runs.map(\.finished).max() ?? run.finished
    run.isInterrupted = runs.contains(where: \.isInterrupted)
    run.syncSeconds = runs.compactMap(\.syncSeconds).max()
    var kinds: [String] = []
    for one in runs where !kinds.contains(one.machine) { kinds.append(one.machine) }
    run.machine = kinds.joined(separator: "; ")
    var scenarios: [String: ScenarioReport] = [:]
    for shard in shards {
      for var scenario in shard.results.scenarios {
        scenario.machine = shard.results.run.machine
        scenarios[scenario.name] = scenario
      }
    }
    let blocks = shards[0].record.blocks
    return Report(
      run: run, environment: common, scenarios: blocks.compactMap { scenarios[$0.scenario] }, machines: machines,
      absent: absent)
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

/// The shards do not belong to one run.
package struct ShardMergeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for each problem.
  package let sentences: [String]

  package var description: String { sentences.joined(separator: "; ") }
}

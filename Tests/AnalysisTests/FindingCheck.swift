// Recounts a report's claims: reads results.json as plain JSON and computes every figure from the samples alone. It
// shares no code with the analysis, so that a mistake there cannot hide here.
import Foundation

/// The parts of results.json that are needed for a recount.
struct RecountedRun: Decodable {
  struct Scenario: Decodable {
    var cells: [Cell]
    var groups: [Group]
    var mainFindings: [Statement]
    var details: [Statement]
    var answer: Answer?
  }
  struct Cell: Decodable { var samples: [Sample]; var failures: [Failure] }
  struct Group: Decodable { var cells: [String] }
  struct Failure: Decodable { var cell: String; var pass: String; var round: Int }
  struct Sample: Decodable { var cell: String; var pass: String; var round: Int; var phases: [Phase] }
  struct Phase: Decodable { var phase: String; var wallSeconds: Double?; var metrics: [String: Double] }
  struct Figure: Decodable { var median: Double; var low: Double?; var high: Double? }
  struct Order: Decodable { var tiers: [[String]] }
  struct Details: Decodable { var order: Order?; var figure: String?; var verdict: String? }
  struct Statement: Decodable {
    var kind: String
    var details: Details?
    var cells: [String]
    var estimates: [Figure]
    var certainty: String
    var group: Int?
  }
  struct Exact: Decodable { var figure: Double; var base: Double }
  struct Alternative: Decodable {
    var cell: String
    var base: String
    var time: Figure?
    var certainty: String
    var heap: Exact?
    var wal: Exact?
  }
  struct Answer: Decodable {
    var about: String?
    var verdict: String
    var kind: String
    var choice: [String]
    var against: [Alternative]
    var peers: [Alternative]
  }

  var scenarios: [Scenario]

  init(json: Data) throws { self = try JSONDecoder().decode(RecountedRun.self, from: json) }

  /// Claims of the files that differ from the samples; empty if everything is right.
  var faults: [String] { scenarios.flatMap { Recount($0).faults } }
}

/// The recount of one scenario.
private struct Recount {
  static let operations: Set<String> = ["ingest", "update", "delete", "fetch"]
  static let waited: Set<String> = ["ingest", "reingest", "update", "delete", "fetch", "merge"]

  let scenario: RecountedRun.Scenario
  private let samples: [RecountedRun.Sample]
  private let leftOut: Set<Int>

  init(_ scenario: RecountedRun.Scenario) {
    self.scenario = scenario
    samples = scenario.cells.flatMap(\.samples)
    let timed = Set(samples.filter { $0.pass == "timing" }.map(\.cell))
    leftOut = Set(
      scenario.cells.flatMap(\.failures).filter { $0.pass == "timing" && timed.contains($0.cell) }.map(\.round))
  }

  /// The seconds of some phases, by round.
  func walls(_ cell: String, _ phases: Set<String>) -> [Int: Double] {
    var found: [Int: Double] = [:]
    for sample in samples where sample.cell == cell && sample.pass == "timing" && !leftOut.contains(sample.round) {
      let times = sample.phases.filter { phases.contains($0.phase) }
      let known = times.compactMap(\.wallSeconds)
      if !times.isEmpty && known.count == times.count { found[sample.round] = known.reduce(0, +) }
    }
    return found
  }

  func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  func ratios(_ cell: String, _ other: String, _ phases: Set<String> = operations) -> [Double] {
    let (own, others) = (walls(cell, phases), walls(other, phases))
    return own.compactMap { round, wall in others[round].flatMap { $0 > 0 ? wall / $0 : nil } }
  }

  /// The median of a metric over the samples that have it; the lower of two middle values.
  func metric(_ name: String, _ cell: String) -> Double? {
    let values = samples.filter { $0.cell == cell }.flatMap(\.phases)
      .filter { Recount.operations.contains($0.phase) }.compactMap { $0.metrics[name] }.sorted()
    return values.isEmpty ? nil : values[(values.count - 1) / 2]
  }

  func isNear(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-12)
  }

  var faults: [String] {
    (scenario.mainFindings + scenario.details).flatMap(faults) + (scenario.answer.map(faults) ?? [])
  }

  /// Whether the first cell is slower than the second in most rounds, the least that a claim needs.
  func isPlainlySlower(_ cell: String, _ other: String, _ phases: Set<String> = operations) -> Bool {
    let ratios = ratios(cell, other, phases)
    return ratios.count >= 6 && 2 * ratios.count(where: { $0 > 1 }) > ratios.count && (median(ratios) ?? 0) > 1
  }

  func faults(_ statement: RecountedRun.Statement) -> [String] {
    let (cells, estimates) = (statement.cells, statement.estimates)
    var faults: [String] = []
    func expect(_ holds: Bool, _ what: String) {
      if !holds { faults.append("\(statement.kind) of \(cells): \(what)") }
    }
    switch statement.kind {
    case "fastest", "tied", "fastest_of_object_graph":
      expect(
        isNear(estimates[0].median, median(Array(walls(cells[0], Recount.operations).values))), "the time of the first")
      for (cell, estimate) in zip(cells.dropFirst(), estimates.dropFirst()) {
        expect(isNear(estimate.median, median(ratios(cell, cells[0]))), "the ratio of \(cell)")
        if statement.kind == "fastest" { expect(isPlainlySlower(cell, cells[0]), "\(cell) is not slower") }
      }
      if statement.kind == "fastest", let group = statement.group {
        for cell in scenario.groups[group].cells where cell != cells[0] && walls(cell, Recount.operations).count >= 6 {
          expect(isPlainlySlower(cell, cells[0]) || isOfHarness(cell), "\(cell) may be as fast")
        }
      }
    case "slowest":
      expect(isNear(estimates[0].median, median(ratios(cells[1], cells[0]))), "the ratio")
      if let group = statement.group {
        for cell in scenario.groups[group].cells where cell != cells[1] && walls(cell, Recount.operations).count >= 6 {
          expect(isPlainlySlower(cells[1], cell) || isOfHarness(cell), "\(cell) may be as slow")
        }
      }
    case "order":
      let tiers = statement.details?.order?.tiers ?? []
      expect(!tiers.isEmpty, "no tiers")
      for (index, tier) in tiers.enumerated() {
        for later in tiers.dropFirst(index + 1) {
          for one in tier {
            for other in later { expect(isPlainlySlower(other, one), "\(other) is not slower than \(one)") }
          }
        }
      }
    case "leanest":
      let group = statement.group.map { scenario.groups[$0].cells } ?? []
      let peaks = group.filter { !isOfHarness($0) }.compactMap { metric("heap_peak_bytes", $0) }
      expect(isNear(estimates[0].median, peaks.min()) && isNear(estimates[1].median, peaks.max()), "least and most")
      expect(
        cells.allSatisfy { (metric("heap_peak_bytes", $0) ?? .infinity) < (peaks.min() ?? 0) * 1.005 },
        "another is leaner")
    case "times_reference", "object_by_object_against_batch":
      expect(isNear(estimates[0].median, median(ratios(cells[0], cells[1]))), "the ratio")
      if statement.certainty == "certain" {
        expect(isPlainlySlower(cells[0], cells[1]) || isPlainlySlower(cells[1], cells[0]), "no order is certain")
      }
    case "knee":
      let (first, last) = (ratios(cells[0], cells[1], Recount.waited), ratios(cells[3], cells[1], Recount.waited))
      expect(first.count { $0 > 1.05 } * 2 < first.count, "\(cells[0]) is worse by the margin in most rounds")
      let better = last.count { $0 < 1 / 1.05 }
      if statement.details?.verdict == "undecided" {
        expect(better > 0, "\(cells[3]) is never better by the margin")
      } else {
        expect(2 * better < last.count, "\(cells[3]) is better by the margin in most rounds")
      }
    case "crossover":
      // The cells of both strategies at each bound, beginning with the strategy that wins below it.
      func ends(at rows: Double?) -> [String] {
        guard let rows else { return [] }
        let setting = "rows=\(Int(rows))"
        return cells.filter { id in id.split { "[,]".contains($0) }.contains { $0 == setting } }
      }
      let (below, above) = (ends(at: estimates[0].low), ends(at: estimates[0].high))
      if statement.certainty == "estimated", below.count == 2, above.count == 2 {
        expect(isPlainlySlower(below[1], below[0]), "\(below[0]) does not win below")
        expect(isPlainlySlower(above[0], above[1]), "\(above[1]) does not win above")
      }
    case "price":
      if let ratio = estimates.first {
        expect(isNear(ratio.median, median(ratios(cells[0], cells[1], Recount.waited))), "the ratio")
      }
    case "price_in_bytes":
      if let figure = statement.details?.figure, figure != "finished_db_bytes" {
        expect(
          isNear(estimates[0].median, metric(figure, cells[0]))
            && isNear(estimates[1].median, metric(figure, cells[1])), figure)
      }
    default: break
    }
    return faults
  }

  func isOfHarness(_ cell: String) -> Bool { cell.contains("/empty") || cell.contains("attached=") }

  func faults(_ answer: RecountedRun.Answer) -> [String] {
    var faults: [String] = []
    func expect(_ holds: Bool, _ what: String) { if !holds { faults.append("answer \(answer.choice): \(what)") } }
    for other in answer.against + answer.peers {
      if let time = other.time {
        expect(isNear(time.median, median(ratios(other.cell, other.base))), "the time of \(other.cell)")
      }
      if let heap = other.heap {
        expect(
          isNear(heap.figure, metric("heap_peak_bytes", other.cell))
            && isNear(heap.base, metric("heap_peak_bytes", other.base)),
          "the heap of \(other.cell)")
      }
      if let wal = other.wal {
        expect(
          isNear(wal.figure, metric("wal_peak_bytes", other.cell))
            && isNear(wal.base, metric("wal_peak_bytes", other.base)),
          "the WAL of \(other.cell)")
      }
      guard other.certainty == "certain", answer.about == nil else { continue }
      expect(
        isPlainlySlower(other.cell, other.base) || isPlainlySlower(other.base, other.cell),
        "\(other.cell) is not told apart")
    }
    if answer.kind == "choice", answer.about == nil, answer.verdict == "one" {
      for other in answer.against where other.certainty != "too_few_rounds" {
        expect(isPlainlySlower(other.cell, answer.choice[0]), "\(other.cell) may be as fast")
      }
      func time(_ cell: String) -> Double { median(Array(walls(cell, Recount.operations).values)) ?? .infinity }
      for other in answer.against where other.certainty == "too_few_rounds" {
        expect(time(other.cell) >= time(answer.choice[0]), "\(other.cell) may be faster, with too few rounds")
      }
    }
    return faults
  }
}

// Rankings for runs with a known truth: 10, 20 and 30 µs per row, noise, few rounds, and different work.
import Analysis
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A2 A5 A10 · rankings as findings", .tags(.a2, .a5))
struct RankingTests {
  private let save = SyntheticCell("save", seconds: 0.3)
  private let array = SyntheticCell("batch-objects", .batch(.array), seconds: 0.2)
  private let handler = SyntheticCell("batch-dictionary", .batch(.dictionaryHandler), seconds: 0.1)
  private let reference = SyntheticCell("insert", of: "sqlite", .reference, seconds: 0.05)

  private func kinds(_ findings: [Finding]) -> [FindingKind] { findings.map(\.kind) }

  @Test("At 10, 20 and 30 µs per row, the fastest, the next and the slowest of all are named")
  func ranked() throws {
    let answer = try SyntheticRun(cells: [save, handler, array]).analysis().scenario.mainFindings
    #expect(kinds(answer).prefix(2) == [.fastest, .slowest])
    #expect(answer.last?.cells == [handler.id, array.id, save.id] && answer.count == 3)
    #expect(answer[0].cells == [handler.id, array.id] && answer[0].certainty == .certain)
    #expect(abs(answer[0].estimates[1].median - 2) < 0.02)
    #expect(answer[1].cells == [handler.id, save.id])
    #expect(abs(answer[1].estimates[0].median - 3) < 0.03)
  }

  @Test("On a machine that slows down midway, the fastest cell in each round is fastest, whatever the medians")
  func paired() throws {
    func cell(_ name: String, of engine: String, _ role: StrategyRole, _ walls: [Double]) -> SyntheticCell {
      SyntheticCell(name, of: engine, role, seconds: 0.1).with { $0.walls = walls }
    }
    let walls =
      [Array(repeating: 0.1, count: 6) + Array(repeating: 0.2, count: 5)]
      + [Array(repeating: 0.09, count: 5) + [0.11] + Array(repeating: 0.18, count: 5)]
    let peers = [cell("a", of: "acme", .peer, walls[0]), cell("b", of: "acme", .peer, walls[1])]
    let found = try SyntheticRun(cells: peers, rounds: 11).analysis().scenario.mainFindings
    #expect(kinds(found) == [.fastest] && found[0].cells == [peers[1].id, peers[0].id])
    #expect(abs(found[0].estimates[0].median - 0.11) < 1e-9 && found[0].estimates[1].median > 1.1)
    // The same is true among the strategies with an object graph behind the reference.
    let own = [
      cell("save", of: "objectgraph", .objectByObject, walls[0]),
      cell("batch-objects", of: "objectgraph", .batch(.array), walls[1]), reference,
    ]
    let choice = try SyntheticRun(cells: own, rounds: 11).findings().first { $0.kind == .fastestOfObjectGraph }
    #expect(choice?.cells == [own[1].id, own[0].id] && choice?.certainty == .certain)
  }

  @Test("A user's own engine is in the first finding when it is fastest, and so is the reference", .tags(.a10))
  func peers() throws {
    let own = SyntheticCell("mine", of: "acme", .peer, seconds: 0.02)
    let answer = try SyntheticRun(cells: [save, handler, reference, own]).analysis().scenario.mainFindings
    #expect(answer[0].kind == .fastest && answer[0].cells == [own.id, reference.id])
    let without = try SyntheticRun(cells: [save, handler, reference]).analysis().scenario
    #expect(without.mainFindings[0].cells == [reference.id, handler.id])
    // Roles determine what is compared as object by object against batches, even if something else is faster.
    let roles = without.details.filter { $0.kind == .objectByObjectAgainstBatch }
    #expect(roles.map(\.cells) == [[save.id, handler.id]])
    #expect(abs(roles[0].estimates[0].median - 3) < 0.03)
  }

  @Test("Cells that measure the harness' cost are not ranked")
  func harnessCost() throws {
    let empty = SyntheticCell("empty", of: "sqlite", .harnessCost, seconds: 0.000_1)
    let answer = try SyntheticRun(cells: [save, handler, empty]).analysis().scenario.mainFindings
    #expect(answer.first { $0.kind == .fastest }?.cells == [handler.id, save.id])
  }
}

extension RankingTests {
  @Test("Noise ranks no cell, whatever the seed", arguments: 1...UInt64(40))
  func noise(seed: UInt64) throws {
    let cells = ["a", "b", "c", "d", "e", "f"].map { SyntheticCell($0, of: "acme", .peer, seconds: 0.1) }
    let findings = try SyntheticRun(cells: cells, ownNoise: 0.15, seed: seed).findings()
    #expect(!findings.contains { $0.kind == .fastest || $0.kind == .slowest })
    let tied = try #require(findings.first { $0.kind == .tied })
    #expect(tied.cells.count > 2 && tied.certainty == .undecided)
  }

  @Test("Noise gives a false order no more often than one claim may be false")
  func falseOrders() throws {
    let cells = ["a", "b", "c", "d", "e", "f"].map { SyntheticCell($0, of: "acme", .peer, seconds: 0.1) }
    let claimed = try (1...UInt64(60)).filter { seed in
      let findings = try SyntheticRun(cells: cells, ownNoise: 0.15, seed: seed).findings()
      return findings.first { $0.kind == .tied }?.cells.count != 6
    }
    // 5 % of 60, plus three standard deviations.
    #expect(claimed.count <= 8, "\(claimed)")
  }

  @Test("The fastest cell is also fastest by the interval beside it; if that includes 1, no cell is fastest")
  func interval() throws {
    let cells = [("a", 0.1), ("b", 0.125)].map { SyntheticCell($0, of: "acme", .peer, seconds: $1) }
    let answers = try (1...UInt64(60)).map { seed in
      try SyntheticRun(cells: cells, rounds: 8, ownNoise: 0.2, seed: seed).analysis().scenario.mainFindings[0]
    }
    let ranked = answers.filter { $0.kind == .fastest }
    // Each outcome occurs several times. With 8 rounds, a single one may be on the other side while the sign flips are
    // sure.
    #expect(ranked.count > 10 && answers.count { $0.kind == .tied } > 10)
    #expect(ranked.allSatisfy { ($0.estimates[1].low ?? 0) > 1 })
  }

  @Test("Fewer than 6 rounds rank nothing, and 6 do")
  func fewRounds() throws {
    let cells = [save, handler]
    let few = try SyntheticRun(cells: cells, rounds: 5).analysis().scenario.mainFindings
    #expect(kinds(few) == [.unranked(rounds: 5)] && few[0].certainty == .tooFewRounds)
    #expect(kinds(try SyntheticRun(cells: cells, rounds: 6).analysis().scenario.mainFindings) == [.fastest])
    // A cell that was stopped early does not affect the others.
    let slow = SyntheticCell("slow", of: "acme", .peer, seconds: 1).with { $0.rounds = 3 }
    let mixed = try SyntheticRun(cells: [save, handler, slow]).analysis().scenario.mainFindings
    #expect(kinds(mixed) == [.fastest, .unranked(rounds: 3)])
    #expect(mixed[1].cells == [handler.id, slow.id])
  }
}

extension RankingTests {
  @Test("The slowest cell is slower than all others, and is not named if another may be slower")
  func slowest() throws {
    let cells = [0.2, 0.9, 0.1, 0.5].enumerated().map { SyntheticCell("c\($0)", of: "acme", .peer, seconds: $1) }
    let answer = try SyntheticRun(cells: cells).analysis().scenario.mainFindings
    #expect(answer.first { $0.kind == .slowest }?.cells == [cells[2].id, cells[1].id])
    let unknown = try SyntheticRun(cells: cells + [SyntheticCell("z", seconds: 5).with { $0.rounds = 2 }]).findings()
    #expect(!unknown.contains { $0.kind == .slowest })
    // Both are certainly slower than the first, but neither is slower than the other.
    let two = [0.1, 0.5, 0.5].enumerated().map { SyntheticCell("c\($0)", of: "acme", .peer, seconds: $1) }
    let found = try SyntheticRun(cells: two).findings()
    #expect(found.contains { $0.kind == .fastest } && !found.contains { $0.kind == .slowest })
  }

  @Test("The cell nearest to the reference is nearest in ratio, on either side")
  func nearest() throws {
    let cells = [0.025, 0.06, 0.2].enumerated().map { SyntheticCell("c\($0)", of: "acme", .peer, seconds: $1) }
    let found = try SyntheticRun(cells: cells + [reference]).findings().filter { $0.kind == .timesReference }
    #expect(found.map(\.cells[0]) == [cells[1].id, cells[0].id, cells[2].id])
  }

  @Test("The leanest cell is named, and none if all are equal")
  func leanest() throws {
    let lean = handler.with { $0.heapPeak = 1_000 }
    let fat = save.with { $0.heapPeak = 50_000 }
    let findings = try SyntheticRun(cells: [fat, lean]).findings()
    let leanest = try #require(findings.first { $0.kind == .leanest })
    #expect(leanest.cells == [lean.id] && leanest.estimates.map(\.median) == [1_000, 50_000])
    let none = try SyntheticRun(cells: [fat, lean.with { $0.heapPeak = 0 }]).findings()
    #expect(none.first { $0.kind == .leanest }?.cells == [lean.id])
    let alike = try SyntheticRun(cells: [fat, lean.with { $0.heapPeak = 50_001 }]).findings()
    #expect(!alike.contains { $0.kind == .leanest })
    #expect(alike.first { $0.kind == .bytesPerRow(.heapPeak) }?.cells == [lean.id, fat.id])
  }

  @Test("A round with a failed sample is set aside for all cells, by one rule")
  func setAside() throws {
    let results = try SyntheticRun(cells: [save.with { $0.failedRounds = [2, 5] }, handler]).results()
    #expect(results.setAside.rounds == [2, 5])
    #expect(results.cells.map { $0.summary(of: .ingest)?.samples } == [8, 8])
    #expect(results.cells.allSatisfy { Set(results.mainWalls(of: $0).keys).isDisjoint(with: [2, 5]) })
    // A cell that always fails sets nothing aside.
    let never = try SyntheticRun(cells: [save.with { $0.failedRounds = Set(1...10) }, handler]).results()
    #expect(never.setAside.rounds.isEmpty)
  }
}

extension RankingTests {
  @Test("Each cell loses the rounds in which any cell failed or it was disturbed itself")
  func setAsideOfEach() throws {
    let strayed = reference.with { $0.ownShare = 0.999 }.with { $0.strayedRounds = [3, 7] }
    let results = try SyntheticRun(cells: [save.with { $0.failedRounds = [2] }, strayed, handler]).results()
    let kept = results.cells.map { Set(1...10).subtracting(results.mainWalls(of: $0).keys).sorted() }
    #expect(kept == [[2], [2, 3, 7], [2]])
    let waited = results.cells.map { Set(1...10).subtracting(results.walls(of: $0, in: Phase.waitedFor).keys).sorted() }
    #expect(waited == kept)
    #expect(results.setAside.rounds == [2])
  }

  @Test("A sample is set aside alone if its process's own clock shows that it was kept from working")
  func ownClock() throws {
    let clocked = save.with { $0.ownShare = 0.999 }
    let results = try SyntheticRun(cells: [clocked.with { $0.strayedRounds = [3, 7] }, handler]).results()
    #expect(results.setAside.rounds.isEmpty)
    #expect(results.cells.map { $0.summary(of: .ingest)?.samples } == [8, 10])
    #expect(Set(results.mainWalls(of: results.cells[0]).keys).isDisjoint(with: [3, 7]))
    // If it happens in most rounds, it is how the engine works.
    for strayed in [[], Set(1...6)] {
      let all = try SyntheticRun(cells: [clocked.with { $0.strayedRounds = strayed }, handler]).results()
      #expect(all.cells.map { $0.summary(of: .ingest)?.samples } == [10, 10])
    }
  }
}

// A7: comparisons of stored results: exact figures decide, and results of different questions are refused.
import Analysis
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A7 · stored results compared", .tags(.a7))
struct StoredComparisonTests {
  private static let save = "quakes/objectgraph/save"
  private static let reference = "quakes/sqlite/insert"

  private func results(
    _ figures: [MetricID: Int64] = [.syncs: 8, .walFrames: 1_000], wall: Double = 1,
    strategies: [String] = ["save", "insert"],
    fingerprint: String = "f00d", name: String = "quakes", hash: String = "same", sqlite: String = "3.40.1",
    isComparable: Bool = true, more: [SampleOutcome] = []
  ) throws -> Report {
    let entries = strategies.flatMap { strategy -> [SampleOutcome] in
      let cell = strategy == "insert" ? "\(name)/sqlite/insert" : "\(name)/objectgraph/\(strategy)"
      return [
        .sample(sample(cell, wall: wall, hash: hash)), .sample(sample(cell, .counters, hash: hash, metrics: figures)),
      ]
    }
    return Report(
      run: RunRecord(
        batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: isComparable, isInterrupted: false),
      environment: [EnvironmentFact("SQLite", sqlite)],
      plan: plan(try scenario(name, strategies: strategies, rounds: 1, fingerprint: fingerprint)),
      ledger: RunLedger(entries + more)
    ) { _ in nil }
  }

  private func verdicts(_ base: Report, _ head: Report) -> [MetricID: Verdict] {
    let figures = StoredComparison(base: base, head: head).cells.first?.figures ?? []
    return Dictionary(uniqueKeysWithValues: figures.map { ($0.metric, $0.verdict) })
  }

  @Test("Differing facts of machine and build are found, and facts that vary from run to run are ignored")
  func environment() {
    func facts(_ kernel: String, _ free: String, _ build: String) -> [EnvironmentFact] {
      [
        EnvironmentFact("build", build), EnvironmentFact("SQLite", "3.40.1"), EnvironmentFact("kernel", kernel),
        EnvironmentFact("file system of the stores", "ext4 on /dev/sda (rw,relatime), \(free) free"),
        EnvironmentFact("load average at the end", build),
      ]
    }
    let base = facts("6.1", "9.1 GiB", "a") + [EnvironmentFact("CPU governor", "performance")]
    #expect(EnvironmentDifference.all(base, base).isEmpty)
    #expect(EnvironmentDifference.all(facts("6.1", "9.1 GiB", "a"), facts("6.1", "8.0 GiB", "b")).isEmpty)
    #expect(
      EnvironmentDifference.all(base, facts("6.2", "8.0 GiB", "b") + [EnvironmentFact("memory", "7.8 GiB")]) == [
        EnvironmentDifference("kernel", base: "6.1", head: "6.2"),
        EnvironmentDifference("CPU governor", base: "performance", head: nil),
        EnvironmentDifference("memory", base: nil, head: "7.8 GiB"),
      ])
  }
}

extension StoredComparisonTests {
  @Test("Equal figures pass, whatever the times")
  func equal() throws {
    let comparison = StoredComparison(base: try results(), head: try results(wall: 9))
    #expect(comparison.obstacles.isEmpty && comparison.cells.count == 2)
    #expect(comparison.overall == .pass && comparison.status == .success)
    #expect(comparison.cells.allSatisfy { $0.figures.count == 2 })
  }

  @Test("Growth up to 1 % is small, more is a regression; likewise, a fall is small or an improvement")
  func growth() throws {
    let base = try results()
    #expect(verdicts(base, try results([.syncs: 8, .walFrames: 1_010])) == [.syncs: .pass, .walFrames: .small])
    #expect(
      verdicts(base, try results([.syncs: 9, .walFrames: 1_011])) == [.syncs: .regression, .walFrames: .regression])
    #expect(verdicts(base, try results([.syncs: 7, .walFrames: 990])) == [.syncs: .improved, .walFrames: .pass])
    #expect(StoredComparison(base: base, head: try results([.syncs: 8, .walFrames: 1_010])).status == .success)
    #expect(StoredComparison(base: base, head: try results([.syncs: 8, .walFrames: 1_010])).overall == .small)
    let worse = StoredComparison(base: base, head: try results([.syncs: 9, .walFrames: 1_000]))
    #expect(worse.overall == .regression && worse.status == .regression)
    // From 0 to 1 is more than 1 %.
    let none = try results([.syncs: 0, .walFrames: 1])
    #expect(verdicts(none, try results([.syncs: 1, .walFrames: 1])) == [.syncs: .regression, .walFrames: .pass])
  }

  @Test("Figures that vary within one side are untrusted")
  func untrusted() throws {
    let more = SampleOutcome.sample(
      sample(StoredComparisonTests.save, .counters, round: 2, metrics: [.syncs: 9, .walFrames: 1_000]))
    let comparison = StoredComparison(base: try results(), head: try results(more: [more]))
    #expect(comparison.overall == .untrusted && comparison.status == .untrusted)
  }

  @Test("A comparison without exact figures does not pass; a single cell without them is skipped")
  func withoutFigures() throws {
    let nothing = StoredComparison(base: try results([:]), head: try results([:]))
    #expect(nothing.obstacles.isEmpty && nothing.cells.count == 2 && nothing.judgedCells.isEmpty)
    #expect(nothing.overall == .untrusted && nothing.status == .untrusted)
    var some = try results()
    let bare = try results([:]).scenarios[0].cells[1]
    some.scenarios[0].cells[1] = bare
    let comparison = StoredComparison(base: some, head: some)
    #expect(comparison.judgedCells.count == 1 && comparison.cells[1].verdict == .untrusted)
    #expect(comparison.overall == .pass && comparison.status == .success)
  }

  @Test("A failed sample has its own status")
  func failed() throws {
    let comparison = StoredComparison(
      base: try results(), head: try results(more: [.failure(failure(StoredComparisonTests.save, round: 2))]))
    #expect(comparison.failures == 1 && comparison.status == .failedSamples)
  }
}

extension StoredComparisonTests {
  @Test("Cells of different questions are refused, one sentence each")
  func refused() throws {
    let base = try results()
    func obstacles(_ head: Report) -> [String] {
      let comparison = StoredComparison(base: base, head: head)
      #expect(comparison.cells.isEmpty)
      #expect(comparison.status == .notComparable)
      return comparison.obstacles
    }
    #expect(
      obstacles(try results(strategies: ["insert"])) == ["head has no cell quakes/objectgraph/save, which base has"])
    #expect(
      obstacles(try results(strategies: ["save", "insert", "batch-objects"]))
        == ["base has no cell quakes/objectgraph/batch-objects, which head has"])
    #expect(
      obstacles(try results(strategies: ["batch-objects", "insert"])) == [
        "head has no cell quakes/objectgraph/save, which base has",
        "base has no cell quakes/objectgraph/batch-objects, which head has",
      ])
    #expect(
      obstacles(try results(fingerprint: "beef")) == [
        "the scenario quakes asks another question: its fingerprint is f00d in base and beef in head"
      ])
    #expect(
      obstacles(try results(name: "tremors")) == [
        "head has no scenario quakes, which base has", "base has no scenario tremors, which head has",
      ])
    #expect(obstacles(try results(sqlite: "3.46.0")) == ["base was measured with SQLite 3.40.1, and head with 3.46.0"])
    #expect(
      obstacles(try results(isComparable: false)) == ["head is of a debug build, whose figures mean nothing"])
    #expect(
      obstacles(try results(hash: "other"))
        == ["the scenario quakes stored other rows: their hash is same in base and other in head"])
    #expect(
      obstacles(try results([.syncs: 8])) == [
        "head has no wal_frames in ingest of quakes/objectgraph/save, which base has",
        "head has no wal_frames in ingest of quakes/sqlite/insert, which base has",
      ])
    #expect(
      obstacles(try results([.syncs: 8, .walFrames: 1_000, .vmSteps: 5])).first
        == "base has no vm_steps in ingest of quakes/objectgraph/save, which head has")
  }

  @Test("Another SQLite of an engine's program is refused; if a side does not know it, it does not count as different")
  func programs() throws {
    func results(_ library: String?) throws -> Report {
      var results = try self.results()
      for index in results.scenarios[0].cells[0].samples.indices {
        results.scenarios[0].cells[0].samples[index].programSQLite = library
      }
      return results
    }
    let base = try results("3.40.1, one")
    let other = StoredComparison(base: base, head: try results("3.46.0, two"))
    #expect(other.status == .notComparable && other.cells.isEmpty)
    #expect(
      other.obstacles == [
        "the program of quakes/objectgraph/save used SQLite 3.40.1, one in base, and 3.46.0, two in head"
      ])
    for same in [base, try results(nil)] {
      #expect(StoredComparison(base: base, head: same).status == .success)
      #expect(StoredComparison(base: same, head: base).status == .success)
    }
  }

  @Test("Another version of an engine's program is named once with the other differences, and is compared")
  func programVersions() throws {
    func results(_ version: String?) throws -> Report {
      var results = try self.results()
      for cell in results.scenarios[0].cells.indices {
        results.scenarios[0].cells[cell].cell.engine = "adder"
        for index in results.scenarios[0].cells[cell].samples.indices {
          results.scenarios[0].cells[cell].samples[index].programVersion = version
        }
      }
      return results
    }
    let base = try results("adder 1 on C")
    let other = StoredComparison(base: base, head: try results("adder 2 on C"))
    #expect(other.status == .success && other.obstacles.isEmpty)
    #expect(
      other.environment == [
        EnvironmentDifference("the program of adder", base: "adder 1 on C", head: "adder 2 on C")
      ])
    for same in [base, try results(nil)] {
      #expect(StoredComparison(base: base, head: same).environment.isEmpty)
      #expect(StoredComparison(base: same, head: base).environment.isEmpty)
    }
  }

  @Test("A figure that base does not have yet is not an obstacle")
  func appended() throws {
    let head = try results([.syncs: 8, .walFrames: 1_000, .heapPeakNonSQLite: 5])
    #expect(StoredComparison(base: try results(), head: head).status == .success)
  }

  @Test("Results without a scenario compare with nothing")
  func empty() throws {
    var none = try results()
    none.scenarios = []
    #expect(StoredComparison(base: none, head: none).status == .notComparable)
  }

  @Test("A page found in memory is not a loss: more of them are not judged, more page reads are")
  func cacheHits() throws {
    let base = try results([.syncs: 8, .cacheHits: 1_000, .cacheMisses: 10])
    let same = StoredComparison(base: base, head: try results([.syncs: 8, .cacheHits: 5_000, .cacheMisses: 10]))
    #expect(same.status == .success)
    let more = StoredComparison(base: base, head: try results([.syncs: 8, .cacheHits: 1_000, .cacheMisses: 50]))
    #expect(more.status == .regression)
  }
}

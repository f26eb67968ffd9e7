// Fourteen flawed programs and their corrected twins: each flaw is found once, and nothing is found in a twin.
internal import Analysis
internal import Foundation
internal import MissionTags
internal import Testing

#if os(Linux)
  @Suite("A14 · findings of watched programs", .tags(.a14, .a4))
  struct WatchFindingTests {
    /// The flaws of WatchProbe, in the order of the findings.
    private static let flaws: [(name: String, kind: WatchFinding.Kind)] = [
      ("lone-commits", .loneCommits), ("prepared-per-row", .preparedPerRow), ("query-per-row", .queryPerRow),
      ("full-scan", .fullScan), ("automatic-index", .automaticIndex), ("long-reader", .longReader),
      ("checkpoints", .frequentCheckpoints), ("rollback-journal", .rollbackJournal), ("full-syncs", .fullSyncs),
      ("small-cache", .smallCache), ("refusals", .refusals), ("deferred-writer", .deferredWriter),
      ("spilled-sort", .spilledSort), ("unfinalized", .unfinalized),
    ]

    @Test("There is a flawed program for each finding")
    func everyKind() { #expect(Self.flaws.map(\.kind) == WatchFinding.Kind.allCases) }

    @Test("A program with one flaw has that finding alone, with its evidence", arguments: Self.flaws.indices)
    func flaw(index: Int) async throws {
      let (name, kind) = Self.flaws[index]
      let probe = try await WatchedProbe(name, "flaw")
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      let findings = try probe.report().findings
      #expect(findings.map(\.kind) == [kind], "\(findings)")
      let finding = try #require(findings.first)
      #expect(finding.figure.value > 0 && finding.kind.number == index + 1)
      #expect(finding.database != nil || finding.statement != nil)
      let page = try probe.workspace.text(of: "out/watch.md")
      #expect(page.contains("**\(index + 1). ") && page.contains("Evidence: "))
      if kind == .fullScan { #expect(page.contains("Its plan: `SCAN item`"), "\(page)") }
      #expect(probe.result.errors.contains("\(index + 1). "), "\(probe.result.errors)")
    }

    @Test(
      "The program's twin, which does the same work without the flaw, has no finding", arguments: Self.flaws.indices)
    func twin(index: Int) async throws {
      let probe = try await WatchedProbe(Self.flaws[index].name, "twin")
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      let findings = try probe.report().findings
      #expect(findings.isEmpty, "\(findings)")
      #expect(probe.result.errors.contains("0 findings"))
    }

    @Test("A checkpoint that waits for a writer does not refuse the query that runs after it")
    func refusedCheckpoint() async throws {
      let probe = try await WatchedProbe("refused-checkpoint")
      // SQLite's code 5 is BUSY.
      #expect(probe.result.output == "5\n")
      let database = try probe.database()
      #expect(database.refusals > 0 && database.refusalsAtOnce == 0)
      #expect(try probe.statement("SELECT size FROM item").refusals == 0 && probe.report().findings.isEmpty)
    }

    @Test("The program need not finalize the statements of full-text tables and R-trees")
    func modules() async throws {
      let probe = try await WatchedProbe("modules")
      #expect(probe.result.status == 0)
      #expect(try probe.database().unfinalized == 0 && probe.report().findings.isEmpty)
      #expect(try probe.report().connections.map(\.unfinalized) == [0])
    }

    @Test("A cache that another connection's commits empty is not reported as too small", arguments: ["", "traced"])
    func sharedDatabase(writer: String) async throws {
      let probe = try await WatchedProbe("shared", writer)
      let database = try probe.database()
      let pages = try #require(database.storedBytes) / database.pageBytes
      #expect(database.cacheMisses >= 1000 && database.cacheMisses > 8 * pages)
      #expect(try !probe.report().findings.contains { $0.kind == .smallCache })
    }

    @Test("Several queries for each row of another are found", arguments: [1, 4, 5, 16])
    func queries(count: Int) async throws {
      let probe = try await WatchedProbe("queries", "\(count)")
      let report = try probe.report()
      let found = report.findings.filter { $0.kind == .queryPerRow }
      #expect(found.count == count && report.findings.count == count)
      let items = report.statements.firstIndex { $0.text == "SELECT id FROM item" }
      // Earlier queries may leave too little room for all queries of the first row.
      let runs: ClosedRange<Int64> = count < 16 ? 100...100 : 99...100
      #expect(found.allSatisfy { runs.contains($0.figure.value) && $0.otherStatement == items })
    }

    @Test("A transaction that has read is refused whatever its busy timeout", arguments: ["wal", "delete"])
    func lateWriter(mode: String) async throws {
      let probe = try await WatchedProbe("late-writer", mode)
      // SQLite's code 5 is BUSY.
      #expect(probe.result.output == "5\n")
      let database = try probe.database()
      #expect(database.refusals == 1 && database.refusedUpgrades == 1)
      let finding = try #require(try probe.report().findings.first)
      #expect(finding.kind == .deferredWriter && finding.figure.name == .refusedUpgrades && finding.figure.value == 1)
      #expect(try probe.report().findings.count == 1)
    }
  }
#endif

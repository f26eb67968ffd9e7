// Statements that the meter distinguishes and counts to the row, also with others at the same time; and what it
// ignores.
internal import Analysis
internal import MissionTags
internal import Testing

#if os(Linux)
  @Suite("A14 · statements of watched programs", .tags(.a14, .a4))
  struct WatchStatementTests {
    @Test("Asking for plans keeps SQLite's count of changed rows: a row is stored only if none was changed")
    func changes() async throws {
      let probe = try await WatchedProbe("changes")
      #expect(probe.result.output == "2 2 2\n")
      #expect(try probe.statement("INSERT INTO tally SELECT ?, … WHERE changes() = ?").rowsChanged == 1)
    }

    @Test("A query with rows that change while it is read has all of its runs, rows and steps")
    func loops() async throws {
      let probe = try await WatchedProbe("loops")
      let items = try probe.statement("SELECT id FROM item")
      #expect(items.runs == 10 && items.timedRuns == 10 && items.rowsReturned == 2000)
      // One at the beginning, and a few for each row.
      #expect(items.vmSteps > 4000)
      #expect(try probe.statement("UPDATE other SET size = size + ? WHERE id = ?").runs == 2000)
    }

    @Test("Rows that a repeated writing statement returns are counted, and those of the next one")
    func storedAndRead() async throws {
      let probe = try await WatchedProbe("stored-and-read")
      #expect(try probe.statement("INSERT INTO item (size) VALUES (?) RETURNING id").rowsReturned == 500)
      let items = try probe.statement("SELECT size FROM item WHERE size < ?")
      #expect(items.runs == 1 && items.rowsReturned == 100)
      // It reads each row in a few steps.
      #expect(items.fullScanSteps == 499 && items.vmSteps > 1000)
      #expect(try probe.statement("SELECT sum(size) FROM item").rowsReturned == 1)
    }

    @Test("Statements that differ only beyond the stored part of their text have separate figures")
    func longTexts() async throws {
      let probe = try await WatchedProbe("long-texts")
      let cut = try probe.report().statements.filter(\.isCut)
      #expect(cut.map(\.runs).sorted() == [1, 2, 3] && Set(cut.map(\.text)).count == 1)
    }

    @Test("Pragmas of attached databases are not reported as the connection's")
    func pragmas() async throws {
      let probe = try await WatchedProbe("pragmas")
      #expect(
        try probe.database().pragmas == ["journal_mode": "wal", "synchronous": "normal", "cache_size": "100"])
    }
  }
#endif

// A1, A10: work that another connection does not see at the end of the phase was not done in it.
import BatchmarkEngine
import Instruments
import MissionTags
import SQLiteDriver
import Testing
import Harness

@Suite("A1 A10 · deferred work", .tags(.a1, .a10))
struct LateWorkTests {
  private func unseen(_ engine: SpoilingInsertEngine, repeats: Int = 1, store: String = "{journal_mode: wal}")
    -> DeferredWork?
  {
    do {
      _ = try engine.sample(store: store, repeats: repeats)
    } catch {
      if case .notStoredInPhase(.ingest, let work) = error as? VerificationError { return work }
    }
    return nil
  }

  @Test(
    "Rows that are stored when the store is closed were not stored in the phase",
    arguments: ["{journal_mode: wal}", "{journal_mode: delete}", "{journal_mode: memory}"])
  func rows(store: String) {
    let late = SpoilingInsertEngine(promptRows: 6)
    #expect(unseen(late, store: store) == .rows(found: 6, expected: 60))
    #expect(
      late.complaint(store: store)
        == "when the phase ingest had ended, another connection saw 6 rows; expected 60, which the store has now that it "
        + "is closed")
  }

  @Test(
    "Values that are filled in later were not stored in the phase", arguments: [SpoilingMoment.checkpoint, .close])
  func values(moment: SpoilingMoment) {
    let keep = "CREATE TEMP TABLE kept AS SELECT Z_PK, ZPLACE FROM ZQUAKE; UPDATE ZQUAKE SET ZPLACE = NULL"
    let fill = "UPDATE ZQUAKE SET ZPLACE = (SELECT ZPLACE FROM kept WHERE kept.Z_PK = ZQUAKE.Z_PK)"
    #expect(unseen(SpoilingInsertEngine(sql: keep, laterSQL: fill, laterMoment: moment)) == .values(rows: 60))
  }

  @Test("Rows of an open transaction do not count, whatever the journal mode", arguments: ["wal", "delete"])
  func openTransaction(journal: String) {
    let engine = SpoilingInsertEngine(
      sql:
        "CREATE TEMP TABLE kept AS SELECT * FROM ZQUAKE; DELETE FROM ZQUAKE; BEGIN; INSERT INTO ZQUAKE SELECT * FROM kept",
      laterSQL: "COMMIT", laterMoment: .checkpoint)
    let work = unseen(engine, store: "{journal_mode: \(journal)}")
    #expect(journal == "wal" ? work == .rows(found: 0, expected: 60) : work != nil, "\(String(describing: work))")
  }
}

extension LateWorkTests {
  @Test("A transaction that spills to disk leaves a journal, with which no other connection can read")
  func spilledTransaction() throws {
    let engine = SpoilingInsertEngine(
      sql: "PRAGMA cache_size = 5; BEGIN; UPDATE ZQUAKE SET ZPLACE = 'nowhere'", laterSQL: "ROLLBACK",
      laterMoment: .checkpoint)
    let complaint = try #require(engine.complaint(rows: 5_000, store: "{journal_mode: delete}"))
    #expect(
      complaint.hasPrefix(
        "when the phase ingest had ended, another connection could not read the store; expected its work to be committed: "
      ))
    #expect(!complaint.contains("\n"))
  }

  @Test("Rows that are ingested again are checked after each time")
  func again() throws {
    #expect(try SpoilingInsertEngine().sample(repeats: 3).contents.versions == [3: 60])
    #expect(unseen(SpoilingInsertEngine(promptRows: 6), repeats: 2) == .rows(found: 6, expected: 60))
  }

  @Test("With an exclusively locked store, a note says when the rows were checked")
  func exclusive() throws {
    let late = SpoilingInsertEngine(promptRows: 6)
    let sample = try late.sample(store: "{locking_mode: exclusive, journal_mode: wal}")
    #expect(sample.contents.rows == 60)
    #expect(sample.notes.count == 1 && sample.notes[0].hasPrefix("locking_mode is exclusive: the rows were checked"))
  }

  @Test("A pragma that the connection reports differently from the scenario is noted")
  func pragmas() throws {
    let store = "{journal_mode: wal, synchronous: normal, cache_spill: true, temp_store: memory, secure_delete: fast}"
    #expect(try SpoilingInsertEngine().sample(store: store).notes.isEmpty)
    let sample = try SpoilingInsertEngine(sql: "PRAGMA synchronous = off; PRAGMA temp_store = file").sample(
      store: store)
    #expect(
      sample.notes == [
        "the scenario sets synchronous to normal; the engine's connection answers 0",
        "the scenario sets temp_store to memory; the engine's connection answers 1",
      ])
  }
}

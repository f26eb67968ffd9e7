// Ways to cheat that only the meter sees: each one fails its sample with a sentence, or gets a note.
import BatchmarkEngine
import Foundation
import Instruments
import MissionTags
import Testing

@testable import Harness

@Suite("A4 A10 · what the meter says against an engine", .tags(.a4, .a10))
struct CheatTests {
  private func run(
    _ strategy: String, store: String = "{journal_mode: wal}"
  ) async throws -> (Workspace, Program.Result) {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: \(strategy)}", "{engine: sqlite, strategy: insert}"], store: store, rounds: 1)
    return (workspace, try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path))
  }

  @Test(
    "The sample of the counters fails with a sentence",
    arguments: [
      (
        "unsynced", "{journal_mode: wal, synchronous: normal}",
        "in the phase ingest the files had 1 of the 2 syncs that SQLite makes at least"
      ),
      ("forked", "{journal_mode: wal}", "in the phase ingest the worker wrote no byte, and the store has 60 rows more"),
      ("late-checkpoint", "{journal_mode: wal}", "after the phase ingest and before the phase checkpoint "),
    ])
  func failing(strategy: String, store: String, sentence: String) async throws {
    let (workspace, result) = try await run(strategy, store: store)
    #expect(result.status == 3, "\(result.errors)")
    let failures = try workspace.journal("out").filter { $0.kind == "failure" }
    let reasons = failures.compactMap { $0.value["reason"] as? String }
    #expect(reasons.count == 1 && reasons.allSatisfy { $0.hasPrefix(sentence) }, "\(reasons)")
    #expect(failures.allSatisfy { $0.value["cell"] as? String == "small/faulty/\(strategy)" })
    #expect(try workspace.report("out").contains(sentence))
  }

  @Test("Memory that the engine maps itself gets a remark in the memory pass")
  func mapped() async throws {
    let (workspace, result) = try await run("mapped-memory")
    #expect(result.status == 0, "\(result.errors)")
    let notes = try workspace.journal("out").filter { $0.kind == "sample" }.flatMap { record in
      (record.value["notes"] as? [String] ?? []).map { (record.value["cell"] as? String ?? "", $0) }
    }
    let remarks = notes.filter { $0.1.hasPrefix("resident memory grew by ") }
    #expect(remarks.count == 1 && remarks.first?.0 == "small/faulty/mapped-memory", "\(notes)")
  }

  // MARK: - The rules on their own

  /// A sample of an insert's counters, with these figures and answers.
  private func sample(_ metrics: [MetricID: Int64], _ answers: [String: String]) -> Sample {
    var measurement = PhaseMeasurement(phase: .ingest, rows: 10)
    measurement.metrics = metrics
    let contents = StoredContents(
      rows: 10, contentHash: "", nulls: [:], versions: [:], databaseBytes: 0, versionedHash: "")
    return Sample(
      cell: "s/e/x", pass: .counters, round: 1, phases: [measurement], contents: contents,
      pragmas: answers.map { StorePragma($0.key, $0.value) }, notes: [], sqlite: "", fingerprint: "")
  }

  private static let honest: [MetricID: Int64] = [
    .bytesWritten: 100_000, .databaseBytesWritten: 40_960, .databaseSyncs: 1, .journalSyncs: 0, .walSyncs: 2,
    .walRestarts: 1, .checkpoints: 1, .walCommits: 5, .journalBytesWritten: 0, .walBacklogPeak: 20,
  ]

  @Test("Honest figures are accepted, and impossible ones are contradicted")
  func rules() {
    let wal = ["journal_mode": "wal", "synchronous": "1", "wal_autocheckpoint": "1000"]
    func fault(_ changes: [MetricID: Int64], _ answers: [String: String]) -> SessionFault? {
      sample(Self.honest.merging(changes) { $1 }, answers).contradiction(.insert, rows: 10)
    }
    #expect(fault([:], wal) == nil)
    #expect(fault([.bytesWritten: 0], wal) == .nothingWritten(phase: .ingest, rows: 10))
    #expect(fault([.walSyncs: 1], wal) == .notSynced(phase: .ingest, synchronous: "1", syncs: 1, needed: 2))
    // The scenario asked for off.
    #expect(fault([.walSyncs: 0], wal.merging(["synchronous": "0"]) { $1 }) == nil)
    let full = wal.merging(["synchronous": "2"]) { $1 }
    #expect(fault([.walSyncs: 7], full) == nil)
    #expect(fault([.walSyncs: 4], full) == .notSyncedAtCommit(phase: .ingest, commits: 5, syncs: 4))
    #expect(
      fault([.walRestarts: 0, .walSyncs: 0, .checkpoints: 0], wal)
        == .withoutJournal(phase: .ingest, journalMode: "wal", bytes: 40_960))
    let deleting = ["journal_mode": "delete", "synchronous": "full"]
    #expect(fault([.journalBytesWritten: 4_096, .walCommits: 0], deleting) == nil)
    #expect(fault([.walCommits: 0], deleting) == .withoutJournal(phase: .ingest, journalMode: "delete", bytes: 40_960))
    #expect(
      fault([.databaseSyncs: 0, .journalBytesWritten: 4_096], deleting)
        == .notSynced(phase: .ingest, synchronous: "full", syncs: 0, needed: 1))
    // A fetch writes nothing, and unknown figures contradict nothing.
    #expect(sample([.bytesWritten: 0, .databaseBytesWritten: 0], wal).contradiction(.fetch, rows: 10) == nil)
    #expect(sample([:], wal).contradiction(.insert, rows: 10) == nil)
  }

  @Test("A WAL without a checkpoint gets a remark, unless a reader was in the way")
  func autocheckpoint() {
    let wal = ["journal_mode": "wal", "wal_autocheckpoint": "1000"]
    let off = Self.honest.merging([.walBacklogPeak: 5_000, .checkpoints: 0]) { $1 }
    #expect(sample(off, wal).meteredRemarks(.insert, hasReader: false).count == 1)
    #expect(sample(off, wal).meteredRemarks(.insert, hasReader: true).isEmpty)
    #expect(sample(Self.honest, wal).meteredRemarks(.insert, hasReader: false).isEmpty)
  }
}

// Failing workers: the run continues, the report describes the failures, and the status is 3.
import Foundation
import MissionTags
import Testing

@Suite("A6 A10 · failed samples", .tags(.a6, .a10))
struct FailureTests {
  /// Runs a faulty cell, alone or with a good one, and returns the reasons of all failures.
  private func reasons(
    _ strategy: String, isAlone: Bool = false, limit: String = "", store: String = "{journal_mode: wal}",
    rows: Int = 60
  ) async throws -> (reasons: [String], report: String) {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: \(strategy)}"] + (isAlone ? [] : ["{engine: sqlite, strategy: insert}"]),
      source: "{generate: {rows: \(rows)}}", store: store, rounds: 1, more: limit)
    let result = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 3, "\(result.errors)")
    let good = try workspace.samples("out").filter { $0.contains("sqlite/insert") }
    #expect(good.count == (isAlone ? 0 : passes))
    #expect(!workspace.exists("out/stores"))
    let failures = try workspace.journal("out").filter { $0.kind == "failure" }
    return (failures.compactMap { $0.value["reason"] as? String }, try workspace.report("out"))
  }

  @Test("A crash: the signal is named and the worker's last words are in the report")
  func crash() async throws {
    let (reasons, report) = try await reasons("crash")
    #expect(reasons == Array(repeating: "the worker was killed by signal 11 (SIGSEGV)", count: passes))
    #expect(report.contains("signal 11 (SIGSEGV)"))
    #expect(report.contains("the engine's last words"))
  }

  @Test("A hanging worker is stopped at its limit")
  func hang() async throws {
    let (reasons, report) = try await reasons("hang", isAlone: true, limit: ", sample_limit: 2 s")
    #expect(reasons.count == passes)
    #expect(reasons.allSatisfy { $0 == "the worker had not ended after 2 s and was stopped" })
    #expect(report.contains("had not ended after 2 s"))
  }

  @Test("Wrong rows are a failure, however fast")
  func wrongRows() async throws {
    let (reasons, _) = try await reasons("wrong-rows")
    #expect(reasons.count == passes)
    #expect(reasons.allSatisfy { $0.contains("59") && $0.contains("60") }, "\(reasons)")
  }
}

extension FailureTests {
  @Test("Right rows without their links are a failure", .tags(.b8))
  func unlinked() async throws {
    let workspace = try Workspace()
    try workspace.write(
      """
      scenario: small
      model:
        Quake:
          attributes: {code: {type: string}, net: {type: string}}
          relationships: {network: {to: Network, inverse: null}}
        Network: {attributes: {code: {type: string}}, unique: [[code]]}
      entity: Quake
      source: {generate: {rows: 60}}
      link: {network: net}
      cells: [{engine: faulty, strategy: unlinked}, {engine: faulty, strategy: none}]
      measure: {rounds: 1}
      """, to: "small.yml")
    let result = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 3, "\(result.errors)")
    let failures = try workspace.journal("out").filter { $0.kind == "failure" }
    #expect(
      failures.compactMap { $0.value["reason"] as? String }
        == Array(
          repeating: "the store holds the right rows, but 0 of them are linked by 'network'; expected 60", count: passes
        ))
    #expect(try workspace.samples("out").count { $0.contains("faulty/none") } == passes)
  }

  @Test("An orphan that a deletion leaves fails the samples of its cell, with the row", .tags(.b3, .d13))
  func orphan() async throws {
    let workspace = try Workspace()
    try workspace.write(
      """
      scenario: small
      model:
        Folder:
          attributes: {name: {type: string}, level: {type: int16}, half: {type: int16}}
          relationships:
            parent: {to: Folder, inverse: children}
            children: {to: Folder, inverse: parent, many: true, delete: cascade}
      source: {trees: {rows: 14, levels: 2, fan_out: 2}}
      operation: delete
      where: level = 0 AND half = 0
      cells: [{engine: faulty, strategy: orphan}, {engine: sqlite, strategy: delete-many}]
      measure: {rounds: 1}
      """, to: "small.yml")
    let result = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 3, "\(result.errors)")
    let failures = try workspace.journal("out").filter { $0.kind == "failure" }
    #expect(
      failures.compactMap { $0.value["cell"] as? String } == Array(repeating: "small/faulty/orphan", count: passes))
    for failure in failures {
      let reason = try #require(failure.value["reason"] as? String)
      #expect(
        reason == "the store breaks a rule of an object graph: 1 key of Folder.parent leads to no row: Folder/p7")
    }
    #expect(try workspace.samples("out").count { $0.contains("sqlite/delete-many") } == passes)
  }

  /// Every fault that only verification finds, with its message.
  private static let spoilt = [
    "late":
      "when the phase ingest had ended, another connection saw 6 rows; expected 60, which the store has now that it "
      + "is closed",
    "late-thread":
      "when the phase ingest had ended, another connection saw 0 rows; expected 60, which the store has now "
      + "that it is closed",
    "text-as-blob": "row Z_PK 7 of Quake: found place stored as blob; expected text",
    "real-in-integer": "row Z_PK 7 of Quake: found nst stored as real; expected integer",
    "date-as-text": "row Z_PK 7 of Quake: found time stored as text; expected real or integer",
    "extra-column":
      "the store's layout is not the model's: found the column ZNOTE in ZQUAKE; expected no column that is "
      + "not of the model",
    "extra-table": "the store's layout is not the model's: found the table NOTES; expected no table that is not of the "
      + "model",
    "missing-index":
      "the store's layout is not the model's: found no index Z_Quake_UNIQUE_code; expected a unique index "
      + "of ZQUAKE (ZCODE)",
    "plain-index": "the store's layout is not the model's: found an index of ZQUAKE (ZCODE) as Z_Quake_UNIQUE_code; "
      + "expected a unique index of ZQUAKE (ZCODE)",
    "wrong-entity-number": "row Z_PK 7 of Quake: found the entity number (Z_ENT) 9; expected 1 (Quake)",
    "version-missing": "row Z_PK 7 of Quake: found the version (Z_OPT) NULL; expected at least 1",
    "negative-key": "row Z_PK -7 of Quake: found a key that is not positive; expected keys from 1 on",
    "key-not-counted":
      "row Z_PK 60 of Quake: found Z_MAX 3 for Quake in Z_PRIMARYKEY; expected at least 60, the largest "
      + "key",
    "check-added":
      "the store's layout is not the model's: found CHECK in the table ZQUAKE; expected no constraint that is not "
      + "of the model",
    "collate-added":
      "the store's layout is not the model's: found COLLATE in the table ZQUAKE; expected no constraint that "
      + "is not of the model",
    "wrong-metadata-version": "found Z_VERSION 7 in Z_METADATA; expected 1",
    "wrong-identifier": "found 'mine' as the store's UUID (Z_UUID); expected a UUID of its own",
    "other-auto-vacuum": "the file has auto_vacuum 0; expected incremental",
    "row-while-opening":
      "found rows in ZQUAKE when the store had been opened; expected them to be stored in the phase ingest",
    "deletes-journal": "the engine answers delete for journal_mode, and the file says wal; expected the file's answer",
    "metadata-gone": "found no row in Z_METADATA; expected one, with the model's version hashes",
    "one-wrong-row":
      "the store holds 60 rows, as it should, but other values: row Z_PK 7 of Quake: found magnitude 99.5; "
      + "expected magnitude ",
  ]

  @Test("Each way to fool the harness fails the samples of its cell, with a sentence that says what differs and where")
  func spoilt() async throws {
    let workspace = try Workspace()
    let faults = FailureTests.spoilt.keys.sorted() + ["none"]
    try workspace.writeScenario(
      cells: faults.map { "{engine: faulty, strategy: \($0)}" }, store: "{journal_mode: wal}", rounds: 1)
    try workspace.write(
      try workspace.text(of: "small.yml").replacingOccurrences(
        of: "code: {type: string}", with: "code: {type: string}\n      nst: {type: int32, optional: true}"),
      to: "small.yml")
    let result = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 3, "\(result.errors)")
    let failures = try workspace.journal("out").filter { $0.kind == "failure" }
    for (fault, sentence) in FailureTests.spoilt {
      let reasons = failures.filter { $0.value["cell"] as? String == "small/faulty/\(fault)" }
        .compactMap { $0.value["reason"] as? String }
      #expect(reasons.count == passes, "\(fault)")
      #expect(reasons.allSatisfy { $0.hasPrefix(sentence) && !$0.contains("\n") }, "\(fault): \(reasons)")
    }
    #expect(failures.count == passes * FailureTests.spoilt.count)
    let report = try workspace.report("out")
    #expect(report.contains("small/faulty/text-as-blob") || report.contains("text-as-blob"))
  }

  @Test("An engine's own error is the reason")
  func error() async throws {
    let (reasons, _) = try await reasons("error")
    #expect(reasons == Array(repeating: "the engine refuses to store anything", count: passes))
  }
}

extension FailureTests {
  @Test("A worker that ends early is noticed")
  func exitsEarly() async throws {
    let (reasons, _) = try await reasons("exits-early")
    #expect(reasons == Array(repeating: "the worker ended without an answer", count: passes))
  }

  @Test("A full disk fails the cells and says so")
  func fullDisk() async throws {
    let (reasons, _) = try await reasons(
      "none", isAlone: true, store: "{max_page_count: 20, journal_mode: wal}", rows: 2_000)
    #expect(!reasons.isEmpty)
    #expect(reasons.allSatisfy { $0.contains("full") }, "\(reasons)")
  }

  @Test("A cell that fails three times in a row is skipped, and the report says which samples are missing")
  func givingUp() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: error}", "{engine: sqlite, strategy: insert}"], rounds: 6)
    let result = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 3)
    #expect(result.errors.contains("small/faulty/error: failed 3 times in a row; its other samples are left out"))
    #expect(try workspace.journal("out").count { $0.kind == "failure" } == 3)
    #expect(try workspace.samples("out").count == passes + 5)
    #expect(try workspace.report("out").contains("Incomplete"))
  }

  @Test("A single failure sets its round aside; resuming takes the sample again and completes the run")
  func once() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: crash-once}", "{engine: sqlite, strategy: insert}"], rounds: 3)
    let first = try await Program.faulty.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(first.status == 3)
    #expect(try workspace.samples("out").count == 2 * (passes + 2) - 1)
    let second = try await Program.faulty.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(second.status == 0, "\(second.errors)")
    #expect(Set(try workspace.samples("out")).count == 2 * (passes + 2))
  }
}

// C1, C2: an observing context that is notified of stored rows ends with these rows, for every kind of notification; a
// store with history records what was done.
import Engines
import Foundation
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import BatchmarkEngine
import Testing
import Harness

@Suite("C1 C2 · merging in scenarios")
struct MergeTests {
  /// Takes one sample of each cell.
  ///
  /// Its own checks compare store and observer with contents computed from the rows alone.
  private func samples(
    _ lines: String, rows: String = "{rows: 120, seed: 3}", cells: String, inspect: (String) throws -> Void = { _ in }
  ) throws -> [Sample] {
    let text = """
      scenario: test
      model:
        Quake:
          attributes:
            code: {type: string}
            magnitude: {type: float, optional: true, default: 1.5}
            place: {type: string, optional: true}
            time: {type: date}
          unique: [[code]]
      source: {generate: \(rows)}
      \(lines)
      cells:
      \(cells)
      """
    return try takeSamples(of: text, inspect: inspect)
  }

  private let insertCells = """
      - {strategy: save, save_every: 7, merge: automatic}
      - {strategy: save, merge: automatic, after_save: reset}
      - {strategy: save, save_every: 7, merge: changes}
      - {strategy: save, save_every: 7, merge: changes, after_save: new_context}
      - {strategy: save, save_every: 50, merge: history}
      - {strategy: batch-objects, request_size: 7, merge: changes}
      - {strategy: batch-objects, merge: history}
      - {strategy: batch-dictionary, merge: changes}
      - {strategy: batch-dictionary, request_size: 30, merge: history}
      - {strategy: batch-managed-object, request_size: 30, merge: changes}
      - {strategy: batch-managed-object, merge: history}
    """

  @Test("After the merge phase, the observer has every inserted row", .tags(.c1, .c2))
  func inserts() throws {
    let samples = try samples("", cells: insertCells)
    #expect(samples.count == 11 && Set(samples.map(\.contents.contentHash)).count == 1)
    for sample in samples {
      #expect(sample.phases.map(\.phase) == [.load, .ingest, .merge, .checkpoint, .verify], "\(sample.cell)")
      #expect(sample.phases.first { $0.phase == .merge }?.rows == 120)
    }
  }

  @Test("Overwritten rows are merged too, also if they are ingested twice", .tags(.c1, .c2, .b11))
  func upserts() throws {
    let samples = try samples(
      "merge_policy: object_trump\nrepeat: 2", rows: "{rows: 120, seed: 3, duplicates: 20%}", cells: insertCells)
    #expect(samples.count == 11 && samples.allSatisfy { $0.contents.rows == 96 })
    #expect(samples.allSatisfy { $0.phases.map(\.phase).contains(.reingest) })
  }

  @Test("After the merge phase of an update or a delete, the observer has the remaining rows", .tags(.c1, .c2, .d8))
  func changes() throws {
    for operation in ["update", "delete"] {
      let names = operation == "update" ? ["batch-update"] : ["batch-delete", "batch-delete-ids"]
      let cells =
        ["automatic", "changes", "history"].map { "  - {strategy: save, save_every: 7, merge: \($0)}" }
        + names.flatMap { name in ["changes", "history"].map { "  - {strategy: \(name), merge: \($0)}" } }
      let lines = "operation: \(operation)\nwhere: magnitude >= 0.5"
      let samples = try samples(
        lines + (operation == "update" ? "\nset: {place: reviewed, magnitude: 9.5}" : ""),
        cells: cells.joined(separator: "\n"))
      #expect(samples.count == cells.count && Set(samples.map(\.contents.contentHash)).count == 1)
    }
  }
}

extension MergeTests {
  private static let lists = ["refetch", "controller", "sections", "matching"]

  @Test("A list is updated with every insert by each way of merging, and is checked against the rows", .tags(.c1, .d12))
  func lists() throws {
    let cells = MergeTests.lists.flatMap { results in
      [
        "save, save_every: 7, merge: automatic", "save, save_every: 50, merge: changes",
        "save, save_every: 50, merge: history", "batch-objects, request_size: 30, merge: changes",
      ].map { "  - {strategy: \($0), results: \(results)}" }
    }
    let list = "list: {order: time, descending: true, section: place, matching: magnitude >= 1}"
    let samples = try samples(list, cells: cells.joined(separator: "\n"))
    #expect(samples.count == 16 && samples.allSatisfy { $0.contents.rows == 120 })
    #expect(samples.allSatisfy { $0.phases.map(\.phase).contains(.merge) })
  }

  @Test("A list is updated with updates and deletions that insert and remove its rows", .tags(.c1, .d12, .d8))
  func changedLists() throws {
    for operation in ["update", "delete"] {
      let cells = MergeTests.lists.flatMap { results in
        [
          "save, save_every: 7, merge: automatic", "batch-\(operation), merge: changes",
          "batch-\(operation), merge: history",
        ].map { "  - {strategy: \($0), results: \(results)}" }
      }
      let lines = """
        operation: \(operation)
        where: magnitude >= 0.5
        list: {order: code, section: place, matching: magnitude < 2}
        """
      let samples = try samples(
        lines + (operation == "update" ? "\nset: {place: reviewed, magnitude: 9.5}" : ""),
        cells: cells.joined(separator: "\n"))
      #expect(samples.count == 12 && Set(samples.map(\.contents.contentHash)).count == 1)
    }
  }

  @Test("There is no observer unless a cell asks for one, and history is recorded only on request", .tags(.c2))
  func history() throws {
    var transactions: [Int64?] = []
    let samples = try samples(
      "",
      cells: """
          - {strategy: save, save_every: 50}
          - {strategy: save, save_every: 50, history: on}
          - {strategy: batch-dictionary, request_size: 30, history: on}
          - {strategy: batch-objects, history: on}
        """
    ) { path in
      let connection = try Connection(path: path, access: .readOnly)
      let isKept = try connection.scalar("SELECT count(*) FROM sqlite_master WHERE name = 'ACHANGE'") == 1
      transactions.append(isKept ? try connection.scalar("SELECT count(*) FROM ATRANSACTION") : nil)
      if isKept { #expect(try connection.scalar("SELECT count(*) FROM ACHANGE") == 120) }
      try connection.close()
    }
    #expect(transactions == [nil, 3, 4, 1])
    #expect(samples.allSatisfy { sample in !sample.phases.contains { $0.phase == .merge } })
  }

  @Test("A request's size is the size of its transactions, whatever the style", .tags(.b13))
  func requestSize() throws {
    var transactions: [Int64?] = []
    let styles = ["batch-objects", "batch-dictionary", "batch-managed-object"]
    let cells = styles.map { "  - {strategy: \($0), request_size: 50, history: on}" }.joined(separator: "\n")
    _ = try samples("", cells: cells) { path in
      let connection = try Connection(path: path, access: .readOnly)
      transactions.append(try connection.scalar("SELECT count(*) FROM ATRANSACTION"))
      try connection.close()
    }
    #expect(transactions == [3, 3, 3])
  }

  @Test("A WAL limit is kept, and a reader that makes the WAL grow is reported", .tags(.b13))
  func walLimit() throws {
    let cells = ["batch-objects", "batch-dictionary", "batch-managed-object"].flatMap { strategy in
      ["", ", reader: pinned"].map { "  - {strategy: \(strategy), wal_limit: 128 KiB\($0)}" }
    }
    let samples = try samples(
      "store: {busy_timeout: 50}", rows: "{rows: 5_000, seed: 3}", cells: cells.joined(separator: "\n"))
    #expect(samples.count == 6 && samples.allSatisfy { $0.contents.rows == 5_000 })
    for sample in samples {
      #expect(
        (sample.engineNotes ?? []).contains { $0.contains("held up by a reader") }
          == sample.cell.contains("reader=pinned"),
        "\(sample.cell): \(sample.engineNotes ?? [])")
    }
  }

  @Test("With a pinned reader every strategy stores the same rows", .tags(.b13))
  func reader() throws {
    let cells = everyCell.map { "  - {engine: \($0.engine), strategy: \($0.strategy), reader: pinned}" }
    let samples = try samples("", cells: cells.joined(separator: "\n"))
    #expect(samples.count == cells.count && Set(samples.map(\.contents.contentHash)).count == 1)
  }
}

// E: deleting the roots of trees leaves the same rows in every engine, for every rule, number of levels and limit.
import BatchmarkEngine
import Foundation
import Instruments
import MissionTags
import SQLiteDriver
import Testing
import Harness

@Suite("E B3 B4 · deletions through levels", .tags(.b3))
struct CascadeTests {
  /// Takes one sample of each cell.
  ///
  /// Its own check compares rows, versions and parents with those computed from the source alone.
  private func samples(
    _ trees: String, rule: String, where condition: String = "level = 0 AND half = 0", cells: [String]? = nil,
    inspect: (String) throws -> Void = { _ in }
  ) throws -> [Sample] {
    let cells =
      cells ?? [
        "{strategy: save}", "{strategy: save, save_every: 3}", "{strategy: batch-delete}",
        "{strategy: batch-delete, request_size: 1}", "{strategy: batch-delete, request_size: 3}",
        "{strategy: batch-delete-ids}", "{strategy: batch-delete, history: on}", "{strategy: save, merge: changes}",
        "{strategy: batch-delete, merge: changes, request_size: 2}",
        "{engine: sqlite, strategy: delete}", "{engine: sqlite, strategy: delete, save_every: 4}",
        "{engine: sqlite, strategy: delete-many}",
      ]
    return try takeSamples(
      of: """
        scenario: test
        model:
          Folder:
            attributes: {name: {type: string}, level: {type: int16}, half: {type: int16}, tree: {type: int16}}
            relationships:
              parent: {to: Folder, inverse: children}
              children: {to: Folder, inverse: parent, many: true}
        source: {trees: \(trees)}
        operation: delete
        delete_rule: \(rule)
        where: \(condition)
        cells:
        \(cells.map { "  - " + $0 }.joined(separator: "\n"))
        """, inspect: inspect)
  }

  private func handled(_ sample: Sample) -> Int? { sample.phases.first { $0.phase == .delete }?.rows }

  @Test("A cascade deletes every level, and leaves the other trees whole", arguments: 1...5)
  func cascade(levels: Int) throws {
    let size = TreeSettings(rows: 1, levels: levels, fanOut: 2).rowsPerTree
    let samples = try samples("{rows: \(size * 4), levels: \(levels), fan_out: 2}", rule: "cascade")
    #expect(Set(samples.map(\.contents.contentHash)).count == 1 && Set(samples.map(\.contents.links)).count == 1)
    for sample in samples {
      #expect(sample.contents.rows == size * 2 && sample.contents.versions == [1: size * 2])
      #expect(sample.contents.links?.map(\.relationship) == ["Folder.parent"])
      #expect(sample.contents.links?.first?.linkedRows == size * 2 - 2)
      #expect(handled(sample) == size * 2)
    }
  }

  @Test("Rows of a tree that match together with their root are deleted once")
  func below() throws {
    let samples = try samples("{rows: 60, levels: 3, fan_out: 2}", rule: "cascade", where: "level <= 2 AND half = 0")
    try #require(!samples.isEmpty)
    for sample in samples {
      #expect(sample.contents.rows == 30 && handled(sample) == 30)
    }
  }

  @Test("A row with a parent that stays is refused, because some strategies would update the parent and others not")
  func keptParent() {
    #expect {
      try samples("{rows: 60, levels: 3, fan_out: 2}", rule: "cascade", where: "level >= 1 AND tree = 0")
    } throws: {
      "\($0)".hasPrefix("the 'where' of test is true of row 2 of its trees, and not of the row above it; expected")
    }
  }
}

extension CascadeTests {
  @Test("Nullified rows stay without a destination, and their versions increase once")
  func nullify() throws {
    let all = try samples("{rows: 52, levels: 2, fan_out: 3}", rule: "nullify")
    try #require(!all.isEmpty)
    for sample in all {
      #expect(sample.contents.rows == 50 && sample.contents.versions == [1: 44, 2: 6])
      #expect(sample.contents.links?.first?.linkedRows == 48 - 6)
      #expect(handled(sample) == 8)
    }
    // Rows that are deleted themselves are not counted.
    let some = try samples("{rows: 52, levels: 2, fan_out: 3}", rule: "nullify", where: "level <= 1")
    try #require(!some.isEmpty)
    for sample in some {
      #expect(sample.contents.rows == 36 && sample.contents.versions == [2: 36])
    }
  }

  @Test("With no action, rows keep the keys of deleted ones, in every engine")
  func noAction() throws {
    let cells = [
      "{strategy: save}", "{strategy: batch-delete}", "{strategy: batch-delete, request_size: 1}",
      "{engine: sqlite, strategy: delete}", "{engine: sqlite, strategy: delete-many}",
      "{engine: grdb, strategy: delete}", "{engine: grdb, strategy: delete-many}",
    ]
    let samples = try samples("{rows: 52, levels: 2, fan_out: 3}", rule: "no_action", cells: cells)
    #expect(samples.count == cells.count && Set(samples.map(\.contents.links)).count == 1)
    for sample in samples {
      #expect(sample.contents.rows == 50 && sample.contents.versions == [1: 50] && handled(sample) == 2)
      #expect(sample.contents.links?.first?.linkedRows == 48)
    }
  }

  @Test("A request size gives the right number of requests", arguments: [(1, 5), (2, 3), (3, 2), (5, 1), (100, 1)])
  func limit(size: Int, requests: Int) throws {
    // The history has a transaction for each request that deleted something.
    let cells = ["{strategy: batch-delete, history: on, request_size: \(size)}"]
    var found: Int64?
    let samples = try samples("{rows: 70, levels: 2, fan_out: 2}", rule: "cascade", cells: cells) { path in
      let connection = try Connection(path: path, access: .readOnly)
      found = try connection.scalar("SELECT count(*) FROM ATRANSACTION")
      try connection.close()
    }
    #expect(found == Int64(requests) && samples[0].contents.rows == 35)
  }
}

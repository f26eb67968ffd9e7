// If a cell has several saves, transactions or batches, each is timed separately.
import BatchmarkEngine
import Engines
import Foundation
import Harness
import MissionTags
import Scenarios
import Statistics
import Testing

@Suite("A15 · single requests", .tags(.a15))
struct RequestTests {
  private func text(_ lines: String, _ cells: String) -> String {
    """
    scenario: test
    model: {Quake: {attributes: {code: {type: string}, magnitude: {type: double, optional: true}}}}
    source: {generate: {rows: 100, seed: 3}}
    measure: {warm_up: 0}
    \(lines)
    cells: [\(cells)]
    """
  }

  /// The number of requests of each cell.
  private func requests(_ lines: String, _ cells: String) throws -> [Int?] {
    try takeSamples(of: text(lines, cells)).map { $0.requests?.count }
  }

  @Test("Saves and batches are counted one by one, and a single one has no count")
  func inserts() throws {
    let found = try requests(
      "",
      "{strategy: save, save_every: 10}, {strategy: save, save_every: all}, {strategy: batch-objects, request_size: 25}, "
        + "{strategy: batch-objects}, {engine: sqlite, strategy: insert}")
    #expect(found == [10, nil, 4, nil, nil])
  }

  @Test("Saves and transactions of updates and deletes are counted one by one")
  func changes() throws {
    let cells =
      "{strategy: save, save_every: 20}, {engine: sqlite, strategy: CHANGE, save_every: 20}, "
      + "{engine: grdb, strategy: CHANGE, save_every: 50}"
    let update = try requests("operation: update\nset: {magnitude: 5}", cells.replacing("CHANGE", with: "update"))
    #expect(update == [5, 5, 2])
    let delete = try requests("operation: delete", cells.replacing("CHANGE", with: "delete"))
    #expect(delete == [5, 5, 2])
  }

  @Test("The longest request takes a part of its phase")
  func times() throws {
    let samples = try takeSamples(of: text("", "{strategy: save, save_every: 10}"))
    let sample = try #require(samples.first)
    let longest = try #require(sample.requests?.longest)
    let wall = try #require(sample.phases.first { $0.phase == .ingest }?.wallSeconds)
    #expect(longest > 0 && Double(longest) / 1e9 <= wall)
  }
}

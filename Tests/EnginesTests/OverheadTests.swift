// A2: cells that show the harness's cost do all of their work and are checked like all others.
import Instruments
import MissionTags
import BatchmarkEngine
import Testing
import Harness

@Suite("A2 · the harness' own cost", .tags(.a2))
struct OverheadTests {
  private func text(_ cells: String, more: String = "") -> String {
    """
    scenario: test
    model:
      Quake:
        attributes:
          code: {type: string}
          magnitude: {type: double, optional: true}
          place: {type: string, optional: true}
          time: {type: date}
        unique: [[code]]
    source: {generate: {rows: 2000, seed: 3}}
    merge_policy: object_trump
    \(more)
    cells:
    \(cells)
    """
  }

  @Test("The empty strategy does nothing in its phase, and ends with the same rows and versions as every other")
  func empty() throws {
    for more in ["", "repeat: 2"] {
      let samples = try takeSamples(
        of: text("  - {engine: sqlite, strategy: empty}\n  - {engine: sqlite, strategy: insert}", more: more))
      #expect(samples.count == 2)
      #expect(Set(samples.map(\.contents.versionedHash)).count == 1 && samples.allSatisfy { $0.contents.rows == 2000 })
      #expect(samples[0].phases.map(\.phase) == samples[1].phases.map(\.phase))
    }
  }

  @Test("A timed sample reports the time of the readings around each phase")
  func readings() throws {
    let sample = try #require(try takeSamples(of: text("  - {engine: sqlite, strategy: empty}")).first)
    #expect(sample.phases.allSatisfy { ($0.readingSeconds ?? 0) > 0 })
  }

  @Test("With an instrument attached the same rows are stored, and only times are measured")
  func attached() throws {
    let samples = try takeSamples(
      of: text("  - {strategy: batch-dictionary}\n  - {strategy: batch-dictionary, attached: sampler}"))
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    #expect(samples.allSatisfy { $0.phases.allSatisfy { $0.wallSeconds != nil && $0.metrics.isEmpty } })
    #expect(samples.allSatisfy { $0.growth.isEmpty })
  }

  @Test("A requested meter that is not loaded is refused, not left out")
  func missingMeter() {
    #expect {
      try takeSamples(of: text("  - {strategy: batch-dictionary, attached: allocation_meter}"))
    } throws: { error in
      "\(error)".contains("the allocation meter is not loaded")
    }
  }
}

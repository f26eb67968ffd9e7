// The closing table: its width, its colours, its columns.
import Analysis
import Harness
import Reports
import Scenarios
import Testing

@Suite("A5 · the closing table")
struct TerminalTableTests {
  private func plain(_ text: String) -> String {
    ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].reduce(text) { $0.replacing($1, with: "") }
  }

  @Test("A row has a cell's figures, a dash for what was not measured, and the report's warnings below", .tags(.a5))
  func rows() {
    let lines = TerminalTable.render(Fixture.troubled.results, colour: false).split(separator: "\n").map(String.init)
    #expect(lines[0] == "Not comparable: debug build")
    #expect(lines[1] == "earthquakes: 100,000 rows, ingest phase")
    let words = { (line: String) in line.split(whereSeparator: \.isWhitespace).map(String.init) }
    #expect(words(lines[2]) == words("cell wall time 95 % rows/s x reference heap peak resident WAL peak"))
    #expect(words(lines[3]) == words("save 416 ms [400, 499] 240,176 2.16 45.2 MiB 68.1 MiB 12.3 MiB"))
    #expect(words(lines[4]) == words("batch-objects 303 ms [286, 372] 330,463 1.58 — — 3.93 MiB"))
    for line in ["— not measured; the report says why", "1 sample failed; the report says why"] {
      #expect(lines.contains(line), "\(lines)")
    }
  }

  @Test("Colour changes nothing but the colour", .tags(.a5))
  func colour() {
    for fixture in [Fixture.standard, Fixture.troubled] {
      let coloured = TerminalTable.render(fixture.results, colour: true)
      let without = TerminalTable.render(fixture.results, colour: false)
      #expect(coloured != without)
      #expect(!without.contains("\u{1B}"))
      #expect(plain(coloured) == without)
    }
  }

  @Test("The winner is bold, and nobody when there is none", .tags(.a5, .a2))
  func bold() {
    var fixture = Fixture.standard
    #expect(TerminalTable.render(fixture.results, colour: true).contains("\u{1B}[1msqlite/insert\u{1B}[0m"))
    fixture["insert"].walls = fixture["batch-managed-object"].walls
    #expect(!TerminalTable.render(fixture.results, colour: true).contains("\u{1B}[1m"))
  }

  @Test("Lines stay within 120 columns and line up, however long the names", .tags(.a5))
  func width() throws {
    var fixture = Fixture.standard
    fixture["save"].cell.parameters = ["save_every": .count(1_000_000), "another_parameter": .count(1_234_567)]
    fixture["save"].cell.strategy = "a-strategy-with-a-name-that-goes-on-and-on-and-on-for-much-longer-than-it-should"
    let lines = TerminalTable.render(fixture.results, colour: false).split(separator: "\n")
    let table = lines.dropFirst().prefix(6)
    #expect(Set(table.map(\.count)).count == 1)
    #expect(lines.allSatisfy { $0.count <= 120 })
    #expect(lines.contains { $0.hasPrefix("a-strategy-with-a-name") && $0.contains("…") })
  }

  @Test("Every cell has its seven figures, or a dash", .tags(.a5, .a2, .a3, .a4))
  func figures() {
    let text = TerminalTable.render(Fixture.troubled.results, colour: false)
    #expect(text.contains("416 ms  [400, 499]  240,176         2.16   45.2 MiB  68.1 MiB  12.3 MiB"))
    #expect(text.contains("330,463         1.58          —         —  3.93 MiB"))
    #expect(text.contains("— not measured; the report says why"))
  }
}

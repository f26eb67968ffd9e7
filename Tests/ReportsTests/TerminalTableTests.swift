// The final table: its rows, its colors, and what is dropped in a narrow window.
import Analysis
import Harness
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A5 · the closing table", .tags(.a5))
struct TerminalTableTests {
  private func plain(_ text: String) -> String {
    ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].reduce(text) { $0.replacing($1, with: "") }
  }

  private func words(_ line: String) -> [String] {
    line.split(whereSeparator: { $0.isWhitespace || "├─●┤".contains($0) }).map(String.init)
  }

  private func lines(_ results: Report, columns: Int = 120) -> [String] {
    TerminalTable.render(results, color: false, columns: columns)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines from the scenario's name on, below the answer.
  private func table(_ lines: [String]) throws -> [String] {
    Array(lines[try #require(lines.firstIndex { $0.hasPrefix("earthquakes: ") })...])
  }

  @Test("Rows have the cells' figures, with the fastest first and a dash for figures that were not measured")
  func rows() throws {
    let all = lines(Fixture.troubled.results)
    #expect(all[0] == "Not comparable: debug build")
    let lines = try table(all)
    #expect(lines[0] == "earthquakes: 100,000 rows, ingest phase")
    #expect(
      words(lines[2])
        == words("cell wall time 95 % 184 ms 499 ms x reference heap peak resident WAL peak rows/s"))
    #expect(
      lines[3...7].map { words($0)[0] } == [
        "sqlite/insert", "batch-managed-object", "batch-dictionary", "batch-objects", "save",
      ])
    #expect(words(lines[6]) == words("batch-objects 303 ms [286, 372] 1.58 — — 3.93 MiB 330,000"))
    #expect(words(lines[7]) == words("save 416 ms [400, 499] 2.16 45.2 MiB 68.1 MiB 12.3 MiB 240,000"))
    #expect(lines.contains("— not measured; the report says why"))
    // The advice on samples appears once, on standard error.
    #expect(!lines.contains { $0.contains("failed") || $0.contains("not taken") })
  }

  @Test("Every bar lies on the axis above the bars, between the ends of its interval", .tags(.a2))
  func bars() throws {
    let lines = try table(lines(Fixture.standard.results))
    let head = lines[2]
    let start = try #require(head.firstRange(of: "184 ms")).lowerBound.utf16Offset(in: head)
    let end = try #require(head.firstRange(of: "499 ms")).upperBound.utf16Offset(in: head) - 1
    func column(_ mark: Character, _ line: String) throws -> Int {
      try #require(line.firstIndex(of: mark), "\(line)").utf16Offset(in: line)
    }
    func expected(_ milliseconds: Double) -> Double {
      Double(start) + (milliseconds - 184) / (499 - 184) * Double(end - start)
    }
    for (line, figures) in zip(
      lines[3...7], [(184, 192, 234), (193, 200, 238), (245, 250, 302), (286, 303, 372), (400, 416, 499)])
    {
      let (low, median, high) = figures
      #expect(abs(Double(try column("●", line)) - expected(Double(median))) <= 0.6, "\(line)")
      #expect(abs(Double(try column("┤", line)) - expected(Double(high))) <= 0.6, "\(line)")
      guard line.contains("├") else { continue }
      #expect(abs(Double(try column("├", line)) - expected(Double(low))) <= 0.6, "\(line)")
    }
  }

  @Test("What a question is about keeps its column in a narrow window", .tags(.a4))
  func askedColumn() throws {
    let head = { (fixture: Fixture) in try table(lines(fixture.results, columns: 70))[2] }
    let (plain, asked) = (try head(.standard), try head(Fixture.standard.asking(about: .walPeak)))
    #expect(!plain.contains("WAL peak") && asked.contains("WAL peak"), "\(asked)")
  }

  @Test("Color changes only the color, and without it there is no escape sequence")
  func color() {
    for fixture in [Fixture.standard, Fixture.troubled] {
      let colored = TerminalTable.render(fixture.results, color: true)
      let without = TerminalTable.render(fixture.results, color: false)
      #expect(colored != without)
      #expect(!without.contains("\u{1B}"))
      #expect(plain(colored) == without)
    }
  }
}

extension TerminalTableTests {
  @Test("A terminal without UTF-8 gets the same table in ASCII, column for column")
  func ascii() {
    let text = TerminalTable.render(Fixture.troubled.results, color: false)
    let ascii = TerminalTable.render(Fixture.troubled.results, color: false, isASCII: true)
    let others = ascii.filter { !$0.isASCII }
    #expect(others.isEmpty)
    #expect(ascii.contains("-|") && ascii.contains("- not measured"), "\(ascii)")
    #expect(ascii.split(separator: "\n").map(\.count) == text.split(separator: "\n").map(\.count))
  }

  @Test("The winner is bold; without a winner, no cell is", .tags(.a2))
  func bold() throws {
    var fixture = Fixture.standard
    #expect(TerminalTable.render(fixture.results, color: true).contains("\u{1B}[1msqlite/insert\u{1B}[0m"))
    fixture["insert"].walls = fixture["batch-managed-object"].walls
    let lines = TerminalTable.render(fixture.results, color: true).split(separator: "\n").map(String.init)
    #expect(try !table(lines).contains { $0.contains("\u{1B}[1m") })
    // The answer is always bold.
    #expect(lines[0].hasPrefix("\u{1B}[1m"))
  }

  @Test("Each group of equal work has a heading above its cells; a single group has none")
  func headings() throws {
    let lines = lines(Fixture.scaling().results)
    let headings = lines.indices.filter { lines[$0].hasPrefix("rows=") && lines[$0].hasSuffix(":") }
    #expect(headings.map { lines[$0] }.prefix(2) == ["rows=1000:", "rows=10000:"])
    #expect(headings.allSatisfy { lines[$0 + 1].contains("[" + lines[$0].dropLast()) })
    #expect(!self.lines(Fixture.standard.results).contains { $0.hasSuffix(":") })
  }

  @Test(
    "A narrow window drops whole columns, the least important first",
    arguments: [
      (120, "cell wall time 95 % 184 ms 499 ms x reference heap peak resident WAL peak rows/s"),
      (110, "cell wall time 95 % 184 ms 499 ms x reference heap peak resident WAL peak"),
      (100, "cell wall time 95 % 184 ms 499 ms x reference heap peak WAL peak"),
      (90, "cell wall time 95 % 184 ms 499 ms x reference heap peak"),
      (80, "cell wall time 184 ms 499 ms x reference heap peak"), (70, "cell wall time 184 ms 499 ms x reference"),
      // Names are on separate lines.
      (45, "wall time 184 ms 499 ms x reference"), (30, "wall time 184 ms 499 ms"), (20, "wall time"),
    ])
  func givingWay(columns: Int, titles: String) {
    let lines = lines(Fixture.standard.results, columns: columns)
    #expect(lines.contains { words($0) == words(titles) }, "\(lines)")
  }
}

extension TerminalTableTests {
  @Test("No line exceeds any given width or ends in blanks, and every name is whole")
  func widths() {
    for fixture in [Fixture.standard, Fixture.troubled, Fixture.wwdc20, Fixture.scaling()] {
      let results = fixture.results
      for columns in 20...130 {
        let lines = lines(results, columns: columns)
        #expect(lines.allSatisfy { $0.count <= min(columns, 120) && !$0.hasSuffix(" ") }, "\(columns): \(lines)")
        let text = lines.joined()
        for cell in results.scenarios[0].cells {
          #expect(text.contains(cell.label), "\(columns): \(lines)")
        }
      }
    }
  }

  @Test("A name that is longer than a line continues on the next, after a punctuation mark")
  func longName() throws {
    var fixture = Fixture.standard
    fixture["save"].cell.parameters = ["save_every": .count(1_000_000), "another_parameter": .count(1_234_567)]
    fixture["save"].cell.strategy = "a-strategy-with-a-name-that-goes-on-and-on-and-on-for-much-longer-than-it-should"
    let all = lines(fixture.results)
    #expect(all.allSatisfy { $0.count <= 120 })
    let lines = try table(all)
    let start = try #require(lines.firstIndex { $0.hasPrefix("a-strategy-with") })
    #expect(lines[start].hasSuffix(",") && lines[start + 1] == "save_every=1000000]", "\(lines[start...])")
    #expect(words(lines[start + 2]).prefix(4) == ["416", "ms", "[400,", "499]"])
  }

  @Test("Values that span more than a factor of 4 have a logarithmic axis, which says so")
  func logarithmic() {
    let text = TerminalTable.render(Fixture.scaling().results, color: false)
    #expect(text.contains(" log "))
    #expect(!TerminalTable.render(Fixture.standard.results, color: false).contains(" log "))
  }

  @Test("One cell has no bar: there is nothing to compare it with")
  func oneCell() {
    var fixture = Fixture.standard
    fixture.cells = Array(fixture.cells.prefix(1))
    #expect(!TerminalTable.render(fixture.results, color: false).contains("●"))
  }
}

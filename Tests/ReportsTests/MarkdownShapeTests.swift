// The report is well-formed whatever names and texts it contains.
import Analysis
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A5 · well-formed Markdown")
struct MarkdownShapeTests {
  /// The number of columns in a table's line: pipes without a backslash, which can itself be escaped.
  private func pipes(in line: Substring) -> Int {
    var count = 0
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if !isEscaped && scalar == "|" { count += 1 }
      isEscaped = !isEscaped && scalar == "\\"
    }
    return count
  }

  /// The tables of a report, each as its lines; fenced text is skipped.
  private func tables(in text: String) -> [[Substring]] {
    var tables: [[Substring]] = [[]]
    var fence: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let open = fence {
        if line == open { fence = nil }
      } else if line.hasPrefix("```") {
        fence = line.prefix { $0 == "`" }
      } else if line.hasPrefix("|") {
        tables[tables.count - 1].append(line)
      } else if tables.last?.isEmpty == false {
        tables.append([])
      }
    }
    return tables.filter { !$0.isEmpty }
  }

  private func expectWellFormed(_ text: String) {
    let tables = tables(in: text)
    #expect(tables.count >= 8)
    for table in tables {
      #expect(table.count >= 3, "a table has a header, a rule and a row")
      let widths = Set(table.map { pipes(in: $0) })
      #expect(widths.count == 1, "\(table.joined(separator: "\n"))")
      #expect(table.count > 1 && table[1].allSatisfy { "|:- ".contains($0) })
    }
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    #expect(!text.contains("\n\n\n"))
  }

  @Test("All rows of a table have the same number of columns", .tags(.a5))
  func standard() {
    expectWellFormed(RunReport.text(Fixture.standard.results))
    expectWellFormed(RunReport.text(Fixture.troubled.results))
  }

  @Test(
    "Pipes, line ends and backslashes in any text leave the number of columns the same", .tags(.a5),
    arguments: [
      "a|b", "\\|", "\\\\|", "|", "two\nlines | here", "\r\n", "`|`", "``` | ```", "<b>|", "\\", "\u{2028}|",
      "|\u{301}",
    ])
  func nasty(text: String) {
    let results = HostileText.results(with: text)
    expectWellFormed(RunReport.text(results))
    for line in TerminalTable.render(results, color: false).split(separator: "\n") { #expect(line.count <= 120) }
  }

  @Test("Each of several scenarios has its own section", .tags(.a5))
  func severalScenarios() {
    var results = Fixture.standard.results
    results.scenarios.append(Fixture.troubled.results.scenarios[0])
    results.scenarios[1].name = "scaling"
    let text = RunReport.text(results)
    expectWellFormed(text)
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
    #expect(headings.filter { $0.hasPrefix("# ") } == ["# earthquakes and scaling"])
    #expect(
      headings.filter { $0.hasPrefix("## ") } == [
        "## `batch-managed-object`: `save` takes 2.1 times as long and 812 times the heap",
        "## `batch-managed-object`: `save` takes 2.1 times as long and 812 times the heap", "## How it was measured",
        "## The machine",
      ])
    #expect(headings.filter { $0 == "### Findings" }.count == 2)
  }
}

extension MarkdownShapeTests {
  @Test("Results without any scenario, and a scenario without any cell, still make a report", .tags(.a5))
  func empty() {
    var results = Fixture.standard.results
    results.scenarios[0].cells = []
    results.scenarios[0].contentHash = nil
    #expect(RunReport.text(results).contains("no cell has a time"))
    #expect(TerminalTable.render(results, color: false).hasPrefix("No cell has a time.\n"))
    results.scenarios = []
    #expect(RunReport.text(results).hasPrefix("# Batchmark: no scenario was run\n"))
    #expect(TerminalTable.render(results, color: false).isEmpty)
    #expect(CSVParser.rows(SummaryCSV.render(results))?.count == 1)
  }

  @Test("The reason for a dash stands below the table", .tags(.a5, .a3))
  func dashes() {
    var fixture = Fixture.standard
    fixture["save"].withoutPasses = [.memory]
    fixture["save"].failures = [
      FailedSample(cell: "save", pass: .memory, round: 1, reason: "died", standardError: "")
    ]
    fixture.cells.removeAll { $0.cell.engine == "sqlite" }
    let text = RunReport.text(fixture.results)
    #expect(text.contains("| save | 416 [400, 499] | 375 | 240,000 | — | — | 12.3 |"))
    #expect(text.contains("- Heap peak and Resident peak of `save`: every sample of the memory pass failed."))
    #expect(
      text.contains(
        "- Times the reference of every cell: this run has no reference cell."))
  }

  @Test("Stored contents are summarized: rows, nulls, versions, hash", .tags(.a5))
  func contents() {
    var results = Fixture.standard.results
    for index in results.scenarios[0].cells[0].samples.indices {
      results.scenarios[0].cells[0].samples[index].contents.versions = [1: 99_000, 2: 1_000]
    }
    let text = RunReport.text(results)
    #expect(text.contains("| save | 1 (99,000 rows), 2 (1,000 rows) |"))
    #expect(text.contains("Rows: 100,000; nulls: magnitude 2; database: 9.12 MiB."))
    #expect(text.contains("their hash is `5b1f09c2a7e4d386`"))
  }

  @Test("A report with the growth of the WAL explains its flat stretches", .tags(.a4))
  func growth() {
    var results = Fixture.standard.results
    #expect(RunReport.text(results).contains("Flat stretches are real"))
    for cell in results.scenarios[0].cells.indices {
      for index in results.scenarios[0].cells[cell].samples.indices {
        results.scenarios[0].cells[cell].samples[index].growth = []
      }
    }
    #expect(!RunReport.text(results).contains("Flat stretches are real"))
  }
}

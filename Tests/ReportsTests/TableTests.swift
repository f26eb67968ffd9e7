// Tables: one unit per column, stated once; values that all rows share in a sentence; gaps with their reasons.
import Analysis
import MissionTags
@testable import Reports
import Testing

@Suite("A5 · tables", .tags(.a5))
struct TableTests {
  private func table(_ columns: [Table.Column], _ rows: [[Table.Value]]) -> Table {
    var table = Table("Cell, ingest", columns)
    for (index, row) in rows.enumerated() { table.append(["a", "b", "c", "d"][index], row) }
    return table
  }

  private func estimate(_ median: Double, _ low: Double? = nil, _ high: Double? = nil) -> Table.Value {
    .estimate(Estimate(median: median, low: low, high: high))
  }

  @Test("A column's unit is in its title, and each figure has the digits of its interval")
  func units() {
    let table = table(
      [
        .time("Time"), .ratio("Times the reference"), .bytes("Heap peak"), .share("Part"), .change("Adds"),
        .number("Rows"),
      ],
      [
        [
          estimate(0.26713, 0.202, 0.380), .text("1 (the reference)"), .whole(2_400_000), estimate(0.868),
          estimate(0.05), .whole(5),
        ],
        [
          estimate(0.85, 0.8, 0.9), estimate(0.859, 0.548, 1.08), .whole(55_200_000), estimate(0.132), estimate(-0.05),
          .whole(5_000),
        ],
      ])
    #expect(
      table.markdown == [
        """
        | Cell, ingest | Time, ms [95 %] | Times the reference [95 %] | Heap peak, MiB | Part, % | Adds, % | Rows |
        | :-- | --: | --: | --: | --: | --: | --: |
        | a | 267 [202, 380] | 1 (the reference) | 2.29 | 86.8 | +5.0 | 5 |
        | b | 850 [800, 900] | 0.86 [0.55, 1.08] | 52.6 | 13.2 | −5.0 | 5,000 |
        """
      ])
    #expect(table.html.contains("<a href=\"#term-heap-peak\">Heap peak, MiB</a>"))
    #expect(table.html.contains("<td class=\"number\">267<small>[202, 380]</small></td>"))
  }

  @Test("A value that all rows share becomes a sentence below the table")
  func constants() {
    let alike = table(
      [.number("Rows"), .bytes("WAL peak"), .number("Commits")],
      [1, 2, 3].map { [.whole($0), .whole(9_164_554), .whole(1)] })
    #expect(
      alike.markdown == [
        "| Cell, ingest | Rows |\n| :-- | --: |\n| a | 1 |\n| b | 2 |\n| c | 3 |",
        "The same in every cell. WAL peak: 8.74 MiB; commits: 1.",
      ])
    #expect(
      alike.html.hasSuffix(
        "<p>The same in every cell. <a href=\"#term-wal-peak\">WAL peak</a>: 8.74\u{A0}MiB; commits: 1.</p>"))
    let one = table([.number("Rows"), .bytes("WAL peak")], [1, 2, 3].map { [.whole($0), .whole(9_164_554)] })
    #expect(one.markdown.last == "WAL peak: 8.74 MiB in every cell.")
  }

  @Test("Two rows, texts, partly equal figures and a figure beside a gap make no sentence")
  func differing() {
    let tables = [
      table([.number("Rows")], [[.whole(1)], [.whole(1)]]),
      table([.number("Rows")], [.whole(1), .whole(1), .absent("it failed")].map { [$0] }),
      table([.number("Rows")], [.whole(1), .whole(1), .whole(2)].map { [$0] }),
      table([.text("Phase")], [.text("x"), .text("x"), .text("x")].map { [$0] }),
      table([.number("Rows")], [.text(""), .text(""), .text("")].map { [$0] }),
    ]
    for table in tables { #expect(table.layout.columns.count == 2 && table.layout.constants.isEmpty) }
  }
}

extension TableTests {
  @Test("An empty column is left out, and a sentence has the unit after the figure")
  func blanks() {
    let blank = Table.Value.text("")
    let one = table([.text("Optional"), .number("Rows")], [[blank, .whole(1)], [blank, .whole(2)]])
    #expect(one.layout.columns.map(\.text) == ["Cell, ingest", "Rows"])
    let counted = table(
      [.number("Rows"), .number("WAL peak", of: "bytes")], [1, 2, 3].map { [.whole($0), .whole(512)] })
    #expect(counted.markdown.last == "WAL peak: 512 bytes in every cell.")
    let differing = table([.number("WAL peak", of: "bytes")], [[.whole(1)], [.whole(2)]])
    #expect(differing.html.contains("<a href=\"#term-wal-peak\">WAL peak, bytes</a>"))
  }

  @Test("Foreign text is also escaped in the sentence")
  func foreignConstants() {
    let alike = table([.text("Nulls", folds: true)], (1...3).map { _ in [.text("<b>*x*")] })
    #expect(alike.html == "<p>Nulls: &lt;b&gt;*x* in every cell.</p>")
    #expect(alike.markdown == ["Nulls: &lt;b>\\*x\\* in every cell."])
  }

  @Test("If all figures are equal, there is no table")
  func nothingElse() {
    let alike = table([.number("Sorts")], [[.whole(0)], [.whole(0)], [.whole(0)]])
    #expect(alike.markdown == ["Sorts: 0 in every cell."])
    #expect(alike.html == "<p>Sorts: 0 in every cell.</p>")
  }
}

extension TableTests {
  @Test("A column without any figure is replaced by its reason, if there is only one")
  func gaps() {
    let reason = Table.Value.absent("this build has no jemalloc")
    let gone = table([.number("Rows"), .bytes("Heap peak")], [1, 2, 3].map { [.whole($0), reason] })
    #expect(gone.markdown == ["| Cell, ingest | Rows |\n| :-- | --: |\n| a | 1 |\n| b | 2 |\n| c | 3 |"])
    #expect(gone.notes.map(\.text) == ["Heap peak of every cell: this build has no jemalloc."])
    var document = Document()
    document.table(gone)
    #expect(document.markdown.contains("\n\nNot measured:\n\n- Heap peak of every cell: "))
    let two = table(
      [.number("Rows"), .bytes("Heap peak")],
      [[.whole(1), reason], [.whole(2), reason], [.whole(3), .absent("it failed")]])
    #expect(
      two.notes.map(\.text) == [
        "Heap peak of `a` and `b`: this build has no jemalloc.", "Heap peak of `c`: it failed.",
      ])
    document = Document()
    document.table(two)
    #expect(document.markdown.contains("| a | 1 | — |") && document.markdown.contains("Not measured (—):"))
  }

  @Test("A row without any figure appears only in the notes, if a table leaves such rows out")
  func emptyRows() {
    let gap = Table.Value.absent("there is no WAL")
    var some = table([.number("Frames"), .number("Commits")], [[.whole(1), gap], [gap, gap]])
    some.leavesOutGaps = true
    #expect(some.markdown == ["| Cell, ingest | Frames | Commits |\n| :-- | --: | --: |\n| a | 1 | — |"])
    #expect(some.notes.map(\.text) == ["Commits of `a`; Frames and Commits of `b`: there is no WAL."])
    var none = table([.number("Frames")], [[gap], [gap]])
    none.leavesOutGaps = true
    #expect(none.markdown.isEmpty && none.notes.map(\.text) == ["Frames of `a` and `b`: there is no WAL."])
  }

  @Test("The WAL's table lists only the cells with a WAL", .tags(.a4))
  func cellsWithoutWAL() {
    var fixture = Fixture.standard
    fixture["save"].withoutPasses = [.counters]
    let table = RunReport.walTable(of: ScenarioAnalysis(fixture.results.scenarios[0]).scenario)
    #expect(table.rows.count == 5 && table.layout.rows.count == 4)
    #expect(
      !table.layout.rows.contains { $0.name == "save" } && table.notes.contains { $0.text.contains("of `save`: ") })
  }

  @Test("A rate is not more exact than its time")
  func rates() {
    let table = table([.rate("Rows a second")], [374_227, 1_234_567, 912.4, 0].map { [.number($0)] })
    #expect(table.layout.rows.map { $0.figures[0].text } == ["374,000", "1,230,000", "912", "0"])
  }

  @Test("Two counts of one row share the column's unit")
  func shifts() {
    let table = table(
      [.bytes("Heap peak")], [[.shift(from: 2_400_000, to: 55_200_000)], [.shift(from: 2_400_000, to: 2_400_100)]])
    #expect(table.markdown[0].hasSuffix("| a | 2.29 → 52.6 |\n| b | 2.29 |"))
    #expect(table.markdown[0].hasPrefix("| Cell, ingest | Heap peak, MiB |"))
  }
}

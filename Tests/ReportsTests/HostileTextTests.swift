// Outputs keep their form whatever names, reasons and paths contain: nothing controls a terminal, a page or a CI job.
import Analysis
import Foundation
import MissionTags
@testable import Reports
import Support
import Testing

@Suite("A5 A6 · foreign text in outputs", .tags(.a5, .a6))
struct HostileTextTests {
  private static let harmlessShape = shape(of: RunReport.text(HostileText.results(with: "word")))

  /// The kind of each line of a page, which foreign text must not change.
  ///
  /// The contents of fences are text.
  private static func shape(of markdown: String) -> [String] {
    var fence: Substring?
    return markdown.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
      if let open = fence {
        if line == open { fence = nil }
        return nil
      }
      if line.hasPrefix("```") {
        fence = line.prefix { $0 == "`" }
        return "fence"
      }
      if line.isEmpty { return "" }
      if line.hasPrefix("|") { return "row" }
      if line.hasPrefix("#") { return line.prefix { $0 == "#" } + " " }
      if line.hasPrefix("- ") || line.hasPrefix("  - ") { return String(line.prefix { $0 == " " } + "-") }
      return "+>=~ ".contains(line.prefix(1)) ? String(line) : "text"
    }
  }

  private func expectHarmless(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let controls = output.unicodeScalars.filter { $0.isControl && $0 != "\n" && $0 != "\t" }
    #expect(controls.isEmpty, "\(controls.map(\.value))", sourceLocation: sourceLocation)
    let commands = output.split(separator: "\n").filter {
      $0.drop { $0.isWhitespace }.hasPrefix("::") || $0.contains("##[")
    }
    #expect(commands.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("A page has the same lines as with a harmless word", arguments: HostileText.all)
  func markdown(text: String) {
    let page = RunReport.text(HostileText.results(with: text))
    expectHarmless(page)
    #expect(HostileTextTests.shape(of: page) == HostileTextTests.harmlessShape, "\(text.debugDescription)")
  }

  @Test("A table on the terminal has the same lines as with a harmless word", arguments: HostileText.all)
  func terminal(text: String) {
    let table = TerminalTable.render(HostileText.results(with: text), color: false)
    expectHarmless(table)
    let rows = { (table: String) in table.split(separator: "\n").count { $0.contains("●") } }
    #expect(rows(table) == rows(TerminalTable.render(HostileText.results(with: "word"), color: false)))
  }

  @Test("CSV has the same number of records, and JSON the same values", arguments: HostileText.all)
  func data(text: String) throws {
    let results = HostileText.results(with: text)
    let csv = SummaryCSV.render(results).replacing("\r\n", with: "\n")
    expectHarmless(csv)
    #expect(CSVParser.records(SummaryCSV.render(results)).count == 10)
    #expect(csv.split(separator: "\n").count == 11)
    let json = try ResultsFile.render(results)
    expectHarmless(json)
    try withTemporaryDirectory { folder in
      let path = folder + "/results.json"
      try json.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try ResultsFile.read(path).scenarios[0].description == text)
    }
  }

  @Test(
    "Markdown shows foreign text as it is written",
    arguments: [
      ("snake_case", "snake_case"), ("_em_", "\\_em\\_"), ("__init__", "\\_\\_init\\_\\_"), ("![p](u)", "![p\\](u)"),
      ("416 ms [400, 499]", "416 ms [400, 499]"), ("[r]: u", "[r\\]: u"),
      ("~~x~~", "\\~\\~x\\~\\~"), ("$x$", "\\$x\\$"), ("<b>&amp;", "&lt;b>&amp;amp;"),
      ("a|b*c`d\\e", "a\\|b\\*c\\`d\\\\e"),
    ])
  func escapes(text: String, markdown: String) {
    #expect(Markdown.escaped(text) == markdown)
    #expect(Markdown.plain(markdown) == text)
  }

  @Test(
    "No paragraph begins an unintended block",
    arguments: [
      ("# x", "\\# x"), ("> x", "\\> x"), ("- x", "\\- x"), ("+ x", "\\+ x"), ("12. x", "12\\. x"), ("1) x", "1\\) x"),
      ("===", "\\==="), ("---", "\\---"), ("  x", "x"), ("-5 %", "-5 %"), ("1.5 s", "1.5 s"), ("**bold**", "**bold**"),
      ("2018-06 is", "2018-06 is"), ("1.", "1\\."), ("[ ] x", "\\[ ] x"),
    ])
  func blocks(text: String, markdown: String) {
    #expect(Markdown.startingNoBlock(text) == markdown)
  }
}

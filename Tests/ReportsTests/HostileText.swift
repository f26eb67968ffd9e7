// Text that tries to do harm, and results that have it everywhere that foreign text is possible.
import Analysis
import Harness
import Instruments
@testable import Reports
import BatchmarkEngine

enum HostileText {
  /// Each is an attack that once worked on some output, or that is known for its format.
  static let all = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{9B}31m", "a\u{8}b\u{7F}", "name\n::error::x", "::error file=a::x",
    "  ::set-output::",
    "##[error]x", "# heading", "#", "- item", "+ item", "* item", "1. item", "2) item", "> quoted", "===", "---",
    "* * *",
    "    code", "```\ncode\n```", "~~~", "<script>alert(1)</script>", "<!-- ", "&lt;b>", "![p](http://x/y.png)",
    "[l](http://x)",
    "[r]: http://x", "_em_", "__init__", "~~gone~~", "$x^2$", "| a | b |", "\\", "`code`", "\u{202E}desrever",
    "\u{2066}x", "\u{2028}# x",
    "\r\n# x", "\r# x", "\t# x", "=cmd|' /C calc'!A0", "@SUM(A1)", "a\u{0}b", "\u{FFFE}",
  ]

  /// Results with the text as every name, description, reason, fact and path.
  static func results(with text: String) -> Report {
    var fixture = Fixture.standard
    fixture["save"].cell.strategy = text
    fixture.cells[1].cell.engine = text
    fixture.cells[2].cell.parameters = [text: .all]
    fixture.cells[1].tradeoffs = [text]
    fixture.cells[2].withoutPasses = [.memory]
    fixture.cells[3].failures = [
      FailedSample(cell: "c", pass: .timing, round: 1, reason: text, standardError: text)
    ]
    var results = fixture.results
    // One sample of a cell and pass is enough for its name.
    for index in results.scenarios[0].cells.indices {
      let samples = results.scenarios[0].cells[index].samples
      results.scenarios[0].cells[index].samples = Pass.allCases.compactMap { pass in samples.first { $0.pass == pass } }
    }
    results.environment.append(EnvironmentFact(text, text))
    results.scenarios[0].name = text
    results.scenarios[0].description = text
    results.scenarios[0].source = text
    results.scenarios[0].pragmas.append(StorePragma(text, text))
    results.scenarios[0].cells[1].samples[0].notes = [text]
    results.run.command = text
    return results
  }
}

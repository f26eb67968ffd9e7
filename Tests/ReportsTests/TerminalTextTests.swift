// The parts of the final table: bars of text, and lines that fit.
import Analysis
import MissionTags
@testable import Reports
import Testing

@Suite("A5 · bars of text and folded lines", .tags(.a5))
struct TerminalTextTests {
  private func bars(_ times: [Estimate], width: Int) -> [String] {
    guard let bars = TextBars(times, width: width) else { return [] }
    return [bars.axis] + times.map { bars.bar($0) }
  }

  @Test("A bar is the median in its interval, on an axis that all share")
  func linear() {
    let times = [Estimate(median: 1, low: 1, high: 1.4), Estimate(median: 2, low: 1.6, high: 2), Estimate(median: 1.2)]
    #expect(bars(times, width: 16) == ["1.00 s    2.00 s", "●─────┤", "         ├─────●", "   ●"])
    #expect(TextBars(times, width: 16)?.bar(nil) == "")
  }

  @Test("If the greatest is more than 4 times the least, each factor is as long as the next")
  func logarithmic() {
    let times = [Estimate(median: 0.1), Estimate(median: 0.4, low: 0.2, high: 0.8), Estimate(median: 1.6)]
    #expect(bars(times, width: 17) == ["100 ms log 1.60 s", "●", "    ├───●───┤", "                ●"])
  }

  @Test("Ties, zero and values that are not finite have a valid position or none")
  func extremes() {
    let tie = Estimate(median: 0.3, low: 0.3, high: 0.3)
    #expect(bars([tie, tie], width: 17).dropFirst() == ["        ●", "        ●"])
    #expect(bars([Estimate(median: 0), Estimate(median: 1)], width: 16).dropFirst() == ["●", "               ●"])
    #expect(bars([Estimate(median: .nan), Estimate(median: .infinity)], width: 16).isEmpty)
    let partial = [Estimate(median: 1, low: -.infinity, high: .nan), Estimate(median: 2)]
    #expect(bars(partial, width: 16).dropFirst() == ["●", "               ●"])
    #expect(bars([tie], width: 1).isEmpty && bars([], width: 16).isEmpty)
  }

  @Test("Lines break between words, and too long words after punctuation; nothing is left out")
  func folding() {
    #expect(TerminalText.folded("one two three", to: 7) == ["one two", "three"])
    #expect(TerminalText.folded("one two three", to: 9, indent: 2) == ["one two", "  three"])
    #expect(TerminalText.folded("a verylongword,andmore", to: 14) == ["a", "verylongword,", "andmore"])
    #expect(TerminalText.folded("abcdefghij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(TerminalText.folded("KEPT      in line", to: 20) == ["KEPT      in line"])
    #expect(TerminalText.folded("KEPT      in line", to: 12) == ["KEPT      in", "line"])
    #expect(TerminalText.folded("", to: 4).isEmpty && TerminalText.folded("a\nb", to: 4) == ["a b"])
    let text =
      "noisy times: 5 cells. Quiet the machine, or take about 16 rounds with --rounds; see [key=value,other=7]"
    for width in 1...120 {
      let lines = TerminalText.folded(text, to: width, indent: 2)
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(width)")
    }
  }

  @Test("A continued line is not read as a command by a CI runner")
  func foldedCommands() {
    #expect(TerminalText.folded("a name ::error::x", to: 8) == ["a name", ": :error:", ":x"])
    #expect("a name ::error::x".folded(to: 8) == ["a name", ": :error…"])
  }

  @Test("A long line is made harmless in linear time")
  func longLine() {
    let line = String(repeating: "a\u{1B}", count: 500_000)
    #expect(line.withoutControls == String(repeating: "a\u{FFFD}", count: 500_000))
  }
}

// A1: patterns that take longer with each character, in scenario files and for `--only`, are quickly refused with a
// sentence.
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A1 · patterns that take too long", .tags(.a1), .timeLimit(.minutes(10)))
struct CostlyPatternTests {
  private static let text = String(repeating: "a", count: 40) + "b"

  @Test("A default that takes a pattern too long is refused, with its name, the text and a way out")
  func standard() {
    let found = complaints(
      scenario("code: {type: string}", "code: {type: string, default: \(CostlyPatternTests.text), pattern: (a+)+$}"))
    #expect(
      found == [
        "Scenarios/x.yml:6:37: found the default the text \"\(CostlyPatternTests.text)\"; expected text that matches (a+)+$; "
          + "trying it takes more than 10 million steps, so use a pattern without a repetition inside a repetition, such as "
          + "a+ in place of (a+)+"
      ], "\(found)")
  }

  @Test("Hundreds of slow patterns are tried for a few seconds in total")
  func many() {
    let attributes = (0..<300).map {
      "a\($0): {type: string, default: \(CostlyPatternTests.text), pattern: (a+)+$}"
    }
    let found = complaints(
      scenario("code: {type: string}", "code: {type: string}\n      " + attributes.joined(separator: "\n      ")))
    let sentence = "values that take more than 2 s to be tried with patterns, the last of them '(a+)+$'"
    #expect(found.contains { $0.contains(sentence) }, "\(found.first ?? "")")
    #expect(found.count { $0.contains("more than 10 million steps") } < 100)
    // Each match is below the limit for a single match.
    let values = (0..<3_000).map { String(repeating: "a", count: 16) + "\($0)" }
    let slow = complaints(
      drawn(
        "code: {type: string, pattern: '(a+)+(\\d|[0-9])*'}", "code: {values: [\(values.joined(separator: ", "))]}"))
    #expect(slow.isEmpty || slow.contains { $0.contains("take more than 2 s") }, "\(slow.first ?? "")")
  }

  @Test("A cell pattern that takes too long selects nothing, and says why")
  func cells() throws {
    let pattern = try CellPattern("/(a+)+$/")
    for number in 0..<1_000 { #expect(!pattern.selects(id: "\(CostlyPatternTests.text)\(number)b", words: [])) }
    let problem = try #require(pattern.problem)
    #expect(problem.text == "/(a+)+$/" && problem.reason.contains("more than 10 million steps"), "\(problem)")
    let plain = try CellPattern("/b\\d+$/")
    #expect(plain.selects(id: "ab12", words: []) && plain.problem == nil)
  }
}

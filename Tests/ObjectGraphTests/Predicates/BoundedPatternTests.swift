// D1, D3: regular expressions have ICU's meaning, and one that takes too long is given up with a sentence.
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D1 D3 · regular expressions", .tags(.d1, .d3))
struct BoundedPatternTests {
  /// Patterns with twice as many ways for each character, or with single steps that read far ahead.
  private static let costly: [(pattern: String, text: String)] = [
    ("(a+)+$", String(repeating: "a", count: 40) + "b"), ("(a*)*b", String(repeating: "a", count: 5_000)),
    ("(?:a|a)*b", String(repeating: "a", count: 1_000)), (".*.*.*.*.*.*x", String(repeating: "a", count: 2_000)),
    // They need more memory than ICU uses.
    ("(.|\\s)*x", String(repeating: "a ", count: 500_000)),
    ("(.+)\\1x", String(repeating: "a", count: 1_000_000)),
    ("(?:(?=[a-z]*x)a)*", String(repeating: "a", count: 200_000)),
  ]

  @Test(
    "A match that would not end is stopped within seconds, and the error names pattern and text", arguments: costly)
  func givenUp(pattern: String, text: String) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let rule = try CompiledRule(.pattern(pattern), for: .string)
    let breach = try #require(rule.breach(by: .string(text)))
    #expect(breach.code == .stringPatternMatching)
    #expect(breach.found.hasPrefix("the text \"aa") || breach.found.hasPrefix("the text \"a a"), "\(breach.found)")
    #expect(breach.found.utf8.count < 100)
    #expect(breach.expected.contains(pattern) && breach.expected.contains(", so use a"), "\(breach.expected)")
    let error = try #require(throws: FetchPredicateError.self) { try PatternCache().matches(text, pattern, []) }
    #expect(error.description.contains("beside the pattern \(pattern.debugDescription): "), "\(error)")
    #expect(clock.now - start < .seconds(10))
  }

  @Test("A save stops a few matches, tries no more texts, and stores none of its objects")
  func save() throws {
    let note = EntityDescription(
      "Note", attributes: [AttributeDescription("text", .string, validationRules: [.pattern("(a+)+$")])])
    let stack = try TestStack([note])
    let context = stack.context()
    try context.performAndWait { () throws in
      func insert(_ text: String) throws {
        try context.insertNewObject(forEntityName: "Note").setValue(.string(text), forKey: "text")
      }
      for index in 0..<40 { try insert(String(repeating: "a", count: 40 + index) + "b") }
      for _ in 1...2 {
        let error = try #require(throws: ObjectGraphError.self) { try context.save() }
        guard case .validation(let failures) = error else {
          Issue.record("found \(error)")
          return
        }
        #expect(failures.count == 40 && failures.allSatisfy { $0.code == .stringPatternMatching })
        #expect(failures.prefix(3).allSatisfy { $0.found.hasPrefix("the text \"aaaa") })
        #expect(failures.dropFirst(3).allSatisfy { $0.found == "a text that was not tried" })
      }
      // On its own, a text is tried, however many were given up.
      context.reset()
      try insert("aa")
      try context.save()
    }
    #expect(try stack.rows("SELECT ZTEXT FROM ZNOTE") == ["aa"])
  }

  @Test("A pattern with many alternatives is accepted if few of them are tried, and long texts are matched")
  func cheap() throws {
    #expect(try TextPattern("(a+)+").matches(String(repeating: "a", count: 10_000)))
    let long = String(repeating: "some words of a long text, ", count: 100_000)
    #expect(try TextPattern("[a-z, ]*").matches(long))
    #expect(try TextPattern(".*words of.*").matches(long))
    #expect(try !TextPattern(".*no such words.*").matches(long))
  }
}

extension BoundedPatternTests {
  @Test(
    "Worst-case texts show which patterns may be costly",
    arguments: [
      ("(a+)+$", true), ("(?:a|a)*b", true), (".*.*.*.*.*.*x", true), ("(z*)*y", true), ("([0-9]+)+", true),
      ("us[0-9a-z]+", false), ("[a-z]{2}[0-9]*", false), (".*", false), ("(a|b)*c", false), ("", false),
    ])
  func hardTexts(pattern: String, isCostly: Bool) throws {
    #expect((try TextPattern(pattern).costlyMatch() != nil) == isCostly)
  }

  @Test(
    "The whole text is matched, in ICU's syntax",
    arguments: [
      ("a|ab", "ab", true), ("a$", "a\n", false), ("a\\n?", "a\n", true), ("", "", true), ("", "a", false),
      ("(?x) a b # a comment", "ab", true), ("\\Qa.c", "a.c", true), ("\\Qa.c", "abc", false), ("(?i)É", "é", true),
      ("[a-z&&[^b]]+", "aca", true), ("[a-z&&[^b]]+", "abc", false), ("[[:alpha:]]+", "äb", true),
      ("\\p{Script=Greek}+", "αβ", true), ("a++b", "aab", true), ("a++ab", "aab", false), ("(?<x>a)\\k<x>", "aa", true),
      ("(?<=a)b", "b", false), ("..", "e\u{301}", true), (".", "🌋", true), ("a\\u0301", "a\u{301}", true),
      ("\\d+", "٣", true), ("^a$", "a", true), ("\\Ga\\z", "a", true),
    ])
  func meaning(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try TextPattern(pattern).matches(text) == isMatch)
  }

  @Test(
    "Invalid regular expressions, and ones that are too long or too deep, are refused",
    arguments: [
      "(", "a)|(b", "[", "a{2,1}", "*", "\\", "(?<=a*)b", "(?<x>a)\\k<y>", String(repeating: "a", count: 10_001),
      String(repeating: "(", count: 4_000) + "a" + String(repeating: ")+", count: 2_000),
      String(repeating: "(?!", count: 2_000) + "a" + String(repeating: ")", count: 2_000),
      String(repeating: "[", count: 9_000), String(repeating: "(", count: 9_000),
    ])
  func refused(pattern: String) throws {
    let problem = try #require(ValidationRule.pattern(pattern).problem(for: .string))
    #expect(problem.found.hasPrefix("the pattern ") && problem.found.utf8.count < 300)
    #expect(problem.expected.hasPrefix("a regular expression: ") && problem.expected.utf8.count < 300)
    #expect(throws: FetchPredicateError.self) { try PatternCache().matches("a", pattern, []) }
  }
}

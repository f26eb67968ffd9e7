// Case, diacritics and patterns of text.
import Foundation
import MissionTags
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · text in predicates", .tags(.d3))
struct TextFoldingTests {
  /// Code points with their full case folding from Unicode's CaseFolding.txt.
  @Test(
    "Case is folded as Unicode defines",
    arguments: [
      ("A", "a"), ("É", "é"), ("ß", "ss"), ("ẞ", "ss"), ("Σ", "σ"), ("ς", "σ"), ("ſ", "s"), ("K", "k"), ("Å", "å"),
      ("µ", "μ"),
      ("İ", "i\u{307}"), ("ı", "ı"), ("ﬃ", "ffi"), ("Ԁ", "ԁ"), ("𐐀", "𐐨"), ("日本 1", "日本 1"), ("ŉ", "ʼn"), ("ᾳ", "αι"),
    ])
  func caseFolding(text: String, expected: String) {
    #expect(Array(text.folded(.caseInsensitive).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(
    "Diacritics are removed, and nothing else",
    arguments: [
      ("é", "e"), ("e\u{301}", "e"), ("Å", "A"), ("Ệ", "E"), ("ñandú", "nandu"), ("ø", "ø"), ("ß", "ß"), ("й", "и"),
      ("ΰ", "υ"),
      ("한", "한"), ("が", "が"), ("हिन्दी", "हिन्दी"), ("\u{301}", ""), ("ASCII", "ASCII"),
    ])
  func diacritics(text: String, expected: String) {
    #expect(Array(text.folded(.diacriticInsensitive).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("Folding is the same for composed and decomposed letters, and folding twice changes nothing")
  func wholeRange() {
    let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
    for code in 0x80..<0x2000 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(code), scalar.properties.generalCategory != .unassigned else { continue }
      let text = String(scalar)
      for options in [both, .diacriticInsensitive] as [ComparisonOptions] {
        let folded = text.folded(options)
        #expect(Array(folded.folded(options).unicodeScalars) == Array(folded.unicodeScalars), "\(code)")
      }
      // If Foundation's decomposition is one letter and marks that are removed here, the letter remains.
      let parts = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
      guard parts.count > 1, parts[0].properties.isAlphabetic,
        parts.dropFirst().allSatisfy({ $0.properties.canonicalCombiningClass.rawValue >= 200 })
      else { continue }
      #expect(Array(text.folded(.diacriticInsensitive).unicodeScalars) == [parts[0]], "\(code)")
    }
  }
}

extension TextFoldingTests {
  @Test(
    "Wildcards match as expected",
    arguments: [
      ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "a*c", true), ("abc", "*", true),
      ("", "*", true),
      ("", "", true), ("", "?", false), ("abc", "???", true), ("abc", "??", false), ("abc", "ab", false),
      ("aXbXc", "a*X*c", true),
      ("aab", "*ab", true), ("mississippi", "m*iss*ip*", true), ("mississippi", "m*iss*ix*", false),
      ("a*c", "a\\*c", true),
      ("abc", "a\\*c", false), ("a\\", "a\\", true), ("😀", "?", true), ("e\u{301}", "??", true), ("é", "?", true),
      ("abc", "**b**", true),
    ])
  func wildcards(text: String, pattern: String, expected: Bool) {
    #expect(WildcardPattern(pattern).matches(text) == expected)
  }

  @Test("A pattern of many stars is matched without delay")
  func manyStars() {
    let text = String(repeating: "a", count: 2_000)
    #expect(!WildcardPattern(String(repeating: "*a", count: 60) + "b").matches(text))
  }

  @Test("Regular expressions are cached, up to a limit")
  func cache() throws {
    let patterns = PatternCache()
    for round in 0..<1_000 { #expect(try patterns.matches("x\(round)", "x\(round)", [])) }
    #expect(throws: FetchPredicateError.self) { try patterns.matches("x", "[", []) }
    #expect(try !patterns.matches("É", "e", .diacriticInsensitive))
    #expect(try patterns.matches("É", "e", [.caseInsensitive, .diacriticInsensitive]))
    #expect(try patterns.matches("e\u{301}", "..", []), "by code points")
  }

  @Test("Random regular expressions are parsed or refused, and never end the process")
  func randomExpressions() {
    var random = SeededGenerator(seed: 99)
    let pieces = [
      "a", "b", "(", ")", "[", "]", "*", "+", "?", "{", "}", "1", ",", "\\", "d", "p", "^", "$", "|", ".", "-", "é",
      "\u{301}", "😀", "(?", ":", "=", "!", "<", ">", "&&", "\\1", "\\Q", "\\E", "(?i)", "(?<x>", "[[:", ":]]", "\0",
      "{2,1}",
      "{999999999999}", "\\N{", "(?R)", "(?|", "(?C)", "~~", "--",
    ]
    var read = 0
    for _ in 0..<2_000 {
      let pattern = (0..<Int.random(in: 1...8, using: &random)).map { _ in random.pick(pieces) }.joined()
      do throws(FetchPredicateError) {
        _ = try PatternCache().matches("aab1é😀", pattern, .caseInsensitive)
        read += 1
      } catch {
        #expect(error.description.contains("expected a regular expression"))
      }
    }
    #expect(read > 200)
  }
}

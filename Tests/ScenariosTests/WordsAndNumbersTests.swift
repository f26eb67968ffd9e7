// The small parts on their own: nearest words, numbers, points in time.
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A1 · nearest words", .tags(.a1))
struct NearestWordTests {
  @Test("The distance counts insertions, deletions, substitutions and swaps of neighbors")
  func distances() {
    func distance(_ one: String, _ other: String) -> Int {
      editDistance(Array(one.unicodeScalars), Array(other.unicodeScalars))
    }
    #expect(distance("", "") == 0)
    #expect(distance("", "abc") == 3)
    #expect(distance("abc", "") == 3)
    #expect(distance("kitten", "sitting") == 3)
    #expect(distance("ab", "ba") == 1)
    #expect(distance("ca", "abc") == 3)
  }

  @Test("A near word is found, whatever its case; a distant one is not")
  func nearest() {
    #expect(nearestWord(to: "svae", among: ["insert", "save"]) == "save")
    #expect(nearestWord(to: "SAVE", among: ["insert", "save"]) == "save")
    #expect(nearestWord(to: "delete", among: ["insert", "save"]) == nil)
    #expect(nearestWord(to: "x", among: ["y"]) == nil)
    #expect(nearestWord(to: "", among: ["a", "_a"]) == nil)
    #expect(nearestWord(to: "wal", among: ["wall_seconds", "wal_peak", "wal_written"]) == "wal_peak")
    #expect(nearestWord(to: "cat", among: ["bat", "hat"]) == "bat")
    #expect(nearestWord(to: String(repeating: "a", count: 1_000_000), among: ["aaa"]) == nil)
  }
}

@Suite("A8 · numbers and times", .tags(.a8))
struct NumbersAndTimesTests {
  private func number(_ text: String) -> NumberToken? { NumberToken(Array(text.utf8)[...]) }
  private func time(_ text: String) -> Double? { ISO8601.seconds(Array(text.utf8)[...]) }

  @Test("Whole numbers are exact; others become the nearest double")
  func numbers() {
    #expect(number("10") == .whole(10))
    #expect(number("-0") == .whole(0))
    #expect(number("+5") == .whole(5))
    #expect(number("007") == .whole(7))
    #expect(number("9223372036854775807") == .whole(.max))
    #expect(number("9223372036854775808") == .real(9_223_372_036_854_775_808))
    #expect(number("4.6") == .real(4.6))
    #expect(number("-0.66") == .real(-0.66))
    #expect(number("1e3") == .real(1000))
    #expect(number("2.5E-3") == .real(0.0025))
    #expect(number(".5") == .real(0.5))
    #expect(number("5.") == .real(5))
    #expect(number("4.9406564584124654e-324") == .real(.leastNonzeroMagnitude))
    #expect(number("0.1") == .real(0.1))
  }

  @Test("A share is written as the shortest percentage that is read as the same share")
  func shares() {
    for text in [
      "0%", "5%", "2.5%", "7%", "33.3%", "0.001%", "0.002%", "0.00001%", "99.999%", "33.333333333333336%", "100%",
    ] {
      #expect(decimalNumber(text.dropLast()).map { percentText($0 / 100) } == text)
    }
    #expect(decimalNumber("1e-20").map { percentText($0 / 100) } == "1e-20%")
  }

  @Test(
    "Numbers that are not finite are refused",
    arguments: ["", " 5", "5 ", "nan", "inf", "-", ".", "1e", "1e+", "0x10", "1,5", "1_0", "1e999", "--1", "5a", "٣"])
  func notNumbers(text: String) {
    #expect(number(text) == nil)
  }

  @Test(
    "Times are exact seconds since 2001",
    arguments: [
      ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00.001Z", 0.001), ("2000-12-31T23:59:59.999Z", -0.001),
      ("2018-06-12T16:38:28.820Z", 550_514_308.82), ("2001-01-01T02:00:00+02:00", 0),
      ("2000-12-31T19:00:00.5-05:00", 0.5), ("2000-12-31T20:30:00-03:30", 0), ("2001-01-01T05:45:00+05:45", 0),
      ("2001-01-01", 0), ("2001-01-01 00:00:01Z", 1),
      ("1970-01-01T00:00:00Z", -978_307_200), ("2000-02-29T00:00:00Z", -26_524_800),
      ("2001-01-01T00:00:00.123456Z", 0.123456), ("0001-01-01", -63_113_904_000),
    ])
  func times(text: String, seconds: Double) {
    #expect(time(text) == seconds)
  }

  @Test(
    "Text that is not a time is refused",
    arguments: [
      "", "2018", "2018-6-12T16:38:28Z", "2018-13-01", "2018-02-29", "2100-02-29", "2018-06-31", "2018-06-12T24:00:00Z",
      "2018-06-12T16:60:00Z", "2018-06-12T16:38:60Z", "2018-06-12T16:38:28", "2018-06-12T16:38:28.Z",
      "2018-06-12T16:38:28.1234567Z", "2018-06-12T16:38:28Zx", "2018-06-12T16:38:28+0200", "0000-01-01", "12/06/2018",
    ])
  func notTimes(text: String) {
    #expect(time(text) == nil)
  }

  @Test("Milliseconds since 1970 give the same double as their ISO 8601 form")
  func milliseconds() {
    #expect(ISO8601.seconds(sinceMilliseconds: 1_528_821_508_820) == time("2018-06-12T16:38:28.820Z"))
    #expect(ISO8601.seconds(sinceMilliseconds: .max) == nil)
    #expect(ISO8601.seconds(sinceMilliseconds: .min) == nil)
  }
}

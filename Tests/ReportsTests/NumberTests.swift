// Digits: rounding against the C library's, units at their edges, sparklines.
import Analysis
import Foundation
import Harness
@testable import Reports
import Testing

@Suite("A5 · numbers as text")
struct NumberTests {
  /// SplitMix64, so that the values are the same everywhere.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test("Fixed decimals are rounded as printf rounds them", .tags(.a5))
  func fixed() {
    var generator = Generator(state: 7)
    for _ in 0..<20_000 {
      let exponent = Double.random(in: -9...15, using: &generator)
      let value = Double.random(in: -1...1, using: &generator) * pow(10, exponent)
      let decimals = Int.random(in: 0...9, using: &generator)
      let expected = String(format: "%.\(decimals)f", value)
      // C writes a sign before a zero that was negative; a reader has no use for it.
      let isZero = expected.allSatisfy { "-0.".contains($0) }
      let wanted = isZero && expected.hasPrefix("-") ? String(expected.dropFirst()) : expected
      #expect(Digits.fixed(value, decimals: decimals) == wanted)
    }
  }

  @Test(
    "Halves, carries and the ends of the range", .tags(.a5),
    arguments: [
      (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"), (0.125, 2, "0.12"), (0.375, 2, "0.38"), (0.225, 2, "0.23"),
      (0.235, 2, "0.23"), (0.285, 2, "0.28"),
      (9.9999996, 6, "10.000000"),
      (0.9999999, 6, "1.000000"), (0, 6, "0.000000"), (-0.0000001, 6, "0.000000"), (1e-300, 6, "0.000000"),
      (0.1, 15, "0.100000000000000"), (123, -1, "123"), (9.1e18, 1, "9100000000000000000.0"), (1e300, 2, "1e+300"),
      (.nan, 2, "nan"), (-.infinity, 2, "-inf"),
    ])
  func edges(value: Double, decimals: Int, expected: String) {
    #expect(Digits.fixed(value, decimals: decimals) == expected)
  }

  @Test(
    "Three significant digits", .tags(.a5),
    arguments: [
      (0, "0"), (1, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"), (99.96, "100"), (999.4, "999"),
      (999.6, "1,000"), (1_234_567.8, "1,234,568"), (0.0123456, "0.0123"), (0.00099999, "0.00100"), (-2.345, "-2.35"),
      (0.00000001, "0.000000"), (1e300, "1e+300"),
    ])
  func significant(value: Double, expected: String) { #expect(Digits.significant(value) == expected) }

  @Test("Thousands are separated by commas", .tags(.a5))
  func grouped() {
    #expect(Digits.grouped(0) == "0")
    #expect(Digits.grouped(999) == "999")
    #expect(Digits.grouped(1_000) == "1,000")
    #expect(Digits.grouped(-1_234_567) == "-1,234,567")
    #expect(Digits.grouped(Int64.min) == "-9,223,372,036,854,775,808")
  }

  @Test(
    "Bytes", .tags(.a3),
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (1_048_000, "1,023 KiB"), (1_048_100, "1.00 MiB"),
      (1_048_576, "1.00 MiB"), (47_394_816, "45.2 MiB"), (5 << 30, "5.00 GiB"), (3 << 50, "3,072 TiB"),
    ] as [(Int64, String)])
  func bytes(count: Int64, expected: String) { #expect(HumanUnits.bytes(count) == expected) }

  @Test(
    "Times", .tags(.a2),
    arguments: [
      (0, "0 ms"), (0.000123, "0.123 ms"), (0.1524, "152 ms"), (0.9994, "999 ms"), (0.9996, "1.00 s"), (62, "62.0 s"),
      (4749, "4,749 s"),
    ])
  func times(seconds: Double, expected: String) { #expect(HumanUnits.time(seconds) == expected) }

  @Test("An interval has the unit of its median", .tags(.a2))
  func intervals() {
    #expect(HumanUnits.time(Estimate(median: 0.98, low: 0.9, high: 1.25)) == "980 ms [900, 1,250]")
    #expect(HumanUnits.time(Estimate(median: 1.5)) == "1.50 s")
    #expect(HumanUnits.ratio(Estimate(median: 2.3, low: 2.25, high: 2.4)) == "2.30 [2.25, 2.40]")
  }

  @Test("A sparkline spans its scale", .tags(.a4))
  func sparkline() {
    #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7], highest: 7) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline.text([7, 7], highest: 14) == "▅▅")
    #expect(Sparkline.text([0, 0], highest: 0) == "▁▁")
    #expect(Sparkline.text([-5, 99], highest: 9) == "▁█")
    #expect(Sparkline.text([], highest: 9).isEmpty)
  }

  @Test("Lists are read aloud", .tags(.a5))
  func lists() {
    #expect(HumanUnits.list([]) == "")
    #expect(HumanUnits.list(["a"]) == "a")
    #expect(HumanUnits.list(["a", "b", "c"]) == "a, b and c")
  }
}

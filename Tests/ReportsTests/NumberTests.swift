// Digits: rounding compared with the C library's, units at their limits, sparklines.
import Analysis
import Foundation
import Harness
import MissionTags
@testable import Reports
import Support
import Testing

@Suite("A5 · numbers as text")
struct NumberTests {
  @Test("Bytes in one sentence have one unit, unless one of them would be almost zero in it", .tags(.a5))
  func bytes() {
    #expect(HumanUnits.bytes([772 << 10, 1_200 << 10]) == ["0.754 MiB", "1.17 MiB"])
    #expect(HumanUnits.bytes([45 << 20, 57 << 10]) == ["45.0 MiB", "57.0 KiB"])
    #expect(HumanUnits.bytes([0, 0]) == ["0 B", "0 B"] && HumanUnits.bytes([0, 3 << 20]) == ["0 MiB", "3.00 MiB"])
  }

  @Test("Fixed decimals are rounded as printf rounds them", .tags(.a5))
  func fixed() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let exponent = Double.random(in: -9...15, using: &generator)
      let value = Double.random(in: -1...1, using: &generator) * pow(10, exponent)
      let decimals = Int.random(in: 0...9, using: &generator)
      let expected = String(format: "%.\(decimals)f", value)
      // C writes a sign before a negative zero; readers do not need it.
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
}

extension NumberTests {
  @Test(
    "Figures have three significant digits", .tags(.a5),
    arguments: [
      (0, "0"), (1, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"), (99.96, "100"), (999.4, "999"),
      (999.6, "1,000"), (1_234_567.8, "1,234,568"), (0.0123456, "0.0123"), (0.00099999, "0.00100"), (-2.345, "-2.35"),
      (0.000_000_412_6, "0.000000413"), (0.00000001, "0.000000010"), (1e300, "1e+300"),
    ])
  func significant(value: Double, expected: String) { #expect(Digits.significant(value) == expected) }

  @Test(
    "An estimate has as many digits as its interval supports, and at most three", .tags(.a5, .a2),
    arguments: [
      (267.13, 202, 380, "267 [202, 380]"), (0.859, 0.548, 1.08, "0.86 [0.55, 1.08]"),
      (2.21, 1.54, 2.95, "2.21 [1.54, 2.95]"),
      (1.0412, 1.0203, 1.0561, "1.04 [1.02, 1.06]"), (192.34, 192.1, 192.5, "192 [192, 192]"),
      (4749, 4745, 4760, "4,749 [4,745, 4,760]"), (4749, 4000, 5600, "4,750 [4,000, 5,600]"),
      (544, 417, 661, "544 [417, 661]"),
      (9.996, 9.99, 10.01, "10.0 [10.0, 10.0]"), (0.00123, 0.00121, 0.00125, "0.00123 [0.00121, 0.00125]"),
      // No value becomes 0.
      (0.5, 0.0312, 1000, "0.5 [0.03, 1,000]"), (0.2, 0.2, 0.2, "0.200 [0.200, 0.200]"),
      (-12.34, -20.6, -3.21, "−12.3 [−20.6, −3.2]"), (0, 0, 0, "0 [0, 0]"),
      (0, -1.24, 3.41, "0.0 [−1.2, 3.4]"),
    ])
  func digits(median: Double, low: Double, high: Double, expected: String) {
    let (figure, interval) = Digits.shown(Estimate(median: median, low: low, high: high))
    #expect("\(figure) \(interval ?? "")" == expected)
  }

  @Test(
    "A change has its sign, and one decimal at most", .tags(.a5, .a6),
    arguments: [
      (6.13, 4.04, 8.26, "+6.1 [+4.0, +8.3]"), (-0.8, -5.7, 4.1, "−0.8 [−5.7, +4.1]"),
      (-0.8, -25.7, 34.1, "−1 [−26, +34]"),
      (231, 95, 540, "+231 [+95, +540]"),
    ])
  func changes(median: Double, low: Double, high: Double, expected: String) {
    let (figure, interval) = Digits.shown(Estimate(median: median, low: low, high: high), isSigned: true)
    #expect("\(figure) \(interval ?? "")" == expected)
    #expect(Digits.shown(Estimate(median: median), isSigned: true).interval == nil)
  }
}

extension NumberTests {
  @Test(
    "Times share the most readable unit, and none reads as 0", .tags(.a5, .a2),
    arguments: [
      ([0.267, 0.311, 0.726], "ms"), ([0.267, 0.311, 0.726, 0.544, 1.2], "ms"), ([0.95, 1.2, 1.5, 2, 2.5], "s"),
      ([0.3, 0.3, 0.3, 1.5, 1.5, 1.5], "s"),
      ([0.000_002_67, 0.000_007], "µs"), ([0.000_000_03, 0.000_000_9], "ns"), ([0.0003, 60, 60, 60], "s"),
      ([0.000_03, 60, 60, 60], "ms"), ([0, 0.02], "ms"), ([-0.4, 0.3], "ms"), ([4_000], "s"),
    ])
  func timeUnits(seconds: [Double], name: String) {
    #expect(Unit.common(of: seconds, among: Unit.times)?.name == name)
  }

  @Test("Bytes share the most readable unit, and any unit will do if all are 0", .tags(.a5, .a3))
  func byteUnits() {
    #expect(Unit.common(of: [40_960, 58_368, 61_440, 38_273_024, 47_394_816], among: Unit.bytes)?.name == "MiB")
    #expect(Unit.common(of: [40_960, 58_368], among: Unit.bytes)?.name == "KiB")
    #expect(Unit.common(of: [12, 800], among: Unit.bytes)?.name == "B")
    #expect(Unit.common(of: [0, 0], among: Unit.bytes) == nil)
    #expect(Unit.common(of: [.greatestFiniteMagnitude], among: Unit.times)?.name == "s")
    #expect(Unit.common(of: [.nan, .infinity], among: Unit.times) == nil)
  }

  @Test("Thousands are separated by commas", .tags(.a5))
  func grouped() {
    #expect(Digits.grouped(0) == "0")
    #expect(Digits.grouped(999) == "999")
    #expect(Digits.grouped(1_000) == "1,000")
    #expect(Digits.grouped(-1_234_567) == "-1,234,567")
    #expect(Digits.grouped(Int64.min) == "-9,223,372,036,854,775,808")
  }
}

extension NumberTests {
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
      (0, "0 ms"), (0.000_013, "13.0 µs"), (0.000_999_4, "999 µs"), (0.000_999_6, "1.00 ms"), (0.1524, "152 ms"),
      (0.9994, "999 ms"), (0.9996, "1.00 s"), (62, "62.0 s"),
      (4749, "4,749 s"),
    ])
  func times(seconds: Double, expected: String) { #expect(HumanUnits.time(seconds) == expected) }

  @Test("An interval has the unit of its median", .tags(.a2))
  func intervals() {
    #expect(HumanUnits.time(Estimate(median: 0.98, low: 0.9, high: 1.25)) == "980 ms [900, 1,250]")
    #expect(HumanUnits.time(Estimate(median: 1.5)) == "1.50 s")
    #expect(HumanUnits.ratio(Estimate(median: 2.3, low: 2.25, high: 2.4)) == "2.30 [2.25, 2.40]")
  }

  @Test("Lists are read aloud", .tags(.a5))
  func lists() {
    #expect(HumanUnits.list([]) == "")
    #expect(HumanUnits.list(["a"]) == "a")
    #expect(HumanUnits.list(["a", "b", "c"]) == "a, b and c")
  }
}

// The generator compared with the reference implementation, and its orders with a reimplementation in Python.
import MissionTags
import Support
import Testing

@Suite("A2 · seeded random numbers", .tags(.a2))
struct SplitMix64Tests {
  @Test("The numbers equal those of splitmix64.c")
  func reference() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
    generator = SplitMix64(seed: 0)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f,
      ])
  }

  @Test("A seed determines one order, whatever the version of Swift")
  func order() {
    var generator = SplitMix64(seed: 42)
    #expect((0..<10).shuffled(using: &generator) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7])
    generator = SplitMix64(seed: 42)
    var slice = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9][1...]
    slice.shuffle(using: &generator)
    #expect(Array(slice) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7])
    #expect([Int]().shuffled(using: &generator).isEmpty)
    #expect([5].shuffled(using: &generator) == [5])
  }

  @Test("Bounded numbers and fractions have known values")
  func bounded() {
    var generator = SplitMix64(seed: 7)
    #expect((0..<12).map { _ in generator.next(below: 6) } == [2, 0, 5, 3, 2, 1, 2, 1, 0, 2, 0, 5])
    generator = SplitMix64(seed: 7)
    // With this bound, a quarter of the numbers has to be drawn again.
    #expect(
      (0..<4).map { _ in generator.next(below: 3 << 62) } == [
        5_393_317_200_669_280_865, 12_462_076_310_111_707_009, 8_064_874_446_226_104_152, 6_259_559_884_125_542_755,
      ])
    generator = SplitMix64(seed: 7)
    #expect(
      (0..<3).map { _ in generator.nextUnit() } == [0.3898297483912715, 0.01678829452815611, 0.9007606806068834])
    #expect(generator.next(below: 1) == 0)
  }

  @Test("Every order of four is equally likely")
  func fairness() {
    var generator = SplitMix64(seed: 5)
    var frequency: [[Int]: Int] = [:]
    let draws = 24_000
    for _ in 0..<draws { frequency[(0..<4).shuffled(using: &generator), default: 0] += 1 }
    #expect(frequency.count == 24)
    let expected = Double(draws) / 24
    let chiSquared = frequency.values.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    // scipy.stats.chi2.ppf(0.999, 23).
    #expect(chiSquared < 49.73)
  }
}

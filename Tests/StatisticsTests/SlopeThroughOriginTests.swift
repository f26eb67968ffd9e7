// A2, A7: the line through the origin, compared with values computed by hand and by brute force.
import MissionTags
import Statistics
import Support
import Testing

@Suite("A2 A7 · slope through the origin", .tags(.a2, .a7))
struct SlopeThroughOriginTests {
  @Test("The slope is known for a line, for an outlier that does not tilt it, and for a heavy point that does")
  func known() {
    #expect(slopeThroughOrigin([2, 4, -6], on: [1, 2, -3]) == 2)
    #expect(slopeThroughOrigin([2, 4, 100], on: [1, 2, 1]) == 2)
    #expect(slopeThroughOrigin([2, 4, 50], on: [1, 2, 10]) == 5)
    #expect(slopeThroughOrigin([7, 3], on: [0, 1]) == 3)
  }

  @Test("There is no slope without numbers, for a covariate of zeros, or for lists of different lengths")
  func none() {
    #expect(slopeThroughOrigin([], on: []) == nil)
    #expect(slopeThroughOrigin([1, 2], on: [0, 0]) == nil)
    #expect(slopeThroughOrigin([1, 2], on: [1]) == nil)
    #expect(slopeThroughOrigin([1, .nan], on: [1, 2]) == nil)
    #expect(slopeThroughOrigin([1, 2], on: [1, .infinity]) == nil)
  }

  @Test(
    "No other slope has a smaller sum of deviations, and swapping the sides of any pair does not change it",
    arguments: 1...UInt64(20))
  func least(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let covariate = (0..<15).map { _ in generator.nextUnit() - 0.5 }
    let differences = covariate.map { 1.3 * $0 + 0.3 * (generator.nextUnit() - 0.5) }
    let slope = try #require(slopeThroughOrigin(differences, on: covariate))
    func deviations(_ slope: Double) -> Double {
      zip(differences, covariate).reduce(0) { $0 + ($1.0 - slope * $1.1).magnitude }
    }
    for step in -200...200 { #expect(deviations(slope) <= deviations(slope + 0.01 * Double(step)) + 1e-12) }
    let signs = covariate.map { _ in generator.next(below: 2) == 0 ? 1.0 : -1 }
    let swapped = slopeThroughOrigin(
      zip(differences, signs).map { $0 * $1 }, on: zip(covariate, signs).map { $0 * $1 })
    #expect(swapped == slope)
  }
}

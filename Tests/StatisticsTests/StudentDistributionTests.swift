// Student's t distribution compared with R 4.2's qt and pt.
import MissionTags
import Testing

@testable import Statistics

@Suite("A2 · Student's t distribution", .tags(.a2))
struct StudentDistributionTests {
  @Test(
    "Quantiles are right for few and for many degrees of freedom",
    arguments: [
      (0.95, 1, 12.706204736174694), (0.95, 2, 4.302652729749462), (0.95, 3, 3.182446305283708),
      (0.95, 4, 2.7764451051977934), (0.95, 9, 2.262157162798205), (0.95, 40, 2.0210753903062733),
      (0.95, 199, 1.971956544251752), (0.95, 2000, 1.9611508260994375), (0.5, 1, 1), (0.5, 2, 0.8164965809277259),
      (0.8, 7, 1.4149239276505086), (0.99, 2, 9.92484320091829), (0.99, 5, 4.032142983555229),
      (0.999, 6, 5.958816178818885), (0.9999, 11, 5.921194162473174),
    ])
  func quantiles(confidence: Double, degrees: Int, expected: Double) throws {
    let found = try #require(studentQuantile(confidence: confidence, degrees: degrees))
    #expect(abs(found / expected - 1) < 2e-12)
  }

  @Test(
    "Probabilities",
    arguments: [
      (0.0, 5, 0.0), (1, 1, 0.5), (0.5, 2, 0.3333333333333333), (2, 3, 0.8606740314411568), (3, 4, 0.9600580319282812),
      (1.96, 30, 0.9406576871039495), (1.96, 1001, 0.9497270922671015), (10, 5, 0.999829052424257),
      (1e6, 1, 0.9999993633802277), (1e3, 3, 0.9999999977946924), (0.001, 8, 0.0007733978969106659),
    ] as [(Double, Int, Double)])
  func probabilities(t: Double, degrees: Int, expected: Double) {
    #expect(abs(studentProbability(within: t, degrees: degrees) - expected) < 1e-13)
  }

  @Test("A quantile is the point at which the probability reaches the confidence")
  func inversion() throws {
    for degrees in 1...60 {
      for confidence in [0.01, 0.5, 0.9, 0.95, 0.999, 0.999999] {
        let t = try #require(studentQuantile(confidence: confidence, degrees: degrees))
        #expect(abs(studentProbability(within: t, degrees: degrees) - confidence) < 1e-14)
      }
    }
  }

  @Test("No degrees of freedom, no confidence and one close to certainty are handled")
  func refused() {
    #expect(studentQuantile(confidence: 0.95, degrees: 0) == nil)
    for confidence in [0, 1, -0.5, 1.5, .nan] { #expect(studentQuantile(confidence: confidence, degrees: 2) == nil) }
    // The quantile of the largest number below 1, or none, but the function must return.
    let last = studentQuantile(confidence: 1 - 0x1p-53, degrees: 1)
    #expect(last.map { $0 > 1e15 } ?? true)
  }
}

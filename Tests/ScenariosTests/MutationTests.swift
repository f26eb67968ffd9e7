// Files with random damage: whatever the bytes are, reading ends with rows, a scenario or a typed error.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · damaged files do no harm", .tags(.a1, .a8))
struct MutationTests {
  /// The linear congruential generator of Numerical Recipes, for repeatable damage.
  private struct Damage: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 32
    }
  }

  /// The text with one to four bytes changed, dropped or doubled.
  private func damaged(_ text: String, seed: UInt64) -> [UInt8] {
    var random = Damage(state: seed)
    var bytes = Array(text.utf8)
    let marks = Array("\",:{}[]\\\n\r\t-+.e0%&*#'".utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] = marks.randomElement(using: &random) ?? 0
      case 2: bytes.remove(at: index)
      default: bytes.insert(bytes[index], at: index)
      }
    }
    return bytes
  }

  @Test("Damaged feeds give rows or a source error", arguments: [oddCSV, oddGeoJSON])
  func feeds(text: String) throws {
    let directory = try TemporaryDirectory()
    var refused = 0
    for seed in 0..<300 as Range<UInt64> {
      let file = try directory.write(damaged(text, seed: seed), to: "feed")
      do {
        let rows = try SourceDescription.feed(path: file).rows(for: quake)
        for name in ["code", "place"] { #expect(try rows.texts(name).count == rows.count) }
        for name in ["magnitude", "time"] { #expect(try rows.reals(name).count == rows.count) }
      } catch let error as SourceError {
        #expect(!error.isUnreadable && !error.found.isEmpty && !error.expected.isEmpty)
        refused += 1
      }
    }
    #expect((1..<300).contains(refused), "\(refused) of 300 were refused")
  }

  @Test("Damaged scenarios give a scenario or its mistakes")
  func scenarios() throws {
    let directory = try TemporaryDirectory()
    var refused = 0
    for seed in 0..<500 as Range<UInt64> {
      let file = try directory.write(damaged(validScenario, seed: seed), to: "x.yml")
      do {
        _ = try ScenarioReader(schema: schema).read(file: file)
      } catch let error as ScenarioErrors {
        #expect(!error.errors.isEmpty)
        refused += 1
      }
    }
    #expect((1..<500).contains(refused), "\(refused) of 500 were refused")
  }
}

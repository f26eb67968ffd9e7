// A1: a pragma that SQLite ignores is found, by comparing it with the last value set.
import MissionTags
import BatchmarkEngine
import Testing

@testable import Harness

@Suite("A1 · answers to pragmas", .tags(.a1))
struct PragmaAnswerTests {
  private func differences(set: [(String, String)], answered: [(String, String)]) -> [String] {
    StorePragma.differences(
      set: set.map { StorePragma($0, $1) }, answered: answered.map { StorePragma($0, $1) })
  }

  @Test("A pragma that is set twice has the later value")
  func twice() {
    let set = [("cache_size", "100"), ("synchronous", "OFF"), ("cache_size", "200")]
    #expect(differences(set: set, answered: [("cache_size", "200")]) == [])
    #expect(
      differences(set: set, answered: [("cache_size", "100")]) == [
        "the scenario sets cache_size to 200; the engine's connection answers 100"
      ])
  }

  @Test("Different spellings of a pragma's value are equal, and one that was not set or not answered is not compared")
  func compared() {
    #expect(differences(set: [("synchronous", "OFF")], answered: [("synchronous", "0")]) == [])
    #expect(differences(set: [("synchronous", "OFF")], answered: [("cache_size", "7")]) == [])
    #expect(differences(set: [("synchronous", "OFF")], answered: []) == [])
    #expect(differences(set: [("synchronous", "OFF")], answered: [("synchronous", "1")]).count == 1)
  }
}

// The page of facts: every fact has its own number and refers to existing tests and deviations.
import Foundation
import ObjectGraphFixtures
import Testing

@Suite("The page of facts")
struct FactPageTests {
  private static let package = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The cells of a page's tables, without headings.
  private func rows(_ page: String) throws -> [[String]] {
    let text = try String(contentsOf: Self.package.appending(path: "Documentation/" + page), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: " | ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "| ")) } }
    return rows.filter { !["fact", "matter"].contains($0[0]) }
  }

  /// `Suite.function` of every existing test.
  private func tests() throws -> Set<String> {
    let folder = Self.package.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    var tests: Set<String> = []
    for file in files where file.hasSuffix("Tests.swift") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      var (suite, isTest) = ("", false)
      for line in source.split(separator: "\n") {
        let words = line.split { " (:{".contains($0) }
        if line.contains("@Test(") { isTest = true }
        if let place = words.firstIndex(of: "struct"), place + 1 < words.count, words[place + 1].hasSuffix("Tests") {
          suite = String(words[place + 1])
        } else if isTest, let place = words.firstIndex(of: "func"), place + 1 < words.count {
          tests.insert("\(suite).\(words[place + 1])")
          isTest = false
        }
      }
    }
    return tests
  }

  @Test("Every test that a deviation names exists")
  func testsOfDeviations() throws {
    let folder = Self.package.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    let source = try files.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined().replacing("`", with: "")
    // The beginning of a name, in italics.
    let named = try rows("Deviations.md").flatMap { $0 }.flatMap { cell in
      cell.replacing("`", with: "").matches(of: /\*([^*]+?)…\*/).map { "\"" + $0.output.1 }
    }
    #expect(named.count > 100)
    #expect(named.filter { !source.contains($0) } == [])
  }

  @Test("Every deviation that the example for people from Core Data names is on the page")
  func example() throws {
    let deviations = try rows("Deviations.md").map { $0[0].replacing("`", with: "") }
    let folder = Self.package.appending(path: "Documentation/Examples/FromCoreData/Sources/FromCoreData")
    var named: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      // A name may continue on the next line of its comment.
      let text = source.replacing(/\n *\/\/\/? ?/, with: " ")
      for match in text.matches(of: /Deviations\.md, "(.+?)"(?: and "(.+?)")?/) {
        named += [match.output.1, match.output.2].compactMap { $0.map(String.init) }
      }
    }
    #expect(named.count > 10)
    #expect(named.filter { name in !deviations.contains { $0.hasPrefix(name) } } == [])
  }

  @Test("Every fact is numbered and names tests or deviations that exist, or gives a reason")
  func page() throws {
    let facts = try rows("CoreDataFacts.md")
    let deviations = Set(try rows("Deviations.md").map { $0[0] })
    let tests = try tests()
    #expect(facts.compactMap { Int($0[0]) } == Array(1...facts.count), "numbers in order, each once")
    #expect(facts.count > 80 && tests.count > 200 && deviations.count > 40)
    for fact in facts {
      guard fact.count == 3 else {
        Issue.record("fact \(fact[0]) needs a number, what is known, and where it is shown")
        continue
      }
      let shown = fact[2]
      let isExplained = ["later: ", "out of scope: "].contains { shown.hasPrefix($0) && shown.count > $0.count + 10 }
      let deviated = shown.matches(of: /\*(.+?)\*/).map { String($0.output.1) }
      let tested = shown.matches(of: /`(\w+Tests\.\w+)`/).map { String($0.output.1) }
      #expect(isExplained || !deviated.isEmpty || !tested.isEmpty, "fact \(fact[0]) leads nowhere")
      let missing = tested.filter { !tests.contains($0) } + deviated.filter { !deviations.contains($0) }
      #expect(missing == [], "fact \(fact[0]) names what is not there")
    }
  }
}

// The list of the project's capabilities, checked against the tags of the tests that show them.
import Foundation
import Testing

@Suite("Documentation · the list of capabilities")
struct CapabilityTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The ids on the page and their states.
  private static func listed() throws -> [(id: String, state: String)] {
    let page = try String(contentsOf: package.appendingPathComponent("Documentation/Capabilities.md"), encoding: .utf8)
    return page.matches(of: /(?m)^\| ([A-E][0-9]+) \| ([a-z ]+) \|/).map { (String($0.1), String($0.2)) }
  }

  /// The sources of all tests.
  private static func sources() throws -> [String] {
    let tests = package.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// The ids in the tags of tests or suites.
  private static func tagged() throws -> Set<String> {
    Set(
      try sources().flatMap { source in
        source.matches(of: /\.tags\(([^)]*)\)/).flatMap {
          $0.1.matches(of: /\.([a-e][0-9]+)/).map { $0.1.uppercased() }
        }
      })
  }

  @Test("Every capability that is built has tests, and those that are not built have none")
  func everyCapability() throws {
    let listed = try Self.listed()
    let tagged = try Self.tagged()
    #expect(Set(listed.map(\.state)).isSubset(of: ["built", "later"]))
    for (id, state) in listed { #expect(tagged.contains(id) == (state == "built"), "\(id) is \(state)") }
    #expect(listed.count { $0.state == "built" } >= 38)
    #expect(Set(listed.map(\.id)).count == listed.count)
  }

  @Test("Every tag of a test is on the list")
  func everyTag() throws {
    #expect(try Self.tagged().subtracting(Self.listed().map(\.id)).isEmpty)
  }

  @Test("Names of tests and suites say what they show, and the ids in them are on the list")
  func names() throws {
    let listed = Set(try Self.listed().map(\.id) + ["E"])
    let sources = try Self.sources()
    try #require(!sources.isEmpty)
    for source in sources {
      for name in source.matches(of: /@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/).map({ String($0.1) }) {
        let ids = name.prefix { $0 != "·" }
        guard ids.count < name.count, ids.wholeMatch(of: /(?:[A-E][0-9]* )+/) != nil else {
          #expect(name.wholeMatch(of: /[A-E][0-9]+(?: [A-E][0-9]+)*/) == nil, "\(name)")
          continue
        }
        #expect(Set(ids.split(separator: " ").map(String.init)).isSubset(of: listed), "\(name)")
        #expect(name.count > ids.count + 2, "\(name)")
      }
    }
  }
}

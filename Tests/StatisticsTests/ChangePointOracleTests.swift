// The results of the search in series from `scripts/oracles`, for a comparison with third-party programs.
import Foundation
import MissionTags
import Testing

@testable import Statistics

@Suite("A11 · change points compared with those", .tags(.a11))
struct ChangePointOracleTests {
  private static let file = ProcessInfo.processInfo.environment["BATCHMARK_SERIES"]

  private struct Case: Decodable {
    let values: [Double]
  }

  @Test("The change points of each series alone are written beside the file", .enabled(if: file != nil))
  func places() throws {
    let file = try #require(Self.file)
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(cases.count > 100)
    var search = ChangePointSearch()
    let found = try cases.map { try search.results([$0.values])[0]?.changes.map(\.index) ?? [] }
    try JSONEncoder().encode(found).write(to: URL(fileURLWithPath: file + ".found"))
  }
}

// D3: sums and averages in memory equal SQLite's to the last bit.
import MissionTags
import SQLiteDriver
import Support
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · sums", .tags(.d3))
struct SumTests {
  @Test("Sums and averages match the linked SQLite's", arguments: 0..<20)
  func linkedSQLite(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values = (0..<40).map { _ -> ComparableValue in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .integer(Int64.random(in: -9...9, using: &random))
      case 1: .integer(Int64.random(in: -(1 << 56)...(1 << 56), using: &random))
      case 2: .real(Double.random(in: -1...1, using: &random))
      default: .real(Double.random(in: -1e18...1e18, using: &random))
      }
    }
    let connection = try Connection(path: ":memory:")
    let rows = Array(repeating: "(?)", count: values.count).joined(separator: ", ")
    let statement = try connection.prepare("SELECT sum(column1), avg(column1) FROM (VALUES \(rows))")
    for (index, value) in values.enumerated() {
      switch value {
      case .integer(let integer): try statement.bind(integer, at: index + 1)
      case .real(let real): try statement.bind(real, at: index + 1)
      default: Issue.record("\(value)")
      }
    }
    try #require(try statement.step())
    #expect(AggregateFunction.sum(values)?.double == statement.double(0))
    #expect(AggregateFunction.average(values)?.double == statement.double(1))
  }

  @Test("Since SQLite 3.43 a sum keeps what its additions round off, and is exact while all values are integers")
  func compensated() {
    func sum(_ values: ComparableValue...) -> CompensatedSum { CompensatedSum(values) }
    #expect(sum(.real(1e16), .real(1), .real(1), .real(-1e16)).double == 2)
    #expect(sum(.integer(.max), .real(1), .integer(-.max)).double == 1)
    #expect(sum(.integer(1 << 60), .integer(1)).value?.sectionName == "\((1 << 60) + 1)")
    #expect(sum(.integer(.max), .integer(1)).value == nil)
    #expect(sum(.integer(.max), .integer(1), .real(0.5)).value?.double == 0x1p63)
    #expect(sum(.real(.infinity), .real(1)).double == .infinity)
  }
}

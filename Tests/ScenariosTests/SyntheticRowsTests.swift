// The keys `rows`, `scale` and `stretch` of synthetic data: the number of rows, and enough values for them.
import CoreDataModel
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A8 · numbers of synthetic rows", .tags(.a8))
struct SyntheticRowsTests {
  private func albums(_ settings: String = "", code: String = "{lengths: [1, 2], alphabet: letters}", more: String = "")
    -> String
  {
    """
    scenario: albums
    description: How many rows are there?
    model:
      Album:
        attributes: {code: {type: string}}
        unique: [[code]]
        relationships: {tracks: {to: Track, inverse: album, many: true}}
      Track:
        attributes: {name: {type: string}}
        relationships: {album: {to: Album, inverse: tracks}}
    source:
      synthetic:
        \(settings)
        entities:
          Album: {rows: 10, attributes: {code: \(code)}}
          Track: {rows: 100, attributes: {name: {lengths: [3, 9]}}, relationships: {album: {Album: {nulls: 0}}}}
    cells: [{strategy: save}, {engine: sqlite, strategy: insert}]
    \(more)
    """
  }

  @Test(
    "Rows are divided as the entities request, and the sum is exact",
    arguments: [(110, [10, 100]), (220, [20, 200]), (111, [10, 101]), (116, [11, 105]), (11, [1, 10])])
  func rows(rows: Int, each: [Int]) throws {
    let found = try read(albums("rows: \(rows)")).sourceRows().tables.map(\.count)
    #expect(found == each)
    #expect(try read(albums(), "rows=\(rows)").sourceRows().tables.map(\.count) == each)
  }

  @Test("Too few rows for every entity to have one are refused, with the smallest sufficient number")
  func tooFew() {
    #expect(
      complaints(albums("rows: 5")).first?.contains(
        "found 5 rows in all, which leave none for Album; expected at least 11") == true)
  }

  @Test("Rows and scale can be swept")
  func swept() throws {
    let scenario = try read(albums(more: "sweep: {rows: [110, 220]}"))
    #expect(scenario.cells.map { $0.conditions["rows"] } == [.count(110), .count(110), .count(220), .count(220)])
    #expect(try scenario.variant(for: scenario.cells[3]).sourceRows().count == 220)
    let scaled = try read(albums(code: "{lengths: 9}", more: "sweep: {scale: [1, 3]}"))
    #expect(try scaled.variant(for: scaled.cells[3]).sourceRows().count == 330)
  }

  @Test("Unique texts that run out are refused, or made longer if the file allows it")
  func stretch() throws {
    let short = "{lengths: [1, 2], alphabet: digits}"
    #expect(
      complaints(albums("rows: 1_100", code: short)).first?.contains(
        "10 different values for 100 rows of the unique attribute 'code'; expected longer texts, more characters, stretch: true, or fewer rows"
      ) == true)
    let stretched = "{lengths: [1, 2], alphabet: digits, stretch: true}"
    let codes = try read(albums("rows: 1_100", code: stretched)).sourceRows().tables[0].texts("code")
    #expect(Set(codes).count == 100 && codes.allSatisfy { $0?.count == 2 })
    let scaled = try read(albums("scale: 1_000", code: stretched)).sourceRows().tables[0].texts("code")
    #expect(Set(scaled).count == 10_000 && scaled.allSatisfy { $0?.count == 4 })
    // If there are enough values, they stay unchanged.
    let enough = try read(albums(code: stretched)).sourceRows().tables[0].texts("code")
    #expect(Set(enough.map { $0?.count }) == [1, 2])
  }

  @Test("The model's length limit is kept: texts that cannot be longer remain too few")
  func limit() {
    let text = albums("rows: 11_000", code: "{lengths: [1, 2], alphabet: digits, stretch: true}")
      .replacing("code: {type: string}", with: "code: {type: string, max_length: 2}")
    #expect(complaints(text).first?.contains("100 different values for 1000 rows") == true, "\(complaints(text))")
  }
}

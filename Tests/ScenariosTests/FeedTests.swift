// Feeds as files: what is missing, unreadable or something else; and the real ones where they are at hand.
import CoreDataModel
import Scenarios
import Testing

@Suite("A8 · feed files", .tags(.a8))
struct FeedFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func error(_ bytes: [UInt8]) throws -> SourceError? {
    let file = try directory.write(bytes, to: "feed.geojson")
    return #expect(throws: SourceError.self) { try SourceDescription.feed(path: file).rows(for: quake) }
  }

  @Test("A missing feed and a folder are unreadable, which is not the same as invalid")
  func unreadable() throws {
    let missing = directory.path + "/none.csv"
    let error = #expect(throws: SourceError.self) { try SourceDescription.feed(path: missing).rows(for: quake) }
    #expect(error?.isUnreadable == true)
    #expect(
      error?.description
        == "\(missing): found no such file or directory; expected a USGS earthquake feed, "
        + "GeoJSON or CSV that can be read"
    )
    let folder = #expect(throws: SourceError.self) { try SourceDescription.feed(path: directory.path).rows(for: quake) }
    #expect(folder?.isUnreadable == true)
    #expect(folder?.found == "a folder")
  }

  @Test(
    "A file of something else is refused with what it is",
    arguments: [
      ([], "an empty file"), (Array(" \r\n\t".utf8), "an empty file"), ([0xEF, 0xBB, 0xBF], "an empty file"),
      (Array("<!DOCTYPE html><html></html>".utf8), "HTML or XML"), (Array("[{\"a\": 1}]".utf8), "a JSON array"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "a PNG image"), ([0x1F, 0x8B, 8, 0], "a gzip archive"),
      ([0x50, 0x4B, 3, 4, 20, 0], "a ZIP archive"), (Array("SQLite format 3\0".utf8), "a SQLite database"),
      ([0xFF, 0xFE, 0x74, 0], "text in UTF-16"), ([1, 2, 0, 3], "binary data"),
      (Array("time,mag,place,id\n,1,".utf8) + [0xFC], "bytes that are not UTF-8, from byte 21 on"),
    ] as [([UInt8], String)])
  func other(bytes: [UInt8], found: String) throws {
    let error = try error(bytes)
    #expect(error?.found == found)
    #expect(error?.expected == "a USGS earthquake feed, GeoJSON or CSV")
    #expect(error?.isUnreadable == false)
  }
}

@Suite("A8 · real feeds", .tags(.a8), .enabled(if: hasRealFeeds, "the real feeds are not beside the package"))
struct RealFeedTests {
  private func rows(_ name: String, of entity: EntityDescription = quake) throws -> ColumnarRows {
    try SourceDescription.feed(path: feedsDirectory + "/" + name).rows(for: entity)
  }

  @Test("A month in CSV has 15,357 earthquakes, two without a magnitude")
  func month() throws {
    let feed = try rows("month-2018-06.all_month.csv")
    #expect(feed.count == 15_357)
    let magnitudes = try feed.reals("magnitude")
    #expect(magnitudes.count { $0 == nil } == 2)
    #expect(magnitudes.count { $0 ?? 0 < 0 } == 204)
    let codes = try feed.texts("code")
    #expect(Set(codes).count == 15_357)
    #expect(codes[0] == "hv70256866")
    #expect(try feed.texts("place")[0] == "4km SW of Volcano, Hawaii")
    #expect(try feed.reals("time")[0] == 550_514_308.82)
  }

  @Test("A week of 2014 in GeoJSON has 1,513 earthquakes, one place with a trailing space")
  func week2014() throws {
    let feed = try rows("week-2014-04.all_week.geojson")
    #expect(feed.count == 1513)
    #expect(try feed.reals("magnitude").count { $0 == nil } == 0)
    #expect(try feed.texts("place").count { $0?.hasSuffix(" ") == true } == 1)
    #expect(Set(try feed.reals("time")).count == 1512, "two events at one time")
    #expect(try feed.texts("code")[0] == "ak11229223")
    #expect(try feed.reals("time")[0] == 419_255_367)
  }

  @Test("A week of 2018 in GeoJSON has 1,707 earthquakes, 44 with a negative magnitude")
  func week2018() throws {
    let feed = try rows("week-2018-02.all_week.geojson")
    #expect(feed.count == 1707)
    #expect(try feed.reals("magnitude").count { $0 ?? 0 < 0 } == 44)
  }

  @Test("Every documented field of the real feeds is read by its natural type")
  func everyField() throws {
    let common = GeneratorSettings.attributes
    let csv = try rows("month-2018-06.all_month.csv", of: EntityDescription("Quake", attributes: common))
    #expect(try csv.integers("nst").count { $0 == nil } == 3235)
    #expect(try csv.reals("depth").count { $0 == nil } == 0)
    let extra = [
      AttributeDescription("url", .uri), AttributeDescription("tsunami", .boolean, isOptional: true),
      AttributeDescription("sig", .int16), AttributeDescription("felt", .int32, isOptional: true),
      AttributeDescription("cdi", .double, isOptional: true), AttributeDescription("eventCode", .string),
    ]
    let json = try rows("week-2014-04.all_week.geojson", of: EntityDescription("Quake", attributes: common + extra))
    #expect(try json.integers("felt").count { $0 != nil } == 121)
    #expect(try json.integers("tsunami").count { $0 == 1 } == 8)
    let (codes, networks, events) = (try json.texts("code"), try json.texts("net"), try json.texts("eventCode"))
    #expect(codes.indices.allSatisfy { codes[$0] == (networks[$0] ?? "") + (events[$0] ?? "") })
  }
}

// Feeds as files: missing, unreadable and invalid ones; and complete ones, with everything that feeds have.
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import StoreFixtures
import Testing

@Suite("A8 · feed files", .tags(.a8))
struct FeedFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func error(_ bytes: [UInt8]) throws -> SourceError? {
    let file = try directory.write(bytes, to: "feed.geojson")
    return #expect(throws: SourceError.self) { try SourceDescription.feed(path: file).rows(for: quake) }
  }

  @Test("A missing feed and a folder are unreadable, which differs from invalid")
  func unreadable() throws {
    let missing = directory.path + "/none.csv"
    let error = #expect(throws: SourceError.self) { try SourceDescription.feed(path: missing).rows(for: quake) }
    #expect(error?.isUnreadable == true)
    #expect(
      error?.description
        == "\(missing): found no such file or directory; expected a feed, CSV with a header, "
        + "JSON Lines or GeoJSON that can be read"
    )
    let folder = #expect(throws: SourceError.self) { try SourceDescription.feed(path: directory.path).rows(for: quake) }
    #expect(folder?.isUnreadable == true)
    #expect(folder?.found == "a folder")
  }

  @Test(
    "A file of another kind is refused, and the message says what it is",
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
    #expect(error?.expected == "a feed, CSV with a header, JSON Lines or GeoJSON")
    #expect(error?.isUnreadable == false)
  }
}

@Suite("A8 · feeds", .tags(.a8))
struct FeedTests {
  private func rows(_ feed: SampleFeed, of entity: EntityDescription = quake) throws -> ColumnarRows {
    try SourceDescription.feed(path: feed.path).rows(for: entity)
  }

  @Test("A month in CSV has its earthquakes, those without a magnitude too", arguments: SampleFeed.months)
  func month(feed: SampleFeed) throws {
    let rows = try rows(feed)
    #expect(rows.count == feed.rows)
    let magnitudes = try rows.reals("magnitude")
    #expect(magnitudes.count { $0 == nil } == feed.withoutMagnitude)
    #expect(magnitudes.count { $0 ?? 0 < 0 } == feed.negativeMagnitudes)
    let codes = try rows.texts("code")
    #expect(Set(codes).count == feed.rows)
    #expect(codes[0] == feed.firstCode)
    let places = try rows.texts("place")
    #expect(places[0] == feed.firstPlace && places.count { $0 == nil } == feed.withoutPlace)
    let times = try rows.reals("time")
    #expect(times[0] == feed.firstTime && Set(times).count == feed.times)
  }

  @Test(
    "Places keep their commas, quotes, line ends and letters; a number in quotes and one with an exponent are numbers")
  func cells() throws {
    let feed = try #require(SampleFeed.months.first { $0.isOwn })
    let places = try rows(feed).texts("place")
    #expect(
      places.prefix(10) == [
        "4km SW of Volcano, Hawaii", "5km \"up\", Piñon Hills", "Northern Mid-Atlantic Ridge", "日本 🌋",
        "at sea,\r\nfar out", "6km ESE of Ōtaki, New Zealand", "a \"quoted\" place", nil, "\"",
        "31km N of Cañon, \"Río\"",
      ])
    let common = EntityDescription("Quake", attributes: GeneratorSettings.attributes)
    let rows = try rows(feed, of: common)
    #expect(try rows.reals("magnitude")[9] == 1.2 && rows.reals("longitude")[20] == -120)
  }

  @Test("Rows that correct earlier ones are all read, in their order")
  func repeated() throws {
    let feed = SampleFeed.repeated
    let rows = try rows(feed)
    #expect(
      try rows.texts("code").map { $0?.suffix(2) } == ["00", "01", "02", "01", "03", "00", "01", "04"])
    #expect(try rows.reals("magnitude").count { $0 ?? 0 < 0 } == feed.negativeMagnitudes)
    #expect(try rows.reals("time")[0] == feed.firstTime && rows.count == feed.rows)
  }
}

extension FeedTests {
  @Test(
    "A week in GeoJSON has its earthquakes, two of them at one time, and places with trailing spaces",
    arguments: SampleFeed.weeks)
  func week(feed: SampleFeed) throws {
    let rows = try rows(feed)
    #expect(rows.count == feed.rows)
    let magnitudes = try rows.reals("magnitude")
    #expect(magnitudes.count { $0 == nil } == feed.withoutMagnitude)
    #expect(magnitudes.count { $0 ?? 0 < 0 } == feed.negativeMagnitudes)
    #expect(magnitudes.count { $0 ?? 0 > 2.5 } == feed.strong)
    let places = try rows.texts("place")
    #expect(places.count { $0?.hasSuffix(" ") == true } == feed.placesWithTrailingSpace)
    #expect(places.count { $0 == nil } == feed.withoutPlace)
    #expect(Set(try rows.reals("time")).count == feed.times)
    #expect(try rows.texts("code")[0] == feed.firstCode)
    #expect(try rows.reals("time")[0] == feed.firstTime)
  }

  @Test("Escapes, surrogate pairs and raw letters give the same text; line breaks do not matter")
  func texts() throws {
    let weeks = try SampleFeed.weeks.filter(\.isOwn).map { try rows($0) }
    for week in weeks {
      #expect(
        try week.texts("place").prefix(8) == [
          "11km W of Y, Alaska", "with a space behind ", nil, "Piñon \"Hills\" / 🌋\n", "日本 🌋", "", "C:\\quakes\\{[,:]}",
          "Río \t Grande",
        ])
      #expect(try week.reals("magnitude")[1] == 2.2 && week.reals("magnitude")[99] == nil)
    }
    #expect(weeks.count == 2 && weeks[0].hash(rows: 400) == weeks[1].hash(rows: 400))
  }

  @Test("Every documented field of a month is read with its natural type", arguments: SampleFeed.months)
  func fieldsOfMonth(feed: SampleFeed) throws {
    let csv = try rows(feed, of: EntityDescription("Quake", attributes: GeneratorSettings.attributes))
    #expect(try csv.integers("nst").count { $0 == nil } == feed.withoutStations)
    #expect(try csv.reals("depth").count { $0 == nil } == 0)
  }

  @Test("Every documented field of a week is read with its natural type", arguments: SampleFeed.weeks)
  func fieldsOfWeek(feed: SampleFeed) throws {
    let extra = [
      AttributeDescription("url", .uri), AttributeDescription("tsunami", .boolean, isOptional: true),
      AttributeDescription("sig", .int16), AttributeDescription("felt", .int32, isOptional: true),
      AttributeDescription("cdi", .double, isOptional: true), AttributeDescription("eventCode", .string),
    ]
    let entity = EntityDescription("Quake", attributes: GeneratorSettings.attributes + extra)
    let json = try rows(feed, of: feed.isOwn ? entity.allOptional : entity)
    #expect(try json.integers("felt").count { $0 != nil } == feed.felt)
    #expect(try json.integers("tsunami").count { $0 == 1 } == feed.tsunamis)
    let (codes, networks, events) = (try json.texts("code"), try json.texts("net"), try json.texts("eventCode"))
    #expect(codes.indices.allSatisfy { codes[$0] == (networks[$0] ?? "") + (events[$0] ?? "") })
  }
}

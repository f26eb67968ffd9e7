// Feeds in JSON Lines, and fields for attributes with other names.
import CoreDataModel
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A8 · feeds in JSON Lines, and mapped fields", .tags(.a8))
struct JSONLinesFeedTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let everyType = EntityDescription(
    "Thing",
    attributes: [
      ("a", AttributeType.string), ("b", .int32), ("c", .double), ("d", .boolean), ("e", .date), ("f", .decimal),
      ("g", .uuid), ("h", .binary), ("i", .uri), ("j", .int64),
    ].map { AttributeDescription($0.0, $0.1, isOptional: true) })

  private func rows(
    _ text: String, of entity: EntityDescription = everyType, name: String = "feed.jsonl", map: [String: String] = [:]
  ) throws -> ColumnarRows {
    try SourceDescription.feed(path: directory.write(text, to: name), map: map).rows(for: entity)
  }

  /// The complaint about a text, without the file's path.
  private func complaint(
    _ text: String, of entity: EntityDescription = everyType, name: String = "feed.jsonl", map: [String: String] = [:]
  ) throws -> String? {
    let error = #expect(throws: SourceError.self) { try rows(text, of: entity, name: name, map: map) }
    #expect(error?.isUnreadable == false)
    return error?.description.replacing(directory.path + "/", with: "")
  }

  @Test("Values of every type are read; absent keys and null are null, and other keys and blank lines are ignored")
  func everyType() throws {
    let text = #"""
      {"a":"x \"y\" \u00e9 🌋","b":7,"c":1.5e3,"d":true,"e":"2001-01-01T00:00:01Z","f":12.5,"other":{"a":[1]}}

      {"a":null, "g":"3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A","h":"AQID","i":"https://example.org/","e":978307200000}
      {"j":9223372036854775807,"a":"","d":0}
      """#
    for text in [text, text + "\n", text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text] {
      let rows = try rows(text)
      #expect(rows.count == 3)
      #expect(try rows.texts("a") == ["x \"y\" é 🌋", nil, ""])
      #expect(try rows.integers("b") == [7, nil, nil] && rows.integers("j") == [nil, nil, .max])
      #expect(try rows.reals("c") == [1500, nil, nil] && rows.reals("f") == [12.5, nil, nil])
      #expect(try rows.integers("d") == [1, nil, 0] && rows.reals("e") == [1, 0, nil])
      #expect(try rows.blobs("h") == [nil, [1, 2, 3], nil] && rows.blobs("g")[1]?.prefix(2) == [0x3E, 0x46])
      #expect(try rows.texts("i") == [nil, "https://example.org/", nil])
    }
  }

  @Test("JSON Lines and GeoJSON are distinguished by contents, or by name if there is one line")
  func detection() throws {
    let entity = optionalEntity(("a", .int32))
    #expect(try rows("{\"a\":1}\n{\"a\":2}\n", of: entity, name: "feed.csv").integers("a") == [1, 2])
    #expect(try rows("{\"type\":\"FeatureCollection\",\"a\":1}\n{\"a\":2}", of: entity, name: "x").count == 2)
    #expect(try rows("{\"a\":1}\n", of: entity, name: "feed.NDJSON").integers("a") == [1])
    #expect(try complaint("{\"a\":1}\n", of: entity, name: "feed.csv")?.contains("GeoJSON FeatureCollection") == true)
  }

  @Test(
    "Mistakes in a line are reported with its line and column",
    arguments: [
      ("{\"b\":1}\n{\"b\":\"x\"}", "line 2, column 6: found 'x' for the attribute 'b'; expected a whole number from "),
      (
        "{\"b\":1}\n\n{\"a\":\"🌋é\",\"b\": 1.5}", "line 3, column 16: found 1.5 for the attribute 'b'; expected a whole"
      ),
      ("{\"d\":1}\n{\"d\":2}", "line 2, column 6: found 2 for the attribute 'd'; expected true or false"),
      (
        "{\"a\":[1]}\n{}", "line 1, column 6: found an array for the attribute 'a'; expected text, a number, a boolean "
      ),
      ("{\"a\":1}\n{}", "line 1, column 6: found 1 for the attribute 'a'; expected text"),
      ("{\"a\":\"1\"}\n[1]", "line 2, column 1: found an array; expected an object, one on each line"),
      ("{\"a\":\"1\"}\n{\"a\":", "line 2, column 6: found the end of the line; expected a value"),
      ("{\"a\":\"1\"}\n{\"a\":\"1\"} x", "line 2, column 11: found 'x'; expected the end of the line"),
      ("{\"a\":\"1\",\"a\":\"2\"}\n{}", "line 1, column 14: found the key 'a' twice; expected each once"),
    ])
  func mistakes(text: String, expected: String) throws {
    let found = try complaint(text)
    #expect(found?.hasPrefix("feed.jsonl: " + expected) == true, "\(found ?? "nothing")")
  }
}

extension JSONLinesFeedTests {
  @Test("A required value missing in a line is refused there; a key missing in every line is, with the available keys")
  func missing() throws {
    let entity = EntityDescription(
      "Book", attributes: [AttributeDescription("title", .string), AttributeDescription("year", .int16)])
    #expect(
      try complaint("{\"title\":\"a\",\"year\":1}\n {\"title\":\"b\"}\n", of: entity)
        == "feed.jsonl: line 2, column 1: found no value for the attribute 'year', which is required; expected a whole "
        + "number from -32768 to 32767")
    #expect(
      try complaint("{\"titel\":\"a\",\"year\":1}\n", of: entity.allOptional)
        == "feed.jsonl: found no field for the attribute 'title' of Book; expected one of titel, year; did you mean "
        + "'titel'?")
    #expect(
      try complaint("{\"Title\":\"a\",\"year\":1}\n", of: entity, map: ["title": "Titl"])
        == "feed.jsonl: found no field 'Titl', which map: names for the attribute 'title' of Book; expected one of Title, "
        + "year; did you mean 'Title'?")
  }

  @Test("Fields with other names fill attributes, in every format", arguments: ["csv", "jsonl", "geojson"])
  func mapped(format: String) throws {
    let text =
      switch format {
      case "csv": "Title,Page Count,code\na,7,x\n"
      case "jsonl": "{\"Title\":\"a\",\"Page Count\":7,\"code\":\"x\"}"
      default:
        "{\"type\":\"FeatureCollection\",\"features\":[{\"id\":\"y\",\"properties\":{\"Title\":\"a\",\"Page Count\":7,\"code\":\"x\"}}]}"
      }
    let entity = EntityDescription(
      "Book", attributes: [AttributeDescription("title", .string), AttributeDescription("pages", .int16)])
    let rows = try rows(text, of: entity, name: "feed." + format, map: ["title": "Title", "pages": "Page Count"])
    #expect(try rows.texts("title") == ["a"] && rows.integers("pages") == [7])
    #expect(rows.attributes.map(\.name) == ["title", "pages"])
  }

  @Test("The column of a mistake in CSV counts characters, in quoted fields over several lines too")
  func columns() throws {
    let entity = optionalEntity(("a", .string), ("b", .int32))
    #expect(
      try complaint("a,b\n\"é, \"\"x\"\"\",y\n", of: entity, name: "feed.csv")?.hasPrefix(
        "feed.csv: line 2, column 12: ")
        == true)
    #expect(
      try complaint("a,b\nx,1\n\"one\ntwo\",\"y\"\n", of: entity, name: "feed.csv")?.hasPrefix(
        "feed.csv: line 4, column 6: ") == true)
  }

  private static let feed = scenario("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: a.csv")
}

extension JSONLinesFeedTests {
  @Test("A map is part of the source and of the scenario's question")
  func scenarioMap() throws {
    let scenario = try read(JSONLinesFeedTests.feed + "\nmap: {magnitude: mag, code: Code}\n")
    #expect(scenario.source == .feed(path: "Scenarios/a.csv", map: ["magnitude": "mag", "code": "Code"]))
    let fingerprints = try ["", "\nmap: {code: Code}", "\nmap: {code: code2}"].map {
      try read(JSONLinesFeedTests.feed + $0).fingerprint
    }
    #expect(Set(fingerprints).count == 3)
    #expect(
      try read(validScenario + "\nmap: {code: Code}", "feed=b.jsonl").source
        == .feed(path: "b.jsonl", map: ["code": "Code"]))
  }

  @Test("A field with an empty name is named in quotes")
  func emptyName() throws {
    #expect(
      try read(JSONLinesFeedTests.feed + "\nmap: {code: ''}\n").source
        == .feed(path: "Scenarios/a.csv", map: ["code": ""]))
    let entity = EntityDescription("Row", attributes: [AttributeDescription("row", .int32)])
    #expect(try rows(",a\n7,x\n", of: entity, name: "feed.csv", map: ["row": ""]).integers("row") == [7])
    #expect(
      try complaint(",a\n7,x\n", of: entity, name: "feed.csv")
        == "feed.csv: found no field for the attribute 'row' of Row; expected one of '', a")
  }

  @Test(
    "An impossible map is refused at its location",
    arguments: [
      ("map: {cod: x}", "19:7: found the attribute 'cod'; expected one of code, magnitude, time; did you mean 'code'?"),
      (
        "map: {code: time}",
        "19:13: found the field 'time', which fills the attribute 'time' too; expected another field for each "
          + "attribute"
      ),
      ("map: {code: [a]}", "19:13: found a list; expected the name of a field"),
      ("map: {code: }", "19:13: found nothing; expected the name of a field"),
      ("map: [code]", "19:6: found a list; expected a mapping of attributes and the fields that fill them, such as "),
    ])
  func wrongMaps(map: String, complaint: String) {
    let found = complaints(JSONLinesFeedTests.feed + "\n" + map)
    #expect(found.count == 1 && found.first?.hasPrefix("Scenarios/x.yml:" + complaint) == true, "\(found)")
  }

  @Test("A map without a feed is refused")
  func mapOfOthers() {
    #expect(
      complaints(validScenario + "\nmap: {code: Code}") == [
        "Scenarios/x.yml:19:6: found the key 'map' with a source that is no feed; expected source: {feed: path/to/rows.csv}, "
          + "or no such key"
      ])
  }
}

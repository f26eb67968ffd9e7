// Feeds in GeoJSON: nulls, absent values, escapes and orders of every kind, and every kind of damage.
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · GeoJSON feeds", .tags(.a8))
struct GeoJSONFeedTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func rows(_ text: String, of entity: EntityDescription = quake.allOptional) throws -> ColumnarRows {
    // The name is wrong on purpose: the first byte decides.
    try SourceDescription.feed(path: directory.write(text, to: "feed.csv")).rows(for: entity)
  }

  private func complaint(_ text: String, of entity: EntityDescription = quake.allOptional) throws -> String? {
    let error = #expect(throws: SourceError.self) { try rows(text, of: entity) }
    #expect(error?.isUnreadable == false)
    return error?.description.replacing(directory.path + "/", with: "")
  }

  /// A feed with one feature that has these properties.
  private func feed(_ properties: String) -> String {
    #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"# + properties + "}}]}"
  }

  @Test("Escapes, nested values, nulls, absent keys and every order of keys are read")
  func anomalies() throws {
    let feed = try rows("\u{FEFF}" + oddGeoJSON)
    #expect(feed.count == 4)
    #expect(try feed.texts("code") == ["ak1", "us2", "ci3", "ci4"])
    #expect(try feed.reals("magnitude") == [1.2, nil, -0.66, 2])
    #expect(try feed.texts("place") == ["11km W of Y, Alaska", "Piñon \"Hills\" / 🌋\n", "日本", ""])
    #expect(
      try feed.reals("time") == [419_255_367, 419_255_367.001, -978_307_200.001, -978_307_200])
  }

  @Test(
    "A required attribute that is null or absent is refused with the feature's number",
    arguments: ["", #","time":null"#])
  func requiredValues(time: String) throws {
    let features = [
      #"{"id":"a","properties":{"mag":1,"place":"x","time":0}}"#, #"{"id":"b","properties":{"mag":1\#(time)}}"#,
    ]
    let text = #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    #expect(
      try complaint(text, of: quake)
        == "feed.csv: feature 2: found no value for the attribute 'time', which is required; expected a time such as "
        + "2018-06-12T16:38:28.820Z")
  }

  @Test("Coordinates and other properties have separate names")
  func otherFields() throws {
    let feed = try rows(
      oddGeoJSON,
      of: optionalEntity(
        ("longitude", .double), ("latitude", .double), ("depth", .double), ("eventCode", .string), ("nst", .int32),
        ("tsunami", .boolean), ("sig", .int64), ("url", .uri), ("alert", .string)))
    #expect(try feed.reals("longitude") == [-150.061, nil, 1, 1])
    #expect(try feed.reals("latitude") == [62.1778, nil, 2, 2])
    #expect(try feed.reals("depth") == [18.3, nil, nil, nil])
    #expect(try feed.texts("eventCode") == ["1", "2", "3", "4"])
    #expect(try feed.integers("nst") == [nil, nil, 7, nil])
    #expect(try feed.integers("tsunami") == [0, 1, nil, nil])
    #expect(try feed.integers("sig") == [22, -1, nil, nil])
    #expect(try feed.texts("url") == ["http://example.org/ak1", nil, nil, nil])
    #expect(try feed.texts("alert") == [nil, nil, nil, nil], "documented, and in no feature of this feed")
  }
}

extension GeoJSONFeedTests {
  @Test("A time is the same number in GeoJSON and in CSV, and so are the rows")
  func sameAsCSV() throws {
    let csv = try SourceDescription.feed(
      path: directory.write("time,mag,place,id\n2014-04-15T11:49:27.123Z,1.20,\"é, b\",a\n", to: "a")
    ).rows(for: quake)
    let json = try rows(feed(#""mag":1.2,"place":"\u00e9, b","time":1397562567123"#))
    #expect(json.hash(rows: 1) == csv.hash(rows: 1))
  }

  @Test(
    "A value of the wrong type is refused with the feature's number",
    arguments: [
      (#""mag":"big""#, "found 'big' for the attribute 'magnitude'; expected a number"),
      (#""mag":true"#, "found true for the attribute 'magnitude'; expected a number"),
      (#""mag":[1]"#, "found an array for the attribute 'magnitude'; expected text, a number or null"),
      (#""mag":{}"#, "found an object for the attribute 'magnitude'; expected text, a number or null"),
      (#""place":5"#, "found 5 for the attribute 'place'; expected text"),
      (#""time":1.5"#, "found 1.5 for the attribute 'time'; expected a time such as 2018-06-12T16:38:28.820Z"),
      (
        #""time":9223372036854775807"#,
        "found 9223372036854775807 for the attribute 'time'; expected a time such as 2018-06-12T16:38:28.820Z"
      ),
    ])
  func wrongTypes(properties: String, expected: String) throws {
    #expect(try complaint(feed(properties)) == "feed.csv: feature 1: \(expected)")
  }

  @Test("Integer attributes take whole numbers in range", .tags(.d1))
  func integers() throws {
    #expect(try rows(feed(#""sig":3.0"#), of: optionalEntity(("sig", .int16))).integers("sig") == [3])
    #expect(
      try complaint(feed(#""sig":3.5"#), of: optionalEntity(("sig", .int16)))
        == "feed.csv: feature 1: found 3.5 for the attribute 'sig'; expected a whole number from -32768 to 32767")
    #expect(
      try complaint(feed(#""sig":32768"#), of: optionalEntity(("sig", .int16)))
        == "feed.csv: feature 1: found 32768 for the attribute 'sig'; expected a whole number from -32768 to 32767")
    #expect(
      try complaint(feed(#""tsunami":2"#), of: optionalEntity(("tsunami", .boolean)))
        == "feed.csv: feature 1: found 2 for the attribute 'tsunami'; expected true or false")
    #expect(
      try complaint(feed(#""url":"a b""#), of: optionalEntity(("url", .uri)))?.hasSuffix(
        "expected a URI such as https://example.org/") == true)
  }
}

extension GeoJSONFeedTests {
  @Test(
    "JSON that is not a feed is refused, and the message says what it is",
    arguments: [
      (#"{"type":"Feature","properties":{}}"#, "GeoJSON, or other JSON, whose type is not FeatureCollection"),
      (#"{"type":7}"#, "GeoJSON, or other JSON, whose type is not FeatureCollection"),
      (#"{"a":1}"#, "JSON without a type FeatureCollection and its features"),
      (#"{"type":"FeatureCollection"}"#, "JSON without a type FeatureCollection and its features"),
      (#"{"features":[]}"#, "JSON without a type FeatureCollection and its features"),
      (#"{"type":"FeatureCollection","features":{}}"#, "features that are no array"),
    ])
  func otherJSON(text: String, found: String) throws {
    #expect(
      try complaint(text) == "feed.csv: found \(found); expected a USGS earthquake feed, a GeoJSON FeatureCollection")
  }

  @Test(
    "Invalid features are refused with their numbers",
    arguments: [
      ("5", "found a number; expected a feature, which is an object"),
      ("{}", "found no properties; expected an object of them"),
      (#"{"properties":null}"#, "found properties that are null; expected an object"),
      (#"{"properties":{},"geometry":[]}"#, "found a geometry that is an array; expected an object"),
      (#"{"properties":{},"geometry":{"coordinates":7}}"#, "found coordinates that are a number; expected an array"),
    ])
  func otherFeatures(feature: String, expected: String) throws {
    let text = #"{"type":"FeatureCollection","features":[{"properties":{}},"# + feature + "]}"
    #expect(try complaint(text) == "feed.csv: feature 2: \(expected)")
  }

  @Test("A feed without features, or with fewer than it says, is refused")
  func counts() throws {
    #expect(
      try complaint(#"{"type":"FeatureCollection","features":[]}"#)
        == "feed.csv: found a feed without features; expected at least one earthquake")
    #expect(
      try complaint(oddGeoJSON.replacing("\"count\": 4", with: "\"count\": 5"))
        == "feed.csv: found 4 features; expected 5, the count in the feed's metadata")
    #expect(try rows(oddGeoJSON.replacing("\"count\": 4", with: "\"count\": null")).count == 4)
  }
}

extension GeoJSONFeedTests {
  @Test("An attribute that no feature has is refused with the fields and the nearest")
  func missingField() throws {
    #expect(
      try complaint(feed(#""mag":1,"place":"a","curiosity":5"#), of: optionalEntity(("curiositi", .double)))
        == "feed.csv: found no field for the attribute 'curiositi' of Quake; expected one of code, longitude, "
        + "latitude, depth, magnitude, place, curiosity; did you mean 'curiosity'?")
  }

  @Test(
    "Broken JSON is refused at the position of the error",
    arguments: [
      (#"{"type":"FeatureCollection","features":[}"#, "byte 40: found '}'; expected a value"),
      (
        #"{"type":"FeatureCollection","features":[]"#,
        "byte 41: found the end of the file; expected a comma or the object's end"
      ),
      (#"{"type":"FeatureCollection","features":[]} x"#, "byte 43: found 'x'; expected the end of the file"),
      (#"{"a":tru}"#, "byte 5: found 't'; expected true"),
      (#"{"a":01}"#, "byte 6: found '1'; expected a comma or the object's end"),
      (#"{"a":-}"#, "byte 6: found '}'; expected a digit"),
      (#"{"a":1.}"#, "byte 7: found '}'; expected a digit"),
      (#"{"a":1e}"#, "byte 7: found '}'; expected a digit"),
      (#"{"a":1e999}"#, "byte 5: found 1e999; expected a number of at most 1.8e308"),
      (#"{"a":.5}"#, "byte 5: found '.'; expected a value"),
      (#"{"a":1,}"#, "byte 7: found '}'; expected a key"),
      (#"{"a" 1}"#, "byte 5: found '1'; expected a colon"),
      (#"{a:1}"#, "byte 1: found 'a'; expected a key"),
      (#"{"a":"\x"}"#, #"byte 7: found 'x'; expected an escape: one of " \ / b f n r t u"#),
      (#"{"a":"\u12g4"}"#, "byte 10: found 'g'; expected four hexadecimal digits"),
      (#"{"a":"\ud800"}"#, #"byte 12: found '"'; expected the second half of a surrogate pair, \uDC00 to \uDFFF"#),
      (
        #"{"a":"\ud800\u0041"}"#, #"byte 18: found '"'; expected the second half of a surrogate pair, \uDC00 to \uDFFF"#
      ),
      (#"{"a":"\udc00"}"#, #"byte 12: found '"'; expected the second half of a surrogate pair, \uDC00 to \uDFFF"#),
      ("{\"a\":\"\n\"}", #"byte 6: found '\n'; expected a control character written as an escape"#),
      (#"{"a":"é"#, "byte 8: found the end of the file; expected a closing quote"),
      (#"{"a":[1 2]}"#, "byte 8: found '2'; expected a comma or the array's end"),
    ])
  func syntax(text: String, expected: String) throws {
    #expect(try complaint(text) == "feed.csv: \(expected)")
  }

  @Test("A feed truncated anywhere is refused")
  func truncated() throws {
    let bytes = Array(oddGeoJSON.utf8)
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    for length in stride(from: 1, through: end, by: 7) {
      let file = try directory.write(Array(bytes[..<length]), to: "cut")
      #expect(throws: SourceError.self) { try SourceDescription.feed(path: file).rows(for: quake) }
    }
  }

  @Test("Endlessly nested values are refused without being followed")
  func nesting() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(
      try complaint("{\"a\":" + deep)
        == "feed.csv: byte 261: found values nested more than 256 deep; expected at most 256 levels")
  }
}

// The model that `init` makes for a feed: an attribute for each field, with the narrowest type that holds all values.
import CoreDataModel
import MissionTags
import Testing

@testable import Scenarios

@Suite("A8 · the shape of a feed", .tags(.a8))
struct FeedShapeTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func shape(_ text: String, file: String = "tracks.csv") throws -> FeedShape {
    try FeedShape(ofFeedAt: directory.write(text, to: file))
  }

  @Test("Each CSV field gets the narrowest type, and is optional if a row has no value")
  func columns() throws {
    let shape = try shape(
      """
      id,whole,real,code,flag,day,mixed,none,uuid
      1,-3,1.5,007,true,2019-01-02,1,,3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A
      2,,2,008,false,2019-01-03T10:00:00Z,x,,3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568B

      """)
    #expect(
      shape.fields.map(\.type) == [.int64, .int64, .double, .string, .boolean, .date, .string, .string, .uuid])
    #expect(shape.fields.map(\.nulls) == [0, 1, 0, 0, 0, 0, 0, 2, 0])
    #expect(shape.rows == 2 && shape.name == "tracks" && shape.entity == "Track")
    #expect(shape.key?.name == "id")
  }

  @Test("Values of JSON Lines keep their kinds: text is not read as a number; lists and objects are left out")
  func lines() throws {
    let shape = try shape(
      """
      {"ISBN": "978", "pages": 12, "price": 3, "tags": [1], "when": "2020-01-01"}

      {"ISBN": "979", "pages": null, "price": 2.5, "live": true}
      """, file: "books.jsonl")
    #expect(shape.fields.map(\.name) == ["ISBN", "pages", "price", "when", "live"])
    #expect(shape.fields.map(\.type) == [.string, .int64, .double, .date, .boolean])
    #expect(shape.fields.map(\.nulls) == [0, 1, 0, 1, 1])
    #expect(shape.key?.name == "ISBN" && shape.entity == "Book")
  }

  @Test("A JSON field with values of several kinds is left out, like lists and objects")
  func kinds() throws {
    let shape = try shape(
      """
      {"id": "a", "x": 1, "flag": true, "day": "2020-01-01", "list": [1], "part": {"n": 1}, "real": 1}
      {"id": "b", "x": "a", "flag": 1, "day": 7, "list": null, "part": "none", "real": 1.5}
      """, file: "kinds.jsonl")
    #expect(shape.fields.map(\.name) == ["id", "real"])
    #expect(shape.otherFields == ["x", "flag", "day", "list", "part"])
  }

  @Test("A field with a name that no column can have gets a valid one, and no two get the same")
  func names() throws {
    let shape = try shape("Page Count,page_count,ISBN No.,1st,日本,pageCount\n1,1,1,1,1,1\n")
    #expect(shape.fields.map(\.attribute) == ["pageCount", "page_count", "isbnNo", "field1st", "field", "pageCount2"])
    let file = try directory.write("a\n1\n", to: "2018 cities.csv")
    #expect(try FeedShape(ofFeedAt: file).name == "feed-2018-cities")
    #expect(try FeedShape(ofFeedAt: file).entity == "Row2018City")
  }

  @Test(
    "Columns with a separator other than a comma are refused, because they would become one",
    arguments: [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")])
  func otherSeparators(separator: String, name: String) throws {
    let error = #expect(throws: SourceError.self) {
      try shape("id,name,price\n1,a,2.5\n2,b,3\n".replacing(",", with: separator))
    }
    #expect(error?.found == "columns separated by \(name)" && error?.place == .line(1))
    #expect(try shape("a;b\n1\n").fields.map(\.name) == ["a;b"])
  }

  @Test("A field with a repeated value is no key, and among few rows only a field's name makes it one")
  func keys() throws {
    #expect(try shape("id,n\n1,1\n1,2\n").key == nil)
    #expect(try shape("a,n\n1,1\n2,2\n").key == nil)
    let large = ["9007199254740992", "9007199254740993"].map { "{\"id\": \($0)}\n" }.joined()
    #expect(try shape(large, file: "large.jsonl").key?.name == "id")
    let many = "n,x\n" + (0..<100).map { "\($0),\($0 % 7)\n" }.joined()
    #expect(try shape(many).key?.name == "n")
  }

  @Test("An earthquake feed gets the attributes that scenarios know")
  func survey() throws {
    #expect(
      try shape("time,mag,id\n2018-06-12T16:38:28.820Z,1.5,a\n").fields.map(\.attribute) == [
        "time", "magnitude", "code",
      ])
    #expect(try shape("time,mag,id\n2018-06-12T16:38:28.820Z,1.5,a\n").entity == "Quake")
  }

  @Test("A file that is not a feed is refused with the line")
  func refusals() throws {
    let error = #expect(throws: SourceError.self) { try shape("{\"a\": 1}\n{\"a\": }\n", file: "a.jsonl") }
    #expect(error?.description.contains("a.jsonl: line 2: found") == true, "\(String(describing: error))")
    #expect(throws: SourceError.self) { try shape("a,a\n1,2\n") }
    #expect(throws: SourceError.self) { try shape("[1]") }
  }
}

extension FeedShapeTests {
  @Test(
    "A feed without a field that an attribute can hold is refused, and its fields are named",
    arguments: [
      ("{\"a\": 1, \"b\": [1]}\n{\"a\": \"x\"}\n", "no field but a, b"), ("{}\n{}\n", "rows without fields"),
    ])
  func noFields(text: String, found: String) throws {
    let error = #expect(throws: SourceError.self) { try shape(text, file: "none.jsonl") }
    #expect(error?.found == found, "\(String(describing: error))")
  }
}

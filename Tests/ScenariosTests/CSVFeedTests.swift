// Feeds in CSV: quoting, numbers and nulls of every shape, and every kind of damage.
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · CSV feeds", .tags(.a8))
struct CSVFeedTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func rows(_ text: String, of entity: EntityDescription = quake.allOptional) throws -> ColumnarRows {
    try SourceDescription.feed(path: directory.write(text, to: "feed.csv")).rows(for: entity)
  }

  /// The complaint about a text, without the file's path.
  private func complaint(_ text: String, of entity: EntityDescription = quake.allOptional) throws -> String? {
    let error = #expect(throws: SourceError.self) { try rows(text, of: entity) }
    #expect(error?.isUnreadable == false)
    return error?.description.replacing(directory.path + "/", with: "")
  }

  private let header = "time,mag,place,id\n"

  @Test("A header of 100,000 names is read in linear time, and a message quotes a page of it at most")
  func wideHeader() throws {
    let names = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
    let entity = EntityDescription("Quake", attributes: [AttributeDescription("code", .string)])
    let found = try #require(try complaint(names + "\n", of: entity))
    #expect(found.hasPrefix("feed.csv: found no field for the attribute 'code' of Quake; expected one of c0, c1"))
    #expect(found.utf8.count < 10_000)
    #expect(try complaint(names + ",c5\n", of: entity)?.contains("found the column 'c5' twice") == true)
  }

  @Test("A million doubled quotes and a million blank lines are read in linear time")
  func longRuns() throws {
    let entity = optionalEntity(("code", .string))
    let quoted = try rows("code\n\"\(String(repeating: "\"\"", count: 1_000_000))\"\n", of: entity)
    #expect(try quoted.texts("code") == [String(repeating: "\"", count: 1_000_000)])
    let blank = try rows("code\n\(String(repeating: "\n", count: 1_000_000))us1\n\n\n", of: entity)
    #expect(blank.count == 1_000_001)
    #expect(try blank.texts("code").last == "us1")
  }

  @Test("Quotes, doubled quotes, line ends and commas in quotes, CRLF, a byte-order mark and non-ASCII text are read")
  func anomalies() throws {
    let feed = try rows(oddCSV)
    #expect(feed.count == 4)
    #expect(feed.entityName == "Quake")
    #expect(try feed.texts("code") == ["hv70256866", "us1000ep7p", "ci1", "ci2"])
    #expect(
      try feed.texts("place") == ["4km SW of Volcano, Hawaii", "5km \"up\", Piñon Hills", "two\r\nlines", "日本 🌋"])
    #expect(try feed.reals("magnitude") == [1.74, nil, -0.66, 10])
    #expect(try feed.reals("time") == [550_514_308.82, 550_511_842.33, 550_511_626, 550_504_426])
  }

  @Test("Numbers of every shape are read, and negative zero as zero")
  func numbers() throws {
    let feed = try rows(
      oddCSV,
      of: optionalEntity(
        ("latitude", .double), ("longitude", .double), ("depth", .float), ("nst", .int16), ("magType", .string)))
    #expect(try feed.reals("latitude") == [19.4, 12.3582, 10, 5])
    #expect(try feed.reals("longitude").map { $0?.sign } == [.minus, .minus, .plus, .plus])
    #expect(try feed.reals("depth") == [Double(Float(0.47)), 10, -0.5, 100])
    #expect(try feed.integers("nst") == [14, nil, 7, 7])
    #expect(try feed.texts("magType") == ["md", "mb", nil, "ml"])
  }
}

extension CSVFeedTests {
  @Test("Additional columns of the file are parsed by the attribute's type", .tags(.d1))
  func ownColumns() throws {
    let text = """
      id,flag,other,big,key,bytes,link,price,at
      a,true,0,9223372036854775807,3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A,AQID,https://example.org/,12.5,2001-01-01
      b,false,1,-2.0,,,,,

      """
    let feed = try rows(
      text,
      of: optionalEntity(
        ("flag", .boolean), ("other", .boolean), ("big", .int64), ("key", .uuid), ("bytes", .binary), ("link", .uri),
        ("price", .decimal), ("at", .date)))
    #expect(try feed.integers("flag") == [1, 0])
    #expect(try feed.integers("other") == [0, 1])
    #expect(try feed.integers("big") == [.max, -2])
    #expect(try feed.blobs("key").map { $0?.prefix(2) } == [[0x3E, 0x46], nil])
    #expect(try feed.blobs("key").first??.count == 16)
    #expect(try feed.blobs("bytes") == [[1, 2, 3], nil])
    #expect(try feed.texts("link") == ["https://example.org/", nil])
    #expect(try feed.reals("price") == [12.5, nil])
    #expect(try feed.reals("at") == [0, nil])
  }

  @Test("A required attribute without a value is refused with the line; one with a default is not")
  func requiredValues() throws {
    let row = "2018-06-12T16:38:28.820Z,1,a,x\n"
    #expect(
      try complaint(header + row + "2018-06-12T16:38:28.820Z,1,a,\n", of: quake)
        == "feed.csv: line 3, column 30: found no value for the attribute 'code', which is required; expected text")
    #expect(
      try complaint(header + row + ",1,a,y\n", of: quake)
        == "feed.csv: line 3, column 1: found no value for the attribute 'time', which is required; expected a time such as "
        + "2018-06-12T16:38:28.820Z")
    var defaulted = quake
    for index in defaulted.attributes.indices where defaulted.attributes[index].name == "code" {
      defaulted.attributes[index].defaultValue = .string("none")
    }
    #expect(try rows(header + row + "2018-06-12T16:38:28.820Z,,,\n", of: defaulted).texts("code") == ["x", nil])
  }

  @Test(
    "LF, CRLF, a missing last line end and blank lines at the end make no difference",
    arguments: ["", "\n", "\r\n", "\r", "\n\n\r\n"])
  func lineEnds(end: String) throws {
    #expect(try rows(header + ",1,a,x\n,2,b,y" + end).count == 2)
    #expect(try rows((header + ",1,a,x\n,2,b,y").replacing("\n", with: "\r\n") + end).count == 2)
  }
}

extension CSVFeedTests {
  @Test("A ragged row is refused with its line, which quoted line ends do not upset")
  func ragged() throws {
    #expect(
      try complaint(header + ",1,a,x\n,2,b\n") == "feed.csv: line 3: found 3 fields; expected 4, as in the header")
    #expect(
      try complaint(header + ",1,\"a\n\nb\",x\n,2,b,y,z\n")
        == "feed.csv: line 5: found 5 fields; expected 4, as in the header")
    #expect(
      try complaint(header + ",1,a,x\n\n,2,b,y\n") == "feed.csv: line 3: found 1 field; expected 4, as in the header")
    #expect(
      try complaint(String(oddCSV.dropLast(25))) == "feed.csv: line 6: found 6 fields; expected 10, as in the header")
  }

  @Test(
    "Broken quoting is refused with its line",
    arguments: [
      (
        ",1,\"a,x\n,2,b,y\n",
        "line 2: found a quote that is never closed; expected a closing quote before the end of the file"
      ),
      (
        ",1,a\"b,x\n",
        "line 2: found a quote inside a field without quotes; expected the whole field in quotes and the quote doubled"
      ),
      (",1,\"a\"b,x\n", "line 2: found text after a closing quote; expected a comma or a line end"),
      (",1,a\rb,x\n", "line 2: found a carriage return inside a field without quotes; expected a line feed after it"),
      (",1,a,\"", "line 2: found a quote that is never closed; expected a closing quote before the end of the file"),
    ])
  func quoting(text: String, expected: String) throws {
    #expect(try complaint(header + text) == "feed.csv: \(expected)")
  }

  @Test(
    "A value that its attribute cannot hold is refused with its line",
    arguments: [
      (
        "2018-06-12T16:38:28Z,much,a,x",
        "line 2, column 22: found 'much' for the attribute 'magnitude'; expected a number"
      ),
      ("2018-06-12T16:38:28Z, 5,a,x", "line 2, column 22: found ' 5' for the attribute 'magnitude'; expected a number"),
      (
        "2018-06-12T16:38:28Z,1e999,a,x",
        "line 2, column 22: found '1e999' for the attribute 'magnitude'; expected a number"
      ),
      (
        "2018-06-12T16:38:28Z,nan,a,x",
        "line 2, column 22: found 'nan' for the attribute 'magnitude'; expected a number"
      ),
      (
        "yesterday,1,a,x",
        "line 2, column 1: found 'yesterday' for the attribute 'time'; expected a time such as 2018-06-12T16:38:28.820Z"
      ),
    ])
  func values(row: String, expected: String) throws {
    #expect(try complaint(header + row) == "feed.csv: \(expected)")
  }
}

extension CSVFeedTests {
  @Test("Numbers of integer attributes are whole and in range", .tags(.d1))
  func integers() throws {
    let text = "id,small,flag\na,1,1\nb,40000,0\n"
    #expect(
      try complaint(text, of: optionalEntity(("small", .int16)))
        == "feed.csv: line 3, column 3: found 40000 for the attribute 'small'; expected a whole number from -32768 to 32767"
    )
    #expect(try rows(text, of: optionalEntity(("small", .int32))).integers("small") == [1, 40000])
    #expect(
      try complaint("id,small\na,1.5\n", of: optionalEntity(("small", .int64)))
        == "feed.csv: line 2, column 3: found 1.5 for the attribute 'small'; expected a whole number of 64 bits")
    #expect(
      try complaint("id,flag\na,2\n", of: optionalEntity(("flag", .boolean)))
        == "feed.csv: line 2, column 3: found 2 for the attribute 'flag'; expected true or false")
    #expect(
      try complaint("id,big\na,1e300\n", of: optionalEntity(("big", .float)))?.hasPrefix(
        "feed.csv: line 2, column 3: found 1e+300")
        == true)
  }

  @Test("An attribute without a column is refused with the columns and the nearest")
  func missingColumn() throws {
    #expect(
      try complaint(header + ",1,a,x", of: optionalEntity(("magnitud", .double)))
        == "feed.csv: found no field for the attribute 'magnitud' of Quake; expected one of time, magnitude, place, "
        + "code; did you mean 'magnitude'?")
  }

  @Test("A feed without rows, with a column twice, or without a header is refused")
  func headers() throws {
    #expect(try complaint(header) == "feed.csv: found a header without rows; expected at least one row")
    #expect(
      try complaint("time,mag,mag,place,id\n")
        == "feed.csv: line 1: found the column 'mag' twice; expected each once")
    #expect(
      try complaint("Dear Sir,\nhello\n")
        == "feed.csv: line 1: found 'Dear Sir,'; expected a header with the names of fields, such as "
        + "code,magnitude,place,time")
  }

  @Test("A feed truncated inside a row is refused")
  func truncated() throws {
    let whole = header + "2018-06-12T16:38:28Z,1,\"a, b\",x1\n2018-06-12T16:38:28Z,2,\"c, d\",x2"
    let bytes = Array(whole.utf8)
    // From the second byte of the first row to before the code of the last row.
    for length in header.utf8.count + 1..<bytes.count - 2 where bytes[length - 1] != UInt8(ascii: "\n") {
      let text = String(decoding: bytes[..<length], as: UTF8.self)
      guard !text.hasSuffix("x1") && !text.hasSuffix(",x") && !text.hasSuffix("\",") else { continue }
      _ = try complaint(text)
    }
  }
}

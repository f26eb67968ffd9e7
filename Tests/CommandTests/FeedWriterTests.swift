// Feeds that `generate` writes: difficult values are read back unchanged.
import Foundation
import CoreDataModel
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@testable import BatchmarkCLI

@Suite("A8 · written feeds", .tags(.a8))
struct FeedWriterTests {
  /// Rows of two attributes with everything that could break a format.
  private let texts: [String?] = [
    "plain", "a, b", "say \"what\"", "back\\slash", "two\nlines", "tab\there", "Öhringen · 東京", nil,
  ]
  private let entity = EntityDescription(
    "Quake",
    attributes: [
      AttributeDescription("code", .string), AttributeDescription("place", .string, isOptional: true),
      AttributeDescription("magnitude", .double, isOptional: true), AttributeDescription("time", .date),
    ])

  private var rows: ColumnarRows {
    let numbers: [Double?] = [1, -0.5, 1e-7, 123_456.789, nil, 6.1, 0.1 + 0.2, 1e20]
    // From before 1970 to after 2001, with milliseconds.
    let times: [Double?] = [
      -1_000_000_000.5, -978_307_200.001, 0, 0.001, 550_000_000.82, 5_000_000_000, 94_694_399, -1,
    ]
    return ColumnarRows(
      entityName: "Quake", attributes: entity.attributes,
      columns: [
        .text(bytes(texts.indices.map { "us\($0)" })), .text(bytes(texts)),
        .reals(NumberColumn(numbers, placeholder: 0)), .reals(NumberColumn(times, placeholder: 0)),
      ], count: texts.count)
  }

  private func bytes(_ texts: [String?]) -> BytesColumn {
    var bytes: [UInt8] = []
    var starts = [0]
    for text in texts {
      bytes += Array((text ?? "").utf8)
      starts.append(bytes.count)
    }
    return BytesColumn(bytes: bytes, starts: starts, nulls: texts.map { $0 == nil })
  }

  @Test(
    "Every value comes back: quotes, commas, line feeds, other scripts, nulls, numbers, times",
    arguments: FeedFormat.allCases)
  func roundTrip(format: FeedFormat) throws {
    let workspace = try Workspace()
    let path = workspace.path + "/feed"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    try FeedWriter(rows: rows).write(
      as: format, to: try #require(FileHandle(forWritingAtPath: path)), path: path)
    let read = try SourceDescription.feed(path: path).rows(for: entity)
    #expect(read.count == rows.count)
    for (found, expected) in zip(read.columns, rows.columns) {
      for row in 0..<rows.count { #expect(value(found, row) == value(expected, row), "row \(row)") }
    }
  }

  private func value(_ column: Column, _ row: Int) -> String? {
    switch column {
    case .integers(let numbers): numbers[row].map { "\($0)" }
    case .reals(let numbers): numbers[row].map { "\($0)" }
    case .text(let texts), .blobs(let texts): texts[row].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(
    "Times are written in UTC, leap days and years before 1970 included",
    arguments: [
      (0.0, "2001-01-01T00:00:00.000Z"), (550_514_308.82, "2018-06-12T16:38:28.820Z"),
      (-978_307_200, "1970-01-01T00:00:00.000Z"), (-978_307_200.001, "1969-12-31T23:59:59.999Z"),
      (-26_524_800, "2000-02-29T00:00:00.000Z"), (720_575_999, "2023-11-01T23:59:59.000Z"),
    ])
  func times(seconds: Double, text: String) {
    #expect(FeedTime(seconds).iso8601 == text)
  }
}

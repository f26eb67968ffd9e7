// Writes rows as a USGS feed in CSV or GeoJSON that the feed reader reads back unchanged.
internal import CoreDataModel
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import ObjectGraph
internal import BatchmarkEngine

/// The formats of feeds: the two that the USGS offers, and JSON Lines.
enum FeedFormat: String, CaseIterable, ExpressibleByArgument {
  case csv, geojson, jsonl
}

/// Writes rows of the generator's fields.
struct FeedWriter {
  private let columns: [String: FeedColumn]
  private let count: Int
  private let rows: ColumnarRows

  init(rows: ColumnarRows) {
    self.rows = rows
    columns = Dictionary(
      zip(rows.attributes, rows.columns).map { ($0.name, FeedColumn(column: $1, isDate: $0.type == .date)) },
      uniquingKeysWith: { first, _ in first })
    count = rows.count
  }

  /// Writes the whole feed, a megabyte at a time; O(rows) time, constant memory.
  ///
  /// - Throws: ``OutputError`` if the file cannot be written.
  func write(as format: FeedFormat, to file: FileHandle, path: String) throws(OutputError) {
    if format == .jsonl { return try RowWriter(rows).write(as: .jsonl, to: file, path: path) }
    var buffer = FeedBuffer()
    switch format {
    case .jsonl: break
    case .csv: csvHeader(&buffer)
    case .geojson: buffer.add("{\"type\":\"FeatureCollection\",\"metadata\":{\"count\":\(count)},\"features\":[\n")
    }
    for row in 0..<count {
      switch format {
      case .jsonl: break
      case .csv: csvRow(row, &buffer)
      case .geojson:
        feature(row, &buffer)
        buffer.add(row < count - 1 ? ",\n" : "\n")
      }
      if buffer.bytes.count > 1 << 20 { try buffer.flush(to: file, path) }
    }
    if format == .geojson { buffer.add("]}\n") }
    try buffer.flush(to: file, path)
  }
}

// MARK: - CSV

extension FeedWriter {
  /// The columns in the feeds' order, with their fields.
  private static let csvColumns: [(name: String, field: String)] = [
    ("time", "time"), ("latitude", "latitude"), ("longitude", "longitude"), ("depth", "depth"),
    ("mag", "magnitude"), ("magType", "magType"), ("nst", "nst"), ("gap", "gap"), ("dmin", "dmin"), ("rms", "rms"),
    ("net", "net"), ("id", "code"), ("updated", "updated"), ("place", "place"), ("type", "type"),
    ("status", "status"),
  ]

  private func csvHeader(_ buffer: inout FeedBuffer) {
    buffer.add(FeedWriter.csvColumns.map(\.name).joined(separator: ",") + "\n")
  }

  private func csvRow(_ row: Int, _ buffer: inout FeedBuffer) {
    for (index, column) in FeedWriter.csvColumns.enumerated() {
      if index > 0 { buffer.add(",") }
      switch columns[column.field]?.value(row) {
      case .text(let bytes): buffer.addCSV(bytes)
      case .number(let text): buffer.add(text)
      case .time(let time): buffer.add(time.iso8601)
      case nil: break
      }
    }
    buffer.add("\n")
  }
}

// MARK: - GeoJSON

extension FeedWriter {
  private static let coordinates = ["longitude", "latitude", "depth"]

  /// Properties with the feeds' names.
  ///
  /// The id and the coordinates are not among them.
  private static let properties: [(name: String, field: String)] = csvColumns.compactMap { column in
    column.name == "id" || coordinates.contains(column.name) ? nil : column
  }

  private func feature(_ row: Int, _ buffer: inout FeedBuffer) {
    buffer.add("{\"type\":\"Feature\",\"properties\":{")
    for (index, property) in FeedWriter.properties.enumerated() {
      buffer.add("\(index > 0 ? "," : "")\"\(property.name)\":")
      json(property.field, row, &buffer)
    }
    buffer.add("},\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    for (index, coordinate) in FeedWriter.coordinates.enumerated() {
      if index > 0 { buffer.add(",") }
      json(coordinate, row, &buffer)
    }
    buffer.add("]},\"id\":")
    json("code", row, &buffer)
    buffer.add("}")
  }

  private func json(_ field: String, _ row: Int, _ buffer: inout FeedBuffer) {
    switch columns[field]?.value(row) {
    case .text(let bytes): buffer.addJSON(bytes)
    case .number(let text): buffer.add(text)
    case .time(let time): buffer.add(String(time.milliseconds))
    case nil: buffer.add("null")
    }
  }
}

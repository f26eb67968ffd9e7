// Writes all files of a watched program together, and its lines for a terminal.
package import Analysis
internal import Support

/// Writes the results of `watch`.
package enum WatchWriter {
  /// Writes every file into a folder and replaces older ones with the same name.
  ///
  /// A reader never sees an incomplete file.
  ///
  /// - Returns: The path of the page in Markdown.
  /// - Throws: ``ReportError``.
  @discardableResult
  package static func write(_ report: WatchReport, into folder: String) throws(ReportError) -> String {
    let json = try json(report)
    let files = [
      ("databases.csv", WatchCSV.databases(report)), ("statements.csv", WatchCSV.statements(report)),
      ("connections.csv", WatchCSV.connections(report)), ("growth.csv", WatchCSV.growth(report)),
      ("wal.csv", WatchCSV.logs(report)), ("watch.json", json),
    ]
    let document = WatchDocument.document(report, files: files.map(\.0))
    let page = "\(folder)/watch.md"
    let texts = [
      (path: page, text: document.markdown),
      (
        path: "\(folder)/watch.html",
        text: Page(title: "What \(report.program) does with SQLite", document: document).html
      ),
    ]
    try publish(texts + files.map { (path: "\(folder)/\($0.0)", text: $0.1) }, document.pictures, in: folder)
    return page
  }

  /// The text of `watch.json`.
  ///
  /// - Throws: ``ReportError``.
  package static func json(_ report: WatchReport) throws(ReportError) -> String {
    try StoredJSON.render(report, file: "watch.json")
  }

  /// The output on a terminal when the program has ended: one line per finding, or a line that says there is none.
  package static func lines(_ report: WatchReport) -> [String] {
    var lines = report.gaps.map(WatchProse.sentence)
    for finding in report.findings {
      lines.append("\(finding.kind.number). \(Markdown.plain(WatchProse.title(finding)))")
    }
    if report.findings.isEmpty {
      lines.append(report.databases.isEmpty ? "no database was opened that could be metered, 0 findings" : "0 findings")
    }
    return lines
  }

  /// One line of JSON, for `--json -`.
  ///
  /// - Throws: ``ReportError``.
  package static func line(_ moment: WatchReport.Moment) throws(ReportError) -> String {
    let text = try StoredJSON.render(moment, file: "standard output")
    return text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ") + "\n"
  }

  /// The table on a terminal while the program runs: a title and one line per statement, in columns of equal width.
  ///
  /// - Parameters:
  ///   - statements: The statements to show.
  ///   - seconds: The time since the last reading.
  /// - Returns: Its lines; empty without statements.
  package static func table(_ statements: [WatchReport.Busy], seconds: Double) -> [String] {
    if statements.isEmpty { return [] }
    let rows =
      [("runs", "runs/s", "time", "statement")]
      + statements.map {
        (
          Digits.grouped($0.runs), HumanUnits.rate(Double($0.newRuns) / seconds), HumanUnits.time($0.seconds),
          $0.text.onOneLine
        )
      }
    let widths = (
      rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0, rows.map(\.2.count).max() ?? 0
    )
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return rows.map { row in
      "\(right(row.0, widths.0))  \(right(row.1, widths.1))  \(right(row.2, widths.2))  \(row.3)"
    }
  }

  /// The line on a terminal while the program runs.
  package static func status(_ moment: WatchReport.Moment, since earlier: WatchReport.Moment, busiest: String?)
    -> [String]
  {
    let seconds = max(moment.seconds - earlier.seconds, 0.001)
    func rate(_ now: Int64, _ before: Int64) -> String { HumanUnits.rate(Double(max(0, now - before)) / seconds) }
    var parts = [
      "\(rate(moment.commits, earlier.commits)) transactions/s",
      "\(rate(moment.rowsChanged, earlier.rowsChanged)) rows/s",
      "WAL \(HumanUnits.bytes(moment.walBytes))",
    ]
    if let bytes = moment.residentBytes { parts.append("resident \(HumanUnits.bytes(bytes))") }
    if let bytes = moment.heapBytes { parts.append("heap \(HumanUnits.bytes(bytes))") }
    if let busiest { parts.append(busiest.onOneLine.cut(to: 60)) }
    return parts
  }
}

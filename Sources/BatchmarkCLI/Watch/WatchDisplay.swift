// The display while a watched program runs: a line or a table, both overwritten.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports

/// The display on a terminal.
struct WatchDisplay {
  let isLive: Bool
  private var line = OverwrittenLine()
  /// The number of lines of the table to overwrite.
  private var shown = 0
  /// The runs of each statement at the last reading.
  private var runsBefore: [MeterReading.Statement.Identity: Int64] = [:]

  init(isLive: Bool) { self.isLive = isLive }

  /// The most statements in the table.
  private static let most = 8

  mutating func show(_ now: WatchReport.Moment, since before: WatchReport.Moment, _ meters: WatchedMeters) {
    guard line.isTerminal else { return }
    let busiest = busiestStatements(meters)
    let parts = WatchWriter.status(now, since: before, busiest: nil)
    let columns = max((Console.Stream.error.columns ?? 80) - 1, 20)
    guard isLive else { return showLine(parts, busiest: busiest.first?.text.onOneLine ?? "", columns: columns) }
    let table = WatchWriter.table(busiest, seconds: max(now.seconds - before.seconds, 0.001))
    let lines = ([parts.joined(separator: " · ")] + table).map { String($0.onOneLine.prefix(columns)) }
    // Move to the first of them, and clear everything from there.
    let start = shown > 0 ? "\u{1B}[\(shown)A\r\u{1B}[J" : ""
    Console.write(encoded: start + lines.map { $0 + "\n" }.joined())
    shown = lines.count
  }

  /// The statement gets the rest of the line.
  private mutating func showLine(_ parts: [String], busiest: String, columns: Int) {
    let room = columns - parts.joined(separator: " · ").count - 3
    let whole = room >= 12 && !busiest.isEmpty ? [parts + [String(busiest.prefix(room))]] : []
    line.rewrite(whole + [parts, Array(parts.prefix(3)), Array(parts.prefix(1))])
  }

  mutating func clear() {
    line.clear()
    if shown > 0 { Console.write(encoded: "\u{1B}[\(shown)A\r\u{1B}[J") }
    shown = 0
  }

  /// The statements with the most time so far, over all processes.
  private mutating func busiestStatements(_ meters: WatchedMeters) -> [WatchReport.Busy] {
    var busy: [MeterReading.Statement.Identity: WatchReport.Busy] = [:]
    for statement in meters.read().readings.flatMap(\.statements) where statement.runs > 0 && !statement.text.isEmpty {
      let share = Double(statement.runs) / Double(max(statement.timedRuns, 1))
      let seconds = Double(statement.timedNanoseconds) / 1e9 * share
      busy[statement.identity, default: .init(text: statement.text)].add(runs: statement.runs, seconds: seconds)
    }
    let busiest = busy.sorted { ($0.value.seconds, $1.value.text) > ($1.value.seconds, $0.value.text) }
    defer { runsBefore = busy.mapValues(\.runs) }
    return busiest.prefix(WatchDisplay.most).map { identity, statement in
      var statement = statement
      statement.newRuns = max(0, statement.runs - (runsBefore[identity] ?? 0))
      return statement
    }
  }
}

// What is shown while a watched program runs: a line that is written over, a table, or lines of JSON.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports

/// What a terminal shows.
struct WatchDisplay {
  let isLive: Bool
  private var line = OverwrittenLine()
  /// Lines of the table that are written over.
  private var shown = 0

  init(isLive: Bool) { self.isLive = isLive }

  /// Statements of the table.
  private static let most = 8

  mutating func show(_ now: WatchReport.Moment, since before: WatchReport.Moment, _ meters: WatchedMeters) {
    guard line.isTerminal else { return }
    let busiest = busiestStatements(meters)
    let parts = WatchWriter.status(now, since: before, busiest: isLive ? nil : busiest.first)
    guard isLive else { return line.rewrite([parts, Array(parts.prefix(3)), Array(parts.prefix(1))]) }
    let columns = max((Console.Stream.error.columns ?? 80) - 1, 20)
    let lines = ([parts.joined(separator: " · ")] + busiest.map { "  \($0.onOneLine)" }).map {
      String($0.prefix(columns))
    }
    // Up to the first of them, and from there on nothing.
    let start = shown > 0 ? "\u{1B}[\(shown)A\r\u{1B}[J" : ""
    Console.write(encoded: start + lines.map { $0 + "\n" }.joined())
    shown = lines.count
  }

  mutating func clear() {
    line.clear()
    if shown > 0 { Console.write(encoded: "\u{1B}[\(shown)A\r\u{1B}[J") }
    shown = 0
  }

  private func busiestStatements(_ meters: WatchedMeters) -> [String] {
    let statements = meters.read().readings.flatMap(\.statements).filter { $0.timedRuns > 0 && !$0.text.isEmpty }
    func seconds(_ statement: MeterReading.Statement) -> Double {
      Double(statement.timedNanoseconds) / Double(statement.timedRuns) * Double(statement.runs)
    }
    return statements.sorted { seconds($0) > seconds($1) }.prefix(WatchDisplay.most).map(\.text)
  }
}

/// A line of JSON for each second.
final class WatchLines {
  private let file: FileHandle

  /// - Throws: ``CommandError`` where the file cannot be written.
  init(to path: String) throws(CommandError) {
    if path == "-" {
      file = .standardOutput
      return
    }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw CommandError(.unwritableOutput, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(file.fileDescriptor, F_SETFD, FD_CLOEXEC)
    self.file = file
  }

  /// What nobody reads any more is nobody's concern.
  func write(_ moment: WatchReport.Moment) {
    guard let line = try? WatchWriter.line(moment) else { return }
    try? file.write(contentsOf: Data(line.utf8))
  }
}

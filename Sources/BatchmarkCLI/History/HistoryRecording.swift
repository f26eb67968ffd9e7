// A run becomes part of a history.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// Adds runs to a history.
struct HistoryRecording {
  let folder: HistoryFolder

  /// Adds a run.
  ///
  /// - Parameters:
  ///   - run: A run's folder, or its results.json.
  ///   - commit: What it measured; nil for what the run recorded.
  /// - Returns: The statuses to end with: cells with failed samples are left out and named.
  /// - Throws: ``CommandError`` for a run without a commit, ``ReportError`` for files.
  func add(_ run: String, commit: String?) throws -> [CommandStatus] {
    let results = try StoredResults(run).results
    let allowsDebug = ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] == "1"
    let record: HistoryRecord
    do {
      record = try HistoryRecord(results, commit: commit, allowsDebug: allowsDebug)
    } catch {
      throw CommandError(.notComparable, "\(run): \(error.description)")
    }
    let earlier = (try? folder.read().records.map(\.record)) ?? []
    let (file, isNew) = try folder.add(record)
    try Console.output("\(file.onOneLine)\n")
    if !isNew { Console.complain("\(run): the history has this run already") }
    for change in record.cellChanges(since: earlier) { Console.complain(folding: "warning: \(change.description)") }
    let leftOut = HistoryRecord.leftOut(of: results)
    for cell in leftOut { Console.complain("\(cell) is left out: a sample failed or is missing") }
    return leftOut.isEmpty ? [] : [.failedSamples]
  }
}

// Adds a run to a history.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

extension HistoryFolder {
  /// Adds a run.
  ///
  /// - Parameters:
  ///   - run: A run's folder, or its results.json.
  ///   - commit: The commit that it measured; `nil` for the recorded one.
  ///   - format: The output format.
  /// - Returns: What was added, and the exit status. Cells with failed samples are skipped and reported.
  /// - Throws: ``CommandError`` if the run has no commit, ``ReportError`` for file errors.
  func record(_ run: String, commit: String?, format: OutputFormat) throws -> (
    document: HistoryAddDocument, status: CommandStatus
  ) {
    let results = try StoredResults(run).results
    let allowsDebug = ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] == "1"
    let record: HistoryRecord
    do {
      record = try HistoryRecord(results, commit: commit, allowsDebug: allowsDebug)
    } catch {
      throw CommandError(.notComparable, "\(run): \(error.description)")
    }
    let earlier = (try? read().records.map(\.record)) ?? []
    let (file, isNew) = try add(record)
    try format.output("\(file.onOneLine)\n")
    if !isNew { Console.complain("\(run): the history already has this run; nothing was added") }
    let warnings = record.cellChanges(since: earlier).map(\.description)
    for warning in warnings { Console.complain(folding: "warning: \(warning)") }
    let leftOut = HistoryRecord.leftOut(of: results)
    for cell in leftOut { Console.complain("\(cell) is left out: a sample failed or is missing") }
    let document = HistoryAddDocument(
      file: file, commit: record.commit, runID: record.runID, isNew: isNew, warnings: warnings, leftOut: leftOut)
    return (document, leftOut.isEmpty ? .success : .failedSamples)
  }
}

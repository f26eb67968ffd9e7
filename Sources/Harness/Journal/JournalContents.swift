// Reads a journal back, even if the end of the run tore its last line.
internal import Foundation
internal import Support

/// The contents of a journal.
package struct JournalContents: Sendable {
  /// The first line.
  package let header: JournalHeader
  /// The complete lines after it.
  package let outcomes: [SampleOutcome]
  /// The length of all complete lines; anything after it is torn.
  package let completeBytes: Int

  /// Reads the journal of a run's folder; O(size).
  package init(directory: String) throws(JournalError) {
    let path = directory + "/" + Journal.fileName
    let bytes: Data
    do {
      bytes = Data(try InputFile.bytes(of: path, limit: .results))
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    var header: JournalHeader?
    var outcomes: [SampleOutcome] = []
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // After the last line feed there is either nothing or a line that was being written when the run ended.
    let torn = lines.popLast() ?? Data()
    completeBytes = bytes.count - torn.count
    for (index, line) in lines.enumerated() {
      if let obstacle = line.withUnsafeBytes(Nesting.obstacle(json:)) {
        throw .damaged(path: path, line: index + 1, reason: obstacle)
      }
      if index == 0 {
        header = try JournalContents.header(line, path: path)
      } else {
        outcomes.append(try JournalContents.outcome(line, number: index + 1, path: path))
      }
    }
    guard let header else { throw .empty(path: path) }
    self.header = header
    self.outcomes = outcomes
  }

  /// The first line, decoded for its header only.
  struct FirstLine: Codable {
    var header: JournalHeader
  }

  private static func header(_ line: Data, path: String) throws(JournalError) -> JournalHeader {
    // Check the format first: a later header may have members that this build does not know.
    let members = try? JSONSerialization.jsonObject(with: line) as? [String: [String: Any]]
    if let format = members?["header"]?["format"] as? Int, format != JournalHeader.currentFormat {
      throw .format(path: path, found: format)
    }
    guard let first = try? JSONDecoder().decode(FirstLine.self, from: line) else {
      throw .damaged(path: path, line: 1, reason: "no header")
    }
    return first.header
  }

  private static func outcome(_ line: Data, number: Int, path: String) throws(JournalError) -> SampleOutcome {
    if let outcome = try? JSONDecoder().decode(SampleOutcome.self, from: line) { return outcome }
    let members = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
    let reason =
      if members?["header"] != nil {
        "a second header"
      } else if members?.isEmpty == true {
        "an empty object"
      } else {
        "an unreadable line"
      }
    throw .damaged(path: path, line: number, reason: reason)
  }
}

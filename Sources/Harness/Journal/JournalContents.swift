// Reading a journal back, also one whose last line was torn by whatever ended the run.
internal import Foundation
internal import Support

/// What a journal holds.
package struct JournalContents: Sendable {
  /// The first line.
  package let header: JournalHeader
  /// The complete lines after it.
  package let entries: [JournalEntry]
  /// The length of all complete lines; what follows is torn.
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
    var entries: [JournalEntry] = []
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // What follows the last line feed is nothing, or a line that was being written when the run ended.
    let torn = lines.popLast() ?? Data()
    completeBytes = bytes.count - torn.count
    for (index, bytes) in lines.enumerated() {
      let line = try JournalContents.line(bytes, number: index + 1, path: path)
      if index == 0 {
        header = line.header
      } else if let entry = line.entry {
        entries.append(entry)
      } else {
        throw .damaged(path: path, line: index + 1, reason: "a second header")
      }
    }
    guard let header else { throw .empty(path: path) }
    self.header = header
    self.entries = entries
  }

  private static func line(_ bytes: Data, number: Int, path: String) throws(JournalError) -> JournalLine {
    if let obstacle = bytes.withUnsafeBytes(Nesting.obstacle(json:)) {
      throw .damaged(path: path, line: number, reason: obstacle)
    }
    let decoder = JSONDecoder()
    let line: JournalLine
    do {
      if number == 1 {
        // The format is looked at first: a later header may have members that this one does not know.
        let format = try decoder.decode(FormatLine.self, from: bytes).header.format
        guard format == JournalHeader.currentFormat else { throw JournalError.format(path: path, found: format) }
      }
      line = try decoder.decode(JournalLine.self, from: bytes)
    } catch let error as JournalError {
      throw error
    } catch {
      throw .damaged(path: path, line: number, reason: number == 1 ? "no header" : "an unreadable line")
    }
    guard line.header != nil || line.entry != nil else {
      throw .damaged(path: path, line: number, reason: "an empty object")
    }
    return line
  }

  private struct FormatLine: Decodable {
    var header: Format
    struct Format: Decodable { var format: Int }
  }
}

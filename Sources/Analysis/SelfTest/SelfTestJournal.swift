// The live trials so far, written to disk one by one, so that an interrupted self-test can continue, and trials can be
// added.
internal import Foundation
package import Harness
internal import Support

/// A file of live trials with one cell and one set of rules.
///
/// Every trial names the build that made it.
package struct SelfTestJournal: Sendable {
  package static let fileName = "selftest.jsonl"

  /// What all trials of a log have in common; the first line of its file.
  package struct Header: Codable, Sendable, Hashable {
    package var schemaVersion = 1
    package var cell: String
    package var rows: Int
    package var scenarioFingerprint: String
    package var rules: PairRules

    package init(cell: String, rows: Int, scenarioFingerprint: String, rules: PairRules) {
      self.cell = cell
      self.rows = rows
      self.scenarioFingerprint = scenarioFingerprint
      self.rules = rules
    }
  }

  package let header: Header
  package private(set) var trials: [LiveTrial] = []
  private let path: String

  /// Opens the journal in a folder, or creates it.
  ///
  /// - Throws: ``SelfTestJournalError`` if the journal does not match or cannot be read, `OutputError` if it cannot be
  ///   written.
  package init(in folder: String, header: Header) throws {
    path = folder + "/" + SelfTestJournal.fileName
    self.header = header
    guard FileKind(atPathItself: path) != nil else {
      try SelfTestJournal.add(header, to: path)
      return
    }
    let data: Data
    do throws(InputFileError) {
      data = Data(try InputFile.bytes(of: path, limit: .results))
    } catch {
      throw OutputError.unwritable(path: path, reason: error.reason)
    }
    // A torn last line belongs to a trial that did not finish.
    let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { data[...$0] } ?? Data()
    let lines = whole.split(separator: UInt8(ascii: "\n"))
    let decoder = JSONDecoder()
    guard let first = lines.first, first.withUnsafeBytes(Nesting.obstacle(json:)) == nil,
      let found = try? decoder.decode(Header.self, from: first)
    else {
      throw SelfTestJournalError.unreadable(path: path, line: 1)
    }
    guard found == header else {
      throw SelfTestJournalError.other(path: path, SelfTestJournal.differences(found, header))
    }
    for (index, line) in lines.enumerated().dropFirst() {
      guard line.withUnsafeBytes(Nesting.obstacle(json:)) == nil,
        let trial = try? decoder.decode(LiveTrial.self, from: line)
      else {
        throw SelfTestJournalError.unreadable(path: path, line: index + 1)
      }
      trials.append(trial)
    }
    if whole.count < data.count { try cut(to: whole.count) }
  }

  /// Adds a trial, which is on disk before this returns.
  package mutating func append(_ trial: LiveTrial) throws {
    try SelfTestJournal.add(trial, to: path)
    trials.append(trial)
  }

  /// Truncates the file without touching the first bytes, so that complete lines stay on disk at every moment.
  private func cut(to count: Int) throws(OutputError) {
    guard truncate(path, off_t(count)) == 0 else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  private static func add(_ value: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Data((JSONText.escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n").utf8)
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw OutputError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { try? file.close() }
    do {
      try file.seekToEnd()
      try file.write(contentsOf: line)
      try file.synchronize()
    } catch {
      throw OutputError.unwritable(path: path, reason: OutputError.reason(error))
    }
  }

  private static func differences(_ found: Header, _ expected: Header) -> [String] {
    let parts: [(String, Bool)] = [
      ("cell", found.cell == expected.cell), ("rows", found.rows == expected.rows),
      ("scenario", found.scenarioFingerprint == expected.scenarioFingerprint),
      ("rules", found.rules == expected.rules),
    ]
    return parts.filter { !$0.1 }.map(\.0)
  }
}

/// A journal that cannot be continued.
package enum SelfTestJournalError: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(path: String, line: Int)
  /// The named parts of its header are different.
  case other(path: String, [String])

  package var description: String {
    switch self {
    case .unreadable(let path, let line):
      "\(path):\(line): found no line of a self-test; choose another folder with --out"
    case .other(let path, let parts):
      "\(path) is of another \(parts.joined(separator: ", of another ")): its trials cannot be added to; choose another "
        + "folder with --out"
    }
  }
}

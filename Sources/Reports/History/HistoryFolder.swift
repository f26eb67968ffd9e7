// The files of a history: one for each run, written once and never changed, and the file of accepted changes.
package import Analysis
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The folder of a history.
package struct HistoryFolder: Sendable {
  /// The default folder for a history.
  package static let standard = "Reports/history"

  package let path: String

  package init(_ path: String) { self.path = path }

  /// A file that is not a run's record.
  package struct Foreign: Sendable, Hashable {
    package let file: String
    package let problem: String

    package var description: String { "\(file) is left out: \(problem)" }
  }

  /// All records of the folder by file name, and other files with names of records.
  ///
  /// - Throws: ``ReportError`` if the folder cannot be read.
  package func read() throws(ReportError) -> (records: [(file: String, record: HistoryRecord)], foreign: [Foreign]) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw ReportError(file: path, problem: .noHistory)
    }
    var records: [(file: String, record: HistoryRecord)] = []
    var foreign: [Foreign] = []
    for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let file = FilePath(path).appending(name).string
      do {
        let record = try StoredJSON.read(
          HistoryRecord.self, at: file, schemaVersion: HistoryRecord.currentSchemaVersion)
        records.append((name, record))
      } catch {
        // Another command may have removed it since the folder was listed.
        if FileKind(atPathItself: file) == nil { continue }
        foreign.append(Foreign(file: file, problem: HistoryFolder.words(on: error)))
      }
    }
    return (records, foreign)
  }

  private static func words(on error: ReportError) -> String {
    switch error.problem {
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .otherSchema(let found, let expected):
      "it is a record of schema version \(found), expected \(expected); read it with the version of batchmark that wrote it"
    case .notResults(let details):
      "it is no record of a run, or was cut off (\(details)); take it out of the folder, or add its run again"
    default: error.description
    }
  }

  /// Adds a run.
  ///
  /// - Returns: The file, and whether it is new. An identical record is not written again.
  /// - Throws: ``ReportError`` if it cannot be written, or if another record has its name.
  package func add(_ record: HistoryRecord) throws(ReportError) -> (file: String, isNew: Bool) {
    let file = FilePath(path).appending(record.fileName).string
    let text = try StoredJSON.render(record, file: file)
    if FileKind(atPathItself: file) != nil {
      guard let found = try? readFile(file), found.elementsEqual(text.utf8) else {
        throw ReportError(file: file, problem: .otherRecord)
      }
      return (file, false)
    }
    try publish([(file, text)], in: path)
    return (file, true)
  }

  /// Removes a record's file by name.
  ///
  /// - Returns: Whether this call removed it. Another command may have done so already.
  /// - Throws: ``ReportError`` if it cannot be removed.
  package func remove(_ name: String) throws(ReportError) -> Bool {
    let file = FilePath(path).appending(name).string
    do {
      try FileManager.default.removeItem(atPath: file)
      return true
    } catch {
      if FileKind(atPathItself: file) == nil { return false }
      throw ReportError(file: file, problem: .unremovable(reason: OutputError.reason(error)))
    }
  }
}

/// The file of accepted changes.
package enum AcceptedChangesFile {
  /// The default path: in the current directory, so that it can be committed.
  package static let standard = "accepted-changes.json"

  /// The changes of a file; none if it does not exist.
  ///
  /// - Throws: ``ReportError`` if the file is something else.
  package static func read(_ path: String) throws(ReportError) -> AcceptedChanges {
    guard FileKind(at: path) != nil else { return AcceptedChanges() }
    do {
      return try StoredJSON.read(AcceptedChanges.self, at: path, schemaVersion: AcceptedChanges.currentSchemaVersion)
    } catch {
      guard case .notResults(let details) = error.problem else { throw error }
      throw ReportError(file: path, problem: .notAcceptedChanges(details: details))
    }
  }

  /// Writes the file and replaces an existing one.
  ///
  /// - Throws: ``ReportError`` if it cannot be written.
  package static func write(_ changes: AcceptedChanges, to path: String) throws(ReportError) {
    let folder = FilePath(path).removingLastComponent()
    try publish([(path, try StoredJSON.render(changes, file: path))], in: folder.isEmpty ? "." : folder.string)
  }
}

// What a session says or leaves out that its files contradict: each was once a way to look faster than one is.
internal import BatchmarkEngine
internal import SQLiteDriver

/// Work that was done outside of its phase or not at all, and answers that are not true.
package enum SessionFault: Sendable, Hashable, CustomStringConvertible {
  /// The table had rows when the store had been opened.
  case rowsWhileOpening(table: String)
  /// The path has another file than the one that was opened.
  case otherFile
  /// A pragma whose value is in the file.
  case pragma(name: String, answered: String, found: String)
  /// Whether free pages leave the file is not as the scenario sets it, or as every store is made.
  case autoVacuum(found: String, expected: String)
  /// Frames of the WAL that are not in the database after the checkpoint.
  case notCheckpointed(frames: Int)
  /// The rows were ingested again, and nothing was committed.
  case nothingIngestedAgain

  package var description: String {
    switch self {
    case .rowsWhileOpening(let table):
      "when the store had been opened, \(table) had rows already; expected them to be stored in the phase ingest"
    case .otherFile:
      "when the phase had ended, another file had taken the store's place; expected the file that was opened"
    case .pragma(let name, let answered, let found):
      "the engine answers \(answered) for \(name), and the file says \(found); expected the file's answer"
    case .autoVacuum(let found, let expected):
      "the file has auto_vacuum \(found); expected \(expected)"
    case .notCheckpointed(let frames):
      "after the checkpoint \(frames) frames of the WAL are not in the database file; expected all of them there"
    case .nothingIngestedAgain:
      "when the rows had been ingested again, nothing had been committed; expected the stored rows to be updated"
    }
  }
}

extension Connection {
  /// The first of the tables that has a row.
  func firstFilled(of tables: [String]) throws(SQLiteError) -> String? {
    for table in tables where try scalar("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 { return table }
    return nil
  }

  /// The first answer that the file contradicts, of the pragmas that are stored in it, or a file that was made otherwise than
  /// every store is.
  func contradiction(of answers: [StorePragma], set: [StorePragma]) throws(SQLiteError) -> SessionFault? {
    let wanted = set.last { $0.name == "auto_vacuum" }?.value ?? "incremental"
    if let found = try pragma("auto_vacuum"),
      !PragmaValue(found, of: "auto_vacuum").isAnswer(to: PragmaValue(wanted, of: "auto_vacuum"))
    {
      return .autoVacuum(found: found, expected: wanted)
    }
    for name in ["journal_mode", "page_size", "auto_vacuum"] {
      guard let answer = answers.last(where: { $0.name == name })?.value else { continue }
      guard let found = try pragma(name) else { continue }
      // Of journals the file says only whether it is a WAL.
      let isTrue =
        name == "journal_mode"
        ? (answer.lowercased() == "wal") == (found.lowercased() == "wal")
        : PragmaValue(found, of: name).isAnswer(to: PragmaValue(answer, of: name))
      if !isTrue { return .pragma(name: name, answered: answer, found: found) }
    }
    return nil
  }
}

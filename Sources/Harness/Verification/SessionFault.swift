// Contradictions between what a session reports and its files or figures. Each one was once a way to look faster than
// one is.
package import BatchmarkEngine
internal import Instruments
internal import SQLiteDriver
internal import Support

/// Work that a session did outside its phase or not at all, or a false report.
package enum SessionFault: Sendable, Hashable, CustomStringConvertible {
  /// The table already had rows after the store was opened.
  case rowsWhileOpening(table: String)
  /// The session wrote to the store before the migration was measured.
  case writtenWhileOpening
  /// The path no longer refers to the file that was opened.
  case otherFile
  /// The answer for a pragma contradicts the value in the file.
  case pragma(name: String, answered: String, found: String)
  /// The auto-vacuum mode is not the one that the scenario sets or that every store has.
  case autoVacuum(found: String, expected: String)
  /// Some frames of the WAL are not in the database after the checkpoint.
  case notCheckpointed(frames: Int)
  /// The rows were ingested again, but nothing was committed.
  case nothingIngestedAgain
  /// The rows are in the store, but the measured process wrote nothing.
  case nothingWritten(phase: Phase, rows: Int)
  /// The WAL, or without one the database file, was synced less often than SQLite does at this setting.
  case notSynced(phase: Phase, synchronous: String, syncs: Int64, needed: Int64)
  /// There were commits to a WAL without a sync each, although the setting requires it.
  case notSyncedAtCommit(phase: Phase, commits: Int64, syncs: Int64)
  /// The database file was written in a way that its journal mode rules out.
  case withoutJournal(phase: Phase, journalMode: String, bytes: Int64)
  /// Rows were returned, but no statement was run.
  case nothingRead(phase: Phase, rows: Int)
  /// Statements ran after the phase, for example because a program reads its results only then.
  case workAfterPhase(Phase, statements: Int64)
  /// Bytes were written between two phases.
  case writtenBetweenPhases(after: Phase, bytes: Int64)

  package var description: String {
    switch self {
    case .rowsWhileOpening(let table):
      "found rows in \(table) when the store had been opened; expected them to be stored in the phase ingest"
    case .writtenWhileOpening:
      "found the store's file written to before the phase migrate; expected the store to be opened and migrated in that "
        + "phase"
    case .otherFile:
      "found another file at the store's path when the phase had ended; expected the file that was opened"
    case .pragma(let name, let answered, let found):
      "the engine answers \(answered) for \(name), and the file says \(found); expected the file's answer"
    case .autoVacuum(let found, let expected):
      "the file has auto_vacuum \(found); expected \(expected)"
    case .notCheckpointed(let frames):
      "after the checkpoint \(frames) frames of the WAL are not in the database file; expected all of them there"
    case .nothingIngestedAgain:
      "found nothing committed after the rows were ingested again; expected the stored rows to be updated"
    case .nothingWritten(let phase, let rows):
      "in the phase \(phase.rawValue) the worker wrote no byte, and the store has \(rows) rows more or changed; expected "
        + "the process that is measured to write them, through the VFS that is metered"
    case .notSynced(let phase, let synchronous, let syncs, let needed):
      "in the phase \(phase.rawValue) the files had \(syncs) of the \(needed) syncs that SQLite makes at least, and "
        + "the engine answers \(synchronous) for synchronous; expected it to hold inside the phase too"
    case .notSyncedAtCommit(let phase, let commits, let syncs):
      "in the phase \(phase.rawValue) \(commits) transactions were committed to the WAL with \(syncs) syncs of it, and "
        + "the engine answers full for synchronous; expected a sync at each commit"
    case .withoutJournal(let phase, let journalMode, let bytes):
      "in the phase \(phase.rawValue) \(bytes) bytes were written to the database file "
        + (journalMode == "wal" ? "outside of a checkpoint" : "without a journal")
        + ", and the engine answers \(journalMode) for journal_mode; expected it to hold inside the phase too"
    case .nothingRead(let phase, let rows):
      "in the phase \(phase.rawValue) the worker ran no statement to its end, and \(rows) rows were handed over; expected "
        + "them to be read inside the phase"
    case .workAfterPhase(let phase, let statements):
      "when the phase \(phase.rawValue) had ended, \(statements) \(statements == 1 ? "statement was" : "statements were") "
        + "run; expected all work, such as reading every value, inside the phase"
    case .writtenBetweenPhases(let phase, let bytes):
      "after the phase \(phase.rawValue) and before the phase checkpoint \(bytes) bytes were written; expected all work "
        + "inside a phase"
    }
  }
}

extension Connection {
  /// The first of the tables that has a row.
  func firstFilled(of tables: [String]) throws(SQLiteError) -> String? {
    for table in tables where try scalar("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 { return table }
    return nil
  }

  /// The first answer that contradicts a pragma in the file, or a file that was not made like every other store.
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
      // For the journal mode, the file only shows whether it is a WAL.
      let isTrue =
        name == "journal_mode"
        ? (answer.lowercased() == "wal") == (found.lowercased() == "wal")
        : PragmaValue(found, of: name).isAnswer(to: PragmaValue(answer, of: name))
      if !isTrue { return .pragma(name: name, answered: answer, found: found) }
    }
    return nil
  }
}

extension Sample {
  /// A fault that the figures of the operation's phase reveal; `nil` if there is none, or if figures are missing.
  ///
  /// - Parameters:
  ///   - operation: The measured operation.
  ///   - rows: How many rows it had to store, change or read.
  /// - Returns: The fault.
  func contradiction(_ operation: Operation.Kind, rows: Int) -> SessionFault? {
    guard pass == .counters, rows > 0, let metrics = phases.first(where: { $0.phase == operation.phase })?.metrics
    else {
      return nil
    }
    if operation == .fetch { return metrics[.statements] == 0 ? .nothingRead(phase: operation.phase, rows: rows) : nil }
    guard let written = metrics[.bytesWritten], let toDatabase = metrics[.databaseBytesWritten]
    else { return nil }
    if written == 0 { return .nothingWritten(phase: operation.phase, rows: rows) }
    let synchronous = answer("synchronous").map { PragmaValue($0, of: "synchronous") }
    let isSynced = synchronous.map { !$0.isAnswer(to: PragmaValue("off", of: "synchronous")) } ?? false
    let isFull = ["full", "extra"].contains { level in
      synchronous?.isAnswer(to: PragmaValue(level, of: "synchronous")) ?? false
    }
    if isSynced, let fault = missingSync(operation.phase, metrics, toDatabase: toDatabase) { return fault }
    if isFull, let commits = metrics[.walCommits], let syncs = metrics[.walSyncs], commits > syncs {
      return .notSyncedAtCommit(phase: operation.phase, commits: commits, syncs: syncs)
    }
    return otherJournal(operation.phase, metrics, toDatabase: toDatabase)
  }

  /// SQLite syncs a WAL when it begins one and before each checkpoint, and without a WAL the database at each commit.
  private func missingSync(_ phase: Phase, _ metrics: [MetricID: Int64], toDatabase: Int64) -> SessionFault? {
    let answered = answer("synchronous") ?? ""
    guard answer("journal_mode")?.lowercased() == "wal" else {
      guard toDatabase > 0, metrics[.databaseSyncs] == 0 else { return nil }
      return .notSynced(phase: phase, synchronous: answered, syncs: 0, needed: 1)
    }
    guard let syncs = metrics[.walSyncs], let begun = metrics[.walRestarts], let checkpoints = metrics[.checkpoints],
      syncs < begun + checkpoints
    else { return nil }
    return .notSynced(phase: phase, synchronous: answered, syncs: syncs, needed: begun + checkpoints)
  }

  /// Writes to the database file belong to a checkpoint of a WAL, or come with a journal.
  private func otherJournal(_ phase: Phase, _ metrics: [MetricID: Int64], toDatabase: Int64) -> SessionFault? {
    guard toDatabase > 0, let journal = answer("journal_mode")?.lowercased() else { return nil }
    let isLogged =
      switch journal {
      case "wal": metrics[.checkpoints] ?? 1 > 0
      case "delete", "truncate", "persist": metrics[.journalBytesWritten] ?? 1 > 0
      default: true
      }
    return isLogged ? nil : .withoutJournal(phase: phase, journalMode: journal, bytes: toDatabase)
  }

  private func answer(_ name: String) -> String? { pragmas.last { $0.name == name }?.value }

  /// Remarks on behavior that may be honest or a way to look better.
  ///
  /// The sample stays valid.
  ///
  /// - Parameters:
  ///   - operation: The measured operation.
  ///   - hasReader: Whether a reader kept checkpoints from moving all frames.
  /// - Returns: Whole sentences.
  func meteredRemarks(_ operation: Operation.Kind, hasReader: Bool) -> [String] {
    guard let metrics = phases.first(where: { $0.phase == operation.phase })?.metrics else { return [] }
    var remarks: [String] = []
    if !hasReader, let limit = answer("wal_autocheckpoint").flatMap({ Int64($0) }), limit > 0,
      let backlog = metrics[.walBacklogPeak], backlog > limit, metrics[.checkpoints] == 0
    {
      remarks.append(
        "a commit of the phase \(operation.phase.rawValue) left \(backlog) frames in the WAL and no checkpoint followed, "
          + "though wal_autocheckpoint is \(limit): it may have been off inside the phase")
    }
    if let unseen = unseenMemory(metrics) {
      remarks.append(
        "resident memory grew by \(unseen >> 20) MiB in the phase \(operation.phase.rawValue) that the heap does not have: "
          + "memory that is mapped by the engine itself is in no figure of the heap")
    }
    return remarks
  }

  /// The growth of resident memory beyond the heap, in bytes; `nil` if it is small, or may be the mapped database.
  private func unseenMemory(_ metrics: [MetricID: Int64]) -> Int64? {
    let isMapped = answer("mmap_size").map { $0 != "0" } ?? false
    guard pass == .memory, !isMapped, let heap = metrics[.heapPeak], let resident = metrics[.residentSetPeak],
      let before = phases.first(where: { $0.phase == .load })?.metrics[.residentSetPeak]
    else { return nil }
    // A program may report any number for its heap.
    let unseen = (resident - before).subtractingClamped(heap).subtractingClamped(heap / 4)
    return unseen > 32 << 20 ? unseen : nil
  }
}

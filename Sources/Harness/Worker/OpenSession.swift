// An open session of a trial for any operation, and the pinned reader that a cell may ask for.
internal import BatchmarkEngine
internal import SQLiteDriver

/// The session that a strategy opened.
enum OpenSession {
  case insert(any InsertSession)
  case change(any ChangeSession)
  case fetch(any FetchSession)
  case migrate(any MigrationSession)

  init(_ strategy: Strategy, _ setup: StoreSetup, _ cell: Cell, _ operation: BatchmarkEngine.Operation) throws {
    switch strategy.opening {
    case .insert(let open): self = .insert(try open(setup, cell))
    case .update(let open): self = .change(try open(setup, cell, operation.assignments))
    case .delete(let open): self = .change(try open(setup, cell))
    case .fetch(let open): self = .fetch(try open(setup, cell))
    case .migrate(let open):
      guard let version = operation.version else { throw EngineError.noVersion }
      self = .migrate(try open(setup, cell, version))
    }
  }

  /// Prepares the session with its rows, condition or query, before anything is measured.
  func prepare(_ rows: SourceRows, _ operation: BatchmarkEngine.Operation) throws {
    switch self {
    case .insert(let session): try session.prepare(rows)
    case .change(let session): try session.prepare(where: operation.condition)
    case .fetch(let session): try session.prepare(operation.query)
    case .migrate: break
    }
  }

  /// The session if another process does its work.
  var ofProcess: (any ProcessSession)? { store as? any ProcessSession }

  var store: any StoreSession {
    switch self {
    case .insert(let session): session
    case .change(let session): session
    case .fetch(let session): session
    case .migrate(let session): session
    }
  }

  var observer: (any SessionObserver)? {
    switch self {
    case .insert(let session): session.observer
    case .change(let session): session.observer
    case .fetch, .migrate: nil
    }
  }
}

/// A connection of plain SQLite in a read transaction that began before the operation.
struct PinnedReader {
  private let connection: Connection

  /// Begins to read.
  ///
  /// The transaction gets its snapshot when it has read a row.
  init(_ setup: StoreSetup) throws(SQLiteError) {
    connection = try Connection(path: setup.path, access: .readOnly)
    try connection.begin(.deferred)
    _ = try connection.scalar("SELECT count(*) FROM Z_PRIMARYKEY")
  }

  func close() throws(SQLiteError) {
    connection.rollback()
    try connection.close()
  }
}

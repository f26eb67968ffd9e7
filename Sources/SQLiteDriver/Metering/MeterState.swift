// The meter's counters, kept for the process and for each database; every event of a file or connection ends here.
internal import Support
internal import Synchronization

/// The counters of this process.
///
/// Callbacks hold the lock only to add; none enters a connection or a file with it.
let meterState = Lock(MeterState())

/// The number by which callbacks know a database, and which goes through SQLite as a context pointer; zero is for
/// files and connections without a name.
struct DatabaseNumber: Hashable {
  var rawValue: Int

  static let unnamed = DatabaseNumber(rawValue: 0)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(context: UnsafeMutableRawPointer?) { rawValue = Int(bitPattern: context) }

  var context: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: rawValue) }
}

/// All counters, in total and by database.
struct MeterState {
  private(set) var total = SQLiteCounters()
  private(set) var totalTimes = SQLiteTimes()
  private(set) var totalConnections = ConnectionCounters()
  /// By database number; the first is of what has no name.
  private var databases = [MeteredDatabase()]
  /// The connections that are open, by their addresses.
  var connections: [Int: MeteredConnection] = [:]
  /// Whether the VFS beneath lets its syncs of directories be counted.
  var countsDirectorySyncs = false
  private var numbers: [String: DatabaseNumber] = [:]
  /// What each database had counted when watching began; databases that came later began with nothing.
  private var beforeWatch: [(walFrames: Int64, checkpoints: Int64)] = []
  private var totalBeforeWatch: (walFrames: Int64, checkpoints: Int64) = (0, 0)
  var growth = GrowthWatch(tables: [], rowCounts: [])

  /// The number of a database, by its full path.
  mutating func number(of path: String) -> DatabaseNumber {
    guard !path.isEmpty else { return .unnamed }
    if let number = numbers[path] { return number }
    let number = DatabaseNumber(rawValue: databases.count)
    numbers[path] = number
    databases.append(MeteredDatabase())
    return number
  }

  func counters(of path: String) -> SQLiteCounters {
    database(of: path)?.counters ?? SQLiteCounters()
  }

  func times(of path: String) -> SQLiteTimes {
    database(of: path)?.times ?? SQLiteTimes()
  }

  /// What is kept of the database at a path; of all databases without a file for an empty one.
  func database(of path: String) -> MeteredDatabase? {
    path.isEmpty ? databases[DatabaseNumber.unnamed.rawValue] : numbers[path].map { databases[$0.rawValue] }
  }

  mutating func change(_ database: DatabaseNumber, _ change: (inout MeteredDatabase) -> Void) {
    change(&databases[database.rawValue])
  }

  /// Counts connections of a database and in total.
  mutating func count(in database: DatabaseNumber, _ change: (inout ConnectionCounters) -> Void) {
    change(&totalConnections)
    change(&databases[database.rawValue].connections)
  }

  /// Adds to the counters of a database and to the total.
  mutating func add(to database: DatabaseNumber, _ change: (inout SQLiteCounters) -> Void) {
    change(&total)
    change(&databases[database.rawValue].counters)
  }

  /// The same for times.
  mutating func addTime(to database: DatabaseNumber, _ change: (inout SQLiteTimes) -> Void) {
    change(&totalTimes)
    change(&databases[database.rawValue].times)
  }

  /// Notes the size of a database's write-ahead log.
  mutating func setWALSize(_ size: Int64, of database: DatabaseNumber) {
    let growth = size - databases[database.rawValue].counters.walSize
    add(to: database) {
      $0.walSize += growth
      $0.walPeak = max($0.walPeak, $0.walSize)
    }
  }

  /// Notes a write-ahead log that reaches up to `end` at least.
  mutating func extendWAL(to end: Int64, of database: DatabaseNumber) {
    if end > databases[database.rawValue].counters.walSize { setWALSize(end, of: database) }
  }

  /// Counts a sync of a directory, made for a file that was made or removed in it.
  mutating func countDirectorySync(for path: String) {
    add(to: owner(of: path)) { $0.directorySyncs += 1 }
  }

  /// The database that a journal or a write-ahead log belongs to, by the file's name.
  private func owner(of path: String) -> DatabaseNumber {
    let suffix = ["-journal", "-wal"].first(where: path.hasSuffix)
    return suffix.flatMap { numbers[String(path.dropLast($0.count))] } ?? .unnamed
  }

  /// Notes that a file is gone, how long that took where the directory was synced, and whether it was a write-ahead log.
  mutating func noteDeletion(of path: String, lasting duration: Duration?) {
    if let duration { addTime(to: owner(of: path)) { $0.directory.add(duration) } }
    guard path.hasSuffix("-wal"), let database = numbers[String(path.dropLast(4))] else { return }
    databases[database.rawValue].log.remove()
    setWALSize(0, of: database)
  }

  /// Notes what a write to a write-ahead log means.
  mutating func note(_ write: WALWrite, offset: Int64, bytes: Int64, of database: DatabaseNumber) {
    switch write {
    case .header(let header):
      let isNew = databases[database.rawValue].log.begin(header)
      add(to: database) {
        $0.walBytesAppended += WALWrite.headerSize
        if isNew { $0.walRestarts += 1 }
      }
    case .appended(let isCommit):
      let frames = databases[database.rawValue].log.append(offset: offset, bytes: bytes, isCommit: isCommit)
      let frameBytes = databases[database.rawValue].log.frameBytes(ofPage: bytes)
      add(to: database) {
        $0.walFrames += 1
        $0.walBytesAppended += frameBytes
        guard let frames else { return }
        $0.walCommits += 1
        $0.walCommitPeak = max($0.walCommitPeak, frames)
      }
    case .overwritten: add(to: database) { $0.walOverwrites += 1 }
    }
  }

  mutating func takeWriteLock(of database: DatabaseNumber) { databases[database.rawValue].log.takeWriteLock() }

  /// Notes that a transaction is over, and how many frames of the log are in the database now.
  mutating func releaseWriteLock(of database: DatabaseNumber, checkpointedFrames: Int64) {
    let backlog = databases[database.rawValue].log.releaseWriteLock(checkpointedFrames: checkpointedFrames)
    guard let backlog else { return }
    add(to: database) {
      $0.walCommitsWithBacklog += 1
      $0.walBacklogPeak = max($0.walBacklogPeak, backlog)
    }
  }

  mutating func markPeak() {
    total.markPeak()
    totalTimes.markPeak()
    for index in databases.indices {
      databases[index].counters.markPeak()
      databases[index].times.markPeak()
    }
  }

  mutating func watch(_ watch: GrowthWatch) {
    growth = watch
    growth.isWatching = true
    beforeWatch = databases.map { ($0.counters.walFrames, $0.counters.checkpoints) }
    totalBeforeWatch = (total.walFrames, total.checkpoints)
  }

  mutating func endGrowth(rows: Int) -> [WALPoint] {
    growth.isWatching = false
    return growth.points + [WALPoint(rows: rows, total, since: totalBeforeWatch)]
  }

  /// Counts a changed row of a watched table.
  mutating func countChangedRow(in database: DatabaseNumber) {
    let counters = databases[database.rawValue].counters
    let before = beforeWatch.indices.contains(database.rawValue) ? beforeWatch[database.rawValue] : (0, 0)
    growth.countRow(counters, since: before)
  }
}

// What the meter keeps of one database, and of the connections to it.
internal import CSQLite

/// What is kept of one database.
struct MeteredDatabase {
  var counters = SQLiteCounters()
  var times = SQLiteTimes()
  var log = LogPosition()
  var connections = ConnectionCounters()
  /// How often its file was opened through the metering VFS, but for what a connection has accounted for.
  var unclaimedOpenings = 0
}

extension MeterState {
  func connections(of path: String) -> ConnectionCounters { database(of: path)?.connections ?? ConnectionCounters() }

  /// Notes that a database's file was opened through the metering VFS.
  mutating func noteOpening(of database: DatabaseNumber) { change(database) { $0.unclaimedOpenings += 1 } }

  /// Notes that a connection was opened, at an address where another may have been; answers the database's number.
  ///
  /// Its file is opened first. A VFS of somebody's that lies over the metering one has files of its own, but opens ours.
  mutating func open(connection: Int, path: String, isMetered: Bool) -> DatabaseNumber {
    let database = number(of: path)
    connections[connection] = MeteredConnection(database: database)
    var passes = path.isEmpty
    change(database) {
      if $0.unclaimedOpenings > 0 { (passes, $0.unclaimedOpenings) = (true, $0.unclaimedOpenings - 1) }
    }
    let isUnmetered = !isMetered && !passes
    connections[connection]?.isUnmetered = isUnmetered
    count(in: database) {
      $0.opened += 1
      $0.open += 1
      if isUnmetered { $0.unmetered += 1 }
    }
    return database
  }

  /// Leaves a connection out of every count, as if it had not been opened: one that only looks for the harness.
  mutating func disregard(connection: Int) {
    guard let gone = connections.removeValue(forKey: connection) else { return }
    count(in: gone.database) {
      $0.opened -= 1
      $0.open -= 1
      if gone.isUnmetered { $0.unmetered -= 1 }
    }
  }

  /// Notes that the trace hook heard of a connection's end.
  mutating func noteEnd(of connection: Int) { connections[connection]?.announcedItsEnd = true }

  /// Notes that a connection is gone.
  mutating func forget(connection: Int) {
    guard let gone = connections.removeValue(forKey: connection) else { return }
    count(in: gone.database) {
      $0.open -= 1
      if !gone.announcedItsEnd { $0.untraced += 1 }
    }
  }

  /// Counts what a connection's page cache did since it was asked last.
  mutating func count(_ reading: PageCacheReading, of connection: Int, in database: DatabaseNumber) {
    let change = reading.since(connections[connection]?.pageCache ?? PageCacheReading())
    connections[connection]?.pageCache = reading
    add(to: database) { $0.pageCache += change }
  }
}

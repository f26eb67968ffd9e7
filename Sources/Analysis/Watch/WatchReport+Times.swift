// A report without times, because counting each allocation takes time that the program would not need.

extension WatchReport {
  /// Removes all times.
  ///
  /// It keeps the moments that pictures need.
  mutating func removeTimes() {
    seconds = nil
    watchSeconds = nil
    for place in processes.indices {
      processes[place].sleepSeconds = nil
      processes[place].meterSeconds = nil
    }
    for place in connections.indices { connections[place].openSeconds = nil }
    for place in databases.indices { databases[place].removeTimes() }
    for place in statements.indices {
      statements[place].totalSeconds = nil
      statements[place].medianSeconds = nil
      statements[place].longestSeconds = nil
    }
  }
}

extension WatchReport.Database {
  fileprivate mutating func removeTimes() {
    heldSeconds = nil
    longestHeldSeconds = nil
    checkpointSeconds = nil
    longestCheckpointSeconds = nil
    longestReadSeconds = nil
    for files in [\WatchReport.Database.file, \.wal, \.journal, \.temporary] {
      self[keyPath: files].syncSeconds = nil
      self[keyPath: files].longestSyncSeconds = nil
    }
    for place in transactions.indices {
      transactions[place].heldSeconds = nil
      transactions[place].longestHeldSeconds = nil
    }
    for place in checkpointsByMode.indices { checkpointsByMode[place].seconds = nil }
  }
}

extension Double? {
  /// Adds to a time, which exists until all times are removed.
  static func += (sum: inout Double?, seconds: Double) { sum = (sum ?? 0) + seconds }
}

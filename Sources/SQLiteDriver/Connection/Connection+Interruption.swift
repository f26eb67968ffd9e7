// Stopping a statement that runs, from within.
internal import CSQLite

extension Connection {
  /// Asks again and again, while statements run, whether they may continue; nil for never.
  ///
  /// - Parameter shouldStop: Asked after some thousand steps of a statement, on its thread. If it says yes, the statement
  ///   fails with ``ResultCode/interrupt``.
  package func stopStatements(when shouldStop: (() -> Bool)?) {
    guard let handle else { return }
    guard let shouldStop else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return interruption = nil
    }
    let interruption = Interruption(shouldStop)
    self.interruption = interruption
    sqlite3_progress_handler(
      handle, 4_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
      }, Unmanaged.passUnretained(interruption).toOpaque())
  }
}

/// A question where SQLite's pointer can keep it.
final class Interruption {
  let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}

// Stopping a running statement from its own thread.
internal import CSQLite

extension Connection {
  /// Calls a closure regularly while statements run, to ask whether they must stop; `nil` removes it.
  ///
  /// - Parameter shouldStop: Called after every few thousand steps of a statement, on its thread. If it returns true, the
  ///   statement fails with ``ResultCode/interrupt``.
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

/// A box for the closure, so that SQLite can keep a pointer to it.
final class Interruption {
  let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}

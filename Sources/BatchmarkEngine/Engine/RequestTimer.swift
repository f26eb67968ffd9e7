// The single requests of a session's work, each timed by itself: a save of many, a transaction of many, a batch of many.

/// Times the requests that a session's work is made of.
///
/// The harness gives one to sessions whose times are taken, and has percentiles of it: how long the longest save of an import
/// took, which held a user up, is not in the time of the whole.
public protocol RequestTimer: Sendable {
  /// Carries a request out, and notes how long it took where it did not fail.
  func time<Result>(_ request: () throws -> Result) rethrows -> Result
}

extension StoreSetup {
  /// Carries out one of several requests that a session's work is made of, such as a save.
  ///
  /// ```swift
  /// func store(_ pieces: [String], _ setup: StoreSetup, with connection: Connection) throws {
  ///   for sql in pieces { try setup.request { try connection.execute(sql) } }
  /// }
  /// ```
  public func request<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let requests else { return try body() }
    return try requests.time(body)
  }
}

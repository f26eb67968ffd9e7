// What is known of connections: whether their files pass the metering VFS, and whether their statements were counted to
// the last.

/// How many connections were opened since the meter was attached, and which of them it does not see whole.
///
/// ```swift
/// let connections = meter.connections(of: "quakes.sqlite")
/// let countsAll = connections.unmetered == 0 && connections.untraced == 0
/// ```
public struct ConnectionCounters: Sendable, Hashable {
  /// All that were opened, closed ones among them.
  public var opened = 0
  /// Those whose main database is a file that did not pass the metering VFS, because they named another one, and databases
  /// that were attached to one by another VFS.
  public var unmetered = 0
  /// Those that closed without the meter's trace hook hearing of it: somebody had taken its place, and the statements
  /// since then were not counted.
  public var untraced = 0
  /// Those that have not closed.
  public var open = 0

  public init() {}
}

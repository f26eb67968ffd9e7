// Whether the meter saw everything of connections: all of their files and all of their statements.

/// How many connections were opened since the meter was attached, and how many of them it sees only in part.
///
/// ```swift
/// let connections = meter.connections(of: "quakes.sqlite")
/// let countsAll = connections.unmetered == 0 && connections.untraced == 0
/// ```
public struct ConnectionCounters: Sendable, Hashable {
  /// All that were opened, closed ones among them.
  public var opened = 0
  /// Those whose main database is a file of another VFS than the metering one, and databases that were attached by
  /// another VFS.
  public var unmetered = 0
  /// Those that closed without calling the meter's trace hook: another hook had replaced it, and statements since then
  /// were not counted.
  public var untraced = 0
  /// Those that have not closed.
  public var open = 0

  public init() {}
}

// A trace of a store's SQL, like Core Data's SQL debugging.
internal import SQLiteDriver
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Logs the SQL of a store, with times and row counts.
///
/// Traces are equal if they are identical.
///
/// ```swift
/// var description = PersistentStoreDescription(path: "quakes.sqlite")
/// description.sqlTrace = .standardError()
/// ```
public final class SQLTrace: Sendable, Hashable {
  /// How much to log; the numbers are Core Data's.
  public enum Level: Int, Sendable {
    /// Statements with times and row counts.
    case statements = 1
    /// Statements with times, row counts and bound values, which may be private data.
    case values = 3
  }

  /// Whether bound values are logged, too.
  public let level: Level
  private let write: @Sendable (String) -> Void

  /// Creates a trace that passes its lines to a function, such as a logger's.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sqlTrace = SQLTrace { line in
  ///   if line.contains("execution time") { print(line) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - level: How much to log.
  ///   - write: Called with each line, from any thread.
  public init(_ level: Level = .statements, write: @escaping @Sendable (String) -> Void) {
    self.level = level
    self.write = write
  }

  /// A trace on standard error.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sqlTrace = .standardError(.values)  // bound values too: for development only
  /// ```
  public static func standardError(_ level: Level = .statements) -> SQLTrace {
    SQLTrace(level) { writeToStandardError($0) }
  }

  public static func == (left: SQLTrace, right: SQLTrace) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Logs every statement of the connection.
  func follow(_ connection: Connection) {
    let name = connection.path.split(separator: "/").last.map(String.init) ?? ""
    connection.trace(expandingValues: level == .values) { [self] statement in
      write("ObjectGraph: sql: \(statement.expandedSQL ?? statement.sql)")
      write(
        "ObjectGraph: annotation: \(name): sql execution time: \(seconds(statement.nanoseconds)) s for "
          + "\(statement.rows) row\(statement.rows == 1 ? "" : "s")")
    }
  }

  /// Logs what the last statements were for.
  func note(_ text: @autoclosure () -> String) { write("ObjectGraph: annotation: \(text())") }

  private func seconds(_ nanoseconds: Int64) -> String {
    let microseconds = String(nanoseconds / 1_000)
    let padded = String(repeating: "0", count: max(0, 7 - microseconds.count)) + microseconds
    return "\(padded.dropLast(6)).\(padded.suffix(6))"
  }
}

private func writeToStandardError(_ line: String) {
  var text = line + "\n"
  // Ignore errors: a line that cannot be written is lost, but nothing else is.
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

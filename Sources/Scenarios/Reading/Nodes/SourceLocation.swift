// Where a piece of a file stands; a setting of the command line has a place too.

/// Where a node was written.
enum SourceLocation: Hashable, Sendable {
  /// Both counted from 1.
  case file(line: Int, column: Int)
  /// On the command line, as the user wrote it.
  case setting(String)
  /// Nowhere in particular, such as in an empty file.
  case wholeFile
}

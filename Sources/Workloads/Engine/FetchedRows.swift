// What a fetch gave, so that a faster wrong answer is a failure.

/// The answer of a fetch, as far as its strategy gives one.
public struct FetchedRows: Sendable, Hashable {
  public var rows: Int
  /// The values of all rows; nil for a strategy that gives none, or does not keep them.
  public var contents: ObservedContents?

  public init(rows: Int, contents: ObservedContents? = nil) {
    self.rows = rows
    self.contents = contents
  }
}

// How much of a store's free space a vacuum returns to the file system, and what it did.

/// What a vacuum does to a store's file.
///
/// ```swift
/// try coordinator.vacuum(.whole, of: archive)
/// try coordinator.vacuum(.incremental(pages: nil))  // all free pages, without rewriting the file
/// ```
public enum VacuumMode: Sendable, Hashable {
  /// Rewrites the whole file: no free page is left, and the rows of a table lie together.
  case whole
  /// Moves pages from the end of the file into so many free ones; nil for all of them.
  ///
  /// The store must have been made with incremental vacuum, as it is by default.
  case incremental(pages: Int?)
}

/// What a vacuum did.
///
/// ```swift
/// let result = try coordinator.vacuum()
/// if !result.isFileShortened { print("a reader holds up the checkpoint; the file shrinks with the next one") }
/// ```
public struct VacuumResult: Sendable, Hashable {
  /// The length of the file before, in pages.
  public let pagesBefore: Int
  /// The length of the file after, in pages.
  public let pages: Int
  /// How many of them are still free.
  public let freePages: Int
  /// Whether the file itself already has that length; false while a reader keeps the WAL from being checkpointed.
  public let isFileShortened: Bool
}

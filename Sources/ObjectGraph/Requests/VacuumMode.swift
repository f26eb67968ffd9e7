// How much free space a vacuum returns to the file system, and its result.

/// How much of a store's file a vacuum processes.
///
/// ```swift
/// try coordinator.vacuum(.whole, of: archive)
/// try coordinator.vacuum(.incremental(pages: nil))  // all free pages, without rewriting the file
/// ```
public enum VacuumMode: Sendable, Hashable {
  /// Rewrites the whole file: no free page is left, and the rows of each table are contiguous.
  case whole
  /// Moves pages from the end of the file into this many free ones; `nil` for all.
  ///
  /// The store must have been created with incremental vacuum, which is the default.
  case incremental(pages: Int?)
}

/// The result of a vacuum.
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
  /// Whether the file already has that length; false while a reader keeps the WAL from being checkpointed.
  public let isFileShortened: Bool
}

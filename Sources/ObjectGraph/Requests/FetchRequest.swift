// What to fetch.

/// Asks for the objects of an entity.
public struct FetchRequest: Sendable, Hashable {
  public var entityName: String
  /// The most objects to give; 0 for all.
  public var fetchLimit = 0
  /// How many objects to pass over first.
  public var fetchOffset = 0
  /// Whether objects of entities that inherit from the entity are given too.
  public var includesSubentities = true
  /// Whether unsaved insertions and deletions of the context count.
  public var includesPendingChanges = true

  public init(entityName: String) { self.entityName = entityName }

  var window: Window { Window(offset: max(fetchOffset, 0), limit: max(fetchLimit, 0)) }
}

/// The part of a result that was asked for; a limit of 0 is no limit.
struct Window: Sendable, Hashable {
  var offset: Int
  var limit: Int

  /// As much from the start as the window can reach; 0 for all.
  var reaching: Int? { limit == 0 ? nil : offset + limit }

  func range(in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(limit == 0 ? count : min(start + limit, count))
  }
}

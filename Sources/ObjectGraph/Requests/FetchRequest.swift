// What to fetch.

/// Asks for the objects of an entity.
public struct FetchRequest: Sendable, Hashable {
  public var entityName: String
  /// What must hold for an object; nil for all.
  public var predicate: FetchPredicate?
  /// The order, the first counting most; objects that are equal in all come in the order of their keys.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The most objects to give; 0 for all.
  public var fetchLimit = 0
  /// How many objects to pass over first.
  public var fetchOffset = 0
  /// Whether objects of entities that inherit from the entity are given too.
  public var includesSubentities = true
  /// Whether unsaved changes of the context decide which objects are given.
  public var includesPendingChanges = true

  public init(entityName: String, predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = []) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  var window: Window { Window(offset: max(fetchOffset, 0), limit: max(fetchLimit, 0)) }
}

/// The part of a result that was asked for; a limit of 0 is no limit.
struct Window: Sendable, Hashable {
  var offset: Int
  var limit: Int

  static let all = Window(offset: 0, limit: 0)

  func range(in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(limit == 0 ? count : min(start + limit, count))
  }
}

/// A fetch as the store carries it out: entities of one hierarchy, and the request without anything pending.
struct StoreFetch: Sendable {
  /// The entity that was named; keys of the predicate are its properties.
  let layout: EntityLayout
  /// The entities whose objects are wanted, abstract ones left out.
  let family: [EntityLayout]
  let predicate: FetchPredicate?
  let sortDescriptors: [FetchSortDescriptor]
  var window: Window
}

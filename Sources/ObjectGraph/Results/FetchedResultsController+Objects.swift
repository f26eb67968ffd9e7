// Looking at a controller's objects: all of them, by section, by index path.

/// A section of a controller's objects.
///
/// ```swift
/// for section in controller.sections { print("\(section.name): \(section.numberOfObjects)") }
/// ```
public struct FetchedResultsSectionInfo: Sendable, Hashable {
  /// What its objects have at the controller's `sectionNameKeyPath`, as text; empty for null, and without a key path.
  public let name: String
  public let numberOfObjects: Int
  /// The place of the section's first object among all objects.
  public let offset: Int
}

/// The objects of a controller as they were when they were asked for, each made when it is looked at.
///
/// It belongs to its context's queue. O(log n) access.
///
/// ```swift
/// let strongest = controller.fetchedObjects.first?[Quake.magnitude]
/// ```
public struct FetchedObjects<ResultType: ManagedObject>: RandomAccessCollection {
  private let follower: ResultFollower?
  private let keys: BlockedList<ResultKey>

  init(_ follower: ResultFollower?) {
    self.follower = follower
    keys = follower?.contents.keys ?? BlockedList()
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { keys.count }

  public subscript(position: Int) -> ResultType {
    // As with an array, an index out of range ends the program.
    guard let follower else { preconditionFailure("index \(position) of no objects") }
    follower.context.queue.check()
    let key = keys[position]
    // Safe by proof: the fetch has made sure of the class of the request's entities.
    return unsafeDowncast(follower.object(key, atRank: position), to: ResultType.self)
  }
}

extension FetchedResultsController {
  /// The objects in their order, in O(1); none before ``performFetch()``.
  ///
  /// ```swift
  /// for quake in controller.fetchedObjects.prefix(20) { print(quake[Quake.code] ?? "") }
  /// ```
  public var fetchedObjects: FetchedObjects<ResultType> {
    managedObjectContext.queue.check()
    return FetchedObjects(follower)
  }

  /// The sections in their order, in O(sections); one, which may be empty, without a ``sectionNameKeyPath``.
  public var sections: [FetchedResultsSectionInfo] {
    managedObjectContext.queue.check()
    return follower?.contents.sections.infos ?? []
  }

  /// The object at an index path, in O(log n); nil where there is none, as for a path from before a change.
  ///
  /// ```swift
  /// let first = controller.object(at: FetchedIndexPath(section: 0, item: 0))
  /// ```
  public func object(at indexPath: FetchedIndexPath) -> ResultType? {
    managedObjectContext.queue.check()
    return follower?.contents.sections.rank(of: indexPath).map { fetchedObjects[$0] }
  }

  /// Where an object is; nil when it is not among the controller's objects.
  ///
  /// O(log n) comparisons, and O(n) the first time after a change of a request that is fetched again for each change.
  ///
  /// ```swift
  /// if let path = controller.indexPath(for: quake) { print("row \(path.item)") }
  /// ```
  public func indexPath(for object: ResultType) -> FetchedIndexPath? { indexPath(forObjectID: object.objectID) }

  /// The same by the object's ID.
  ///
  /// ```swift
  /// let path = controller.indexPath(forObjectID: quakeID)
  /// ```
  public func indexPath(forObjectID objectID: ManagedObjectID) -> FetchedIndexPath? {
    managedObjectContext.queue.check()
    guard let follower else { return nil }
    let objectID = managedObjectContext.persistentStoreCoordinator.own(objectID)
    return follower.rank(of: objectID).map(follower.contents.path(ofRank:))
  }

  /// The IDs of all objects, by section, for code on other queues, in O(n).
  ///
  /// ```swift
  /// let rows = controller.snapshot
  /// for section in rows.sections { print(section.name, section.objectIDs.count) }
  /// ```
  public var snapshot: FetchedResultsSnapshot {
    managedObjectContext.queue.check()
    guard let follower else { return FetchedResultsSnapshot(.none, []) }
    var objectIDs: [ManagedObjectID] = []
    objectIDs.reserveCapacity(follower.contents.keys.count)
    follower.contents.keys.forEach { objectIDs.append(follower.rows.objectID($0)) }
    return FetchedResultsSnapshot(follower.contents.sections, objectIDs)
  }
}

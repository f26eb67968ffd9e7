// Access to a controller's objects: all of them, by section, by index path.

/// A section of a controller's objects.
///
/// ```swift
/// for section in controller.sections { print("\(section.name): \(section.numberOfObjects)") }
/// ```
public struct FetchedResultsSectionInfo: Sendable, Hashable {
  /// The objects' value at the controller's `sectionNameKeyPath`, as text; empty for null and without a key path.
  public let name: String
  public let numberOfObjects: Int
  /// The index of the section's first object among all objects.
  public let offset: Int
}

/// The objects of a controller at the time of the call; each object is created on first use.
///
/// Use it on its context's queue. Access takes O(log n).
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
    // As with an array, an index out of range traps.
    guard let follower else { preconditionFailure("index \(position) of no objects") }
    follower.context.queue.check()
    let key = keys[position]
    // Safe by proof: the fetch has checked the class of the request's entities.
    return unsafeDowncast(follower.object(key, atRank: position), to: ResultType.self)
  }
}

extension FetchedResultsController {
  /// The objects in their order, in O(1); empty before ``performFetch()``.
  ///
  /// ```swift
  /// for quake in controller.fetchedObjects.prefix(20) { print(quake[Quake.code] ?? "") }
  /// ```
  public var fetchedObjects: FetchedObjects<ResultType> {
    managedObjectContext.queue.check()
    return FetchedObjects(follower)
  }

  /// The sections in their order, in O(sections); without a ``sectionNameKeyPath`` there is one, which may be empty.
  public var sections: [FetchedResultsSectionInfo] {
    managedObjectContext.queue.check()
    return follower?.contents.sections.infos ?? []
  }

  /// The object at an index path, in O(log n); `nil` if there is none, for example for an outdated path.
  ///
  /// ```swift
  /// let first = controller.object(at: FetchedIndexPath(section: 0, item: 0))
  /// ```
  public func object(at indexPath: FetchedIndexPath) -> ResultType? {
    managedObjectContext.queue.check()
    return follower?.contents.sections.rank(of: indexPath).map { fetchedObjects[$0] }
  }

  /// The index path of an object; `nil` if the controller does not contain it.
  ///
  /// O(log n) comparisons. If changes fetch the request again, O(n) on the first call after a change.
  ///
  /// ```swift
  /// if let path = controller.indexPath(for: quake) { print("row \(path.item)") }
  /// ```
  public func indexPath(for object: ResultType) -> FetchedIndexPath? { indexPath(forObjectID: object.objectID) }

  /// The index path of the object with an ID; `nil` if the controller does not contain it.
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

  /// The IDs of all objects by section, for use on other queues, in O(n).
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

// Changes of a result: sections, items, and all of them together.

/// The position of an object in a result: its section, and its index within the section.
///
/// ```swift
/// let controller = FetchedResultsController(
///   fetchRequest: FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)]),
///   managedObjectContext: context)
/// try controller.performFetch()
/// let first = controller.object(at: FetchedIndexPath(section: 0, item: 0))
/// ```
public struct FetchedIndexPath: Sendable, Hashable, Comparable {
  /// The index of the section, from 0.
  public var section: Int
  /// The index of the object in the section, from 0.
  public var item: Int

  /// Creates an index path; without a `sectionNameKeyPath` there is only the first section.
  ///
  /// ```swift
  /// let third = FetchedIndexPath(section: 0, item: 2)
  /// ```
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (left: FetchedIndexPath, right: FetchedIndexPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

/// A change of an item in a result: an object, identified by its ID, or a dictionary.
///
/// Former index paths are from before the whole transition, new index paths from after it.
///
/// ```swift
/// for await transition in controller.transitions() {
///   for case .insert(let objectID, let path) in transition.changes { print("\(objectID) at \(path.item)") }
/// }
/// ```
public enum FetchedChange<Item: Sendable & Hashable>: Sendable, Hashable {
  /// The item is now in the result.
  case insert(Item, at: FetchedIndexPath)
  /// The item is no longer in the result: it was deleted, or no longer matches the predicate.
  case delete(Item, at: FetchedIndexPath)
  /// The item changed and has another position among the others, or another section.
  case move(Item, from: FetchedIndexPath, to: FetchedIndexPath)
  /// The item changed and kept its position among the others.
  ///
  /// Its index path differs if others before it were inserted or removed.
  ///
  /// Saving a new object also counts as a change: its ID is now the permanent one.
  case update(Item, at: FetchedIndexPath, now: FetchedIndexPath)

  /// The present item, or the item before it was removed.
  public var item: Item {
    switch self {
    case .insert(let item, _), .delete(let item, _), .move(let item, _, _), .update(let item, _, _): item
    }
  }
}

extension FetchedChange where Item == ManagedObjectID {
  /// The object's ID; after a save, the permanent one.
  public var objectID: ManagedObjectID { item }
}

/// A change of an object in a ``FetchedResultsController``.
public typealias FetchedResultsChange = FetchedChange<ManagedObjectID>

/// A change of a section of a result.
///
/// ```swift
/// for case .insert(let name, let index) in transition.sectionChanges { print("\(name) is section \(index)") }
/// ```
public enum FetchedSectionChange: Sendable, Hashable {
  /// The section got its first objects; `at` is its new index.
  case insert(name: String, at: Int)
  /// The section has no objects left; `at` is its former index.
  case delete(name: String, at: Int)
}

/// The changes of a ``FetchedResultsController`` caused by one change of a context.
public typealias FetchedResultsTransition = FetchedTransition<ManagedObjectID>

/// The changes of a result caused by one change of a context; the items are object IDs or dictionaries.
///
/// Sections come first: removed ones from last to first, then new ones from first to last. Items follow: removed ones
/// from last to first, new ones from first to last, then moved and updated ones in the order of their new positions.
/// Each item is in at most one change.
///
/// ```swift
/// var rows = controller.snapshot
/// for await transition in controller.transitions() { rows.apply(transition) }
/// ```
public struct FetchedTransition<Item: Sendable & Hashable>: Sendable {
  /// Sections that were inserted and removed.
  public let sectionChanges: [FetchedSectionChange]
  /// Items that were inserted, removed, moved and changed.
  public let changes: [FetchedChange<Item>]
  /// The offsets at which sections began before and begin now.
  let starts: (old: [Int], new: [Int])
  /// Former items that have changed: IDs of objects that were saved, and dictionaries; by their new offsets.
  let former: [Int: Item]

  var isEmpty: Bool { sectionChanges.isEmpty && changes.isEmpty }

  /// The changes of the list of all items without sections, for ``Swift/RangeReplaceableCollection/applying(_:)``.
  ///
  /// Moved items, IDs of objects that were saved, and changed dictionaries are removed and inserted. O(changes log
  /// changes).
  ///
  /// ```swift
  /// var objectIDs = controller.snapshot.objectIDs
  /// for await transition in controller.transitions() {
  ///   objectIDs = objectIDs.applying(transition.difference) ?? objectIDs
  /// }
  /// ```
  public var difference: CollectionDifference<Item> {
    var found: [CollectionDifference<Item>.Change] = []
    func move(_ item: Item, _ from: FetchedIndexPath, _ end: Int) {
      let start = starts.old[from.section] + from.item
      found.append(.remove(offset: start, element: former[end] ?? item, associatedWith: end))
      found.append(.insert(offset: end, element: item, associatedWith: start))
    }
    for change in changes {
      switch change {
      case .insert(let item, let path):
        found.append(.insert(offset: starts.new[path.section] + path.item, element: item, associatedWith: nil))
      case .delete(let item, let path):
        found.append(.remove(offset: starts.old[path.section] + path.item, element: item, associatedWith: nil))
      case .move(let item, let from, let to): move(item, from, starts.new[to.section] + to.item)
      case .update(let item, let from, let to):
        let end = starts.new[to.section] + to.item
        if former[end] != nil { move(item, from, end) }
      }
    }
    return CollectionDifference(trusting: found)
  }
}

// What changed in a result: sections, items, and all of it at once.

/// The position of an object in a result: its section, and its index there.
///
/// ```swift
/// let controller = FetchedResultsController(
///   fetchRequest: FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)]),
///   managedObjectContext: context)
/// try controller.performFetch()
/// let first = controller.object(at: FetchedIndexPath(section: 0, item: 0))
/// ```
public struct FetchedIndexPath: Sendable, Hashable, Comparable {
  /// The section's place among the sections, from 0.
  public var section: Int
  /// The object's place in the section, from 0.
  public var item: Int

  /// The place in a section; the first section is the only one without a `sectionNameKeyPath`.
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

/// A change of an item of a result: of an object, known by its ID, or of a dictionary.
///
/// Former index paths are those before the whole transition, new index paths those after it.
///
/// ```swift
/// for await transition in controller.transitions() {
///   for case .insert(let objectID, let path) in transition.changes { print("\(objectID) at \(path.item)") }
/// }
/// ```
public enum FetchedChange<Item: Sendable & Hashable>: Sendable, Hashable {
  /// The item is in the result now.
  case insert(Item, at: FetchedIndexPath)
  /// The item is no longer in the result: it was deleted, or the predicate does not match it any more.
  case delete(Item, at: FetchedIndexPath)
  /// The item changed and has another place among the others, or another section.
  case move(Item, from: FetchedIndexPath, to: FetchedIndexPath)
  /// The item changed and kept its position among the others. Its index path differs if others before it were inserted or
  /// removed.
  ///
  /// A new object that was saved changed too: its ID is the permanent one now.
  case update(Item, at: FetchedIndexPath, now: FetchedIndexPath)

  /// The item now, or before it was removed.
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

/// A change of an object of a ``FetchedResultsController``.
public typealias FetchedResultsChange = FetchedChange<ManagedObjectID>

/// A change of a section of a result.
///
/// ```swift
/// for case .insert(let name, let index) in transition.sectionChanges { print("\(name) is section \(index)") }
/// ```
public enum FetchedSectionChange: Sendable, Hashable {
  /// The section has its first objects, at this place among the sections as they are now.
  case insert(name: String, at: Int)
  /// The section has no objects any more; it was at this place before.
  case delete(name: String, at: Int)
}

/// All that one change of a context did to the objects of a ``FetchedResultsController``.
public typealias FetchedResultsTransition = FetchedTransition<ManagedObjectID>

/// All that one change of a context did to a result of objects, known by their IDs, or of dictionaries.
///
/// Sections are listed first: removed ones from the last to the first, then new ones from the first to the last. The
/// changes of items follow: removed ones from the last to the first, new ones from the first to the last, those
/// that move and those that stay by where they are now. Each item is in one change at most.
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
  /// Where the sections began before and begin now, for offsets.
  let starts: (old: [Int], new: [Int])
  /// What items were before that are others now: IDs of objects that were saved, and dictionaries; by their offsets now.
  let former: [Int: Item]

  var isEmpty: Bool { sectionChanges.isEmpty && changes.isEmpty }

  /// The same for the list of all items without its sections, for ``Swift/RangeReplaceableCollection/applying(_:)``.
  ///
  /// An item that moved is removed and inserted, and so are the ID of an object that was saved, and a dictionary that
  /// changed. O(changes log changes).
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

// What changed in a result: sections, objects, and all of it at once.

/// Where an object of a result is: its section, and its place there.
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

/// What became of an object of a result.
///
/// Index paths of what was are those before the whole transition, index paths of what is those after it.
///
/// ```swift
/// for await transition in controller.transitions() {
///   for case .insert(let objectID, let path) in transition.changes { print("\(objectID) at \(path.item)") }
/// }
/// ```
public enum FetchedResultsChange: Sendable, Hashable {
  /// The object is in the result now.
  case insert(ManagedObjectID, at: FetchedIndexPath)
  /// The object is no longer in the result: it was deleted, or the predicate does not match it any more.
  case delete(ManagedObjectID, at: FetchedIndexPath)
  /// The object changed and has another place among the others, or another section.
  case move(ManagedObjectID, from: FetchedIndexPath, to: FetchedIndexPath)
  /// The object changed and stands where it stood among the others; its index path is another one where others came or
  /// went before it.
  ///
  /// A new object that was saved changed too: its ID is the permanent one now.
  case update(ManagedObjectID, at: FetchedIndexPath, now: FetchedIndexPath)

  /// The object's ID; after a save, the permanent one.
  public var objectID: ManagedObjectID {
    switch self {
    case .insert(let objectID, _), .delete(let objectID, _), .move(let objectID, _, _), .update(let objectID, _, _):
      objectID
    }
  }
}

/// What became of a section of a result.
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

/// All that one change of a context did to a result.
///
/// Sections come first, those that go from the last to the first, then those that come from the first to the last. The
/// changes of objects follow: those that go from the last to the first, those that come from the first to the last, those
/// that move and those that stay by where they are now. Each object is in one change at most.
///
/// ```swift
/// var rows = controller.snapshot
/// for await transition in controller.transitions() { rows.apply(transition) }
/// ```
public struct FetchedResultsTransition: Sendable {
  /// Sections that came and went.
  public let sectionChanges: [FetchedSectionChange]
  /// Objects that came, went, moved and changed.
  public let changes: [FetchedResultsChange]
  /// Where the sections began before and begin now, for offsets.
  let starts: (old: [Int], new: [Int])
  /// The former IDs of objects that were saved, by the ones they have now.
  let formerIDs: [ManagedObjectID: ManagedObjectID]

  var isEmpty: Bool { sectionChanges.isEmpty && changes.isEmpty }

  /// The same for the list of all object IDs without its sections, for ``Swift/RangeReplaceableCollection/applying(_:)``.
  ///
  /// An object that moved is removed and inserted, and so is the ID of one that was saved. O(changes log changes).
  ///
  /// ```swift
  /// var objectIDs = controller.snapshot.objectIDs
  /// for await transition in controller.transitions() {
  ///   objectIDs = objectIDs.applying(transition.difference) ?? objectIDs
  /// }
  /// ```
  public var difference: CollectionDifference<ManagedObjectID> {
    var found: [CollectionDifference<ManagedObjectID>.Change] = []
    func move(_ objectID: ManagedObjectID, _ from: FetchedIndexPath, _ to: FetchedIndexPath) {
      let (start, end) = (starts.old[from.section] + from.item, starts.new[to.section] + to.item)
      found.append(.remove(offset: start, element: formerIDs[objectID] ?? objectID, associatedWith: end))
      found.append(.insert(offset: end, element: objectID, associatedWith: start))
    }
    for change in changes {
      switch change {
      case .insert(let objectID, let path):
        let offset = starts.new[path.section] + path.item
        found.append(.insert(offset: offset, element: objectID, associatedWith: nil))
      case .delete(let objectID, let path):
        let offset = starts.old[path.section] + path.item
        found.append(.remove(offset: offset, element: objectID, associatedWith: nil))
      case .move(let objectID, let from, let to): move(objectID, from, to)
      case .update(let objectID, let from, let to):
        if formerIDs[objectID] != nil { move(objectID, from, to) }
      }
    }
    return CollectionDifference(trusting: found)
  }
}

/// The sections and object IDs of a result as they were at one time, for code on other queues.
///
/// ```swift
/// let rows = controller.snapshot
/// for section in rows.sections { print(section.name, section.objectIDs.count) }
/// ```
public struct FetchedResultsSnapshot: Sendable, Hashable {
  /// A section's name and objects.
  ///
  /// ```swift
  /// let names = controller.snapshot.sections.map(\.name)
  /// ```
  public struct Section: Sendable, Hashable {
    /// What its objects have at the section's key path.
    public var name: String
    public var objectIDs: [ManagedObjectID]
  }

  /// The sections in their order; one without a name where the controller has no `sectionNameKeyPath`.
  public private(set) var sections: [Section]

  init(sections: [Section]) { self.sections = sections }

  /// The IDs of all objects in the order of the result, in O(n).
  public var objectIDs: [ManagedObjectID] { sections.flatMap(\.objectIDs) }

  /// Makes the rows before a transition the rows after it; transitions are applied in their order, each once.
  ///
  /// O(rows of the sections that change).
  ///
  /// ```swift
  /// var rows = controller.snapshot
  /// for await transition in controller.transitions() { rows.apply(transition) }
  /// ```
  public mutating func apply(_ transition: FetchedResultsTransition) {
    var going: [FetchedIndexPath] = []
    var coming: [(path: FetchedIndexPath, objectID: ManagedObjectID)] = []
    for change in transition.changes {
      switch change {
      case .insert(let objectID, let path): coming.append((path, objectID))
      case .delete(_, let path): going.append(path)
      case .move(let objectID, let from, let to):
        going.append(from)
        coming.append((to, objectID))
      case .update: break
      }
    }
    for path in going.sorted(by: >) { sections[path.section].objectIDs.remove(at: path.item) }
    for change in transition.sectionChanges {
      switch change {
      case .delete(_, let index): sections.remove(at: index)
      case .insert(let name, let index): sections.insert(Section(name: name, objectIDs: []), at: index)
      }
    }
    for (path, objectID) in coming.sorted(by: { $0.path < $1.path }) {
      sections[path.section].objectIDs.insert(objectID, at: path.item)
    }
    for case .update(let objectID, _, let path) in transition.changes {
      sections[path.section].objectIDs[path.item] = objectID
    }
  }
}

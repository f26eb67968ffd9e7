// The content of a result at one time, as a value to which changes can be applied.

/// The sections and object IDs of a ``FetchedResultsController`` at one time.
public typealias FetchedResultsSnapshot = FetchedSnapshot<ManagedObjectID>

/// The sections and items of a result at one time, for use on other queues.
///
/// The items of a ``FetchedResultsController`` are the IDs of its objects; those of a ``FetchedDictionariesController``
/// are dictionaries.
///
/// ```swift
/// let rows = controller.snapshot
/// for section in rows.sections { print(section.name, section.items.count) }
/// ```
public struct FetchedSnapshot<Item: Sendable & Hashable>: Sendable, Hashable {
  /// A section's name and items.
  ///
  /// ```swift
  /// let names = controller.snapshot.sections.map(\.name)
  /// ```
  public struct Section: Sendable, Hashable {
    /// The items' value at the section's key path.
    public var name: String
    public var items: [Item]
  }

  /// The sections in their order; without a `sectionNameKeyPath` there is one without a name.
  public private(set) var sections: [Section]

  /// - Parameters:
  ///   - sections: Where the sections begin.
  ///   - items: All items, by section.
  init(_ sections: ResultSections, _ items: [Item]) {
    self.sections = (0..<sections.count).map {
      Section(name: sections.names[$0], items: Array(items[sections.starts[$0]..<sections.starts[$0 + 1]]))
    }
  }

  /// All items in the order of the result, in O(n).
  public var items: [Item] { sections.flatMap(\.items) }

  /// Applies a transition; apply every transition once, in their order.
  ///
  /// O(rows of the sections that change).
  ///
  /// ```swift
  /// var rows = controller.snapshot
  /// for await transition in controller.transitions() { rows.apply(transition) }
  /// ```
  public mutating func apply(_ transition: FetchedTransition<Item>) {
    var going: [FetchedIndexPath] = []
    var coming: [(path: FetchedIndexPath, item: Item)] = []
    for change in transition.changes {
      switch change {
      case .insert(let item, let path): coming.append((path, item))
      case .delete(_, let path): going.append(path)
      case .move(let item, let from, let to):
        going.append(from)
        coming.append((to, item))
      case .update: break
      }
    }
    for path in going.sorted(by: >) { sections[path.section].items.remove(at: path.item) }
    for change in transition.sectionChanges {
      switch change {
      case .delete(_, let index): sections.remove(at: index)
      case .insert(let name, let index): sections.insert(Section(name: name, items: []), at: index)
      }
    }
    for (path, item) in coming.sorted(by: { $0.path < $1.path }) {
      sections[path.section].items.insert(item, at: path.item)
    }
    for case .update(let item, _, let path) in transition.changes {
      sections[path.section].items[path.item] = item
    }
  }
}

extension FetchedSnapshot where Item == ManagedObjectID {
  /// The IDs of all objects in the order of the result, in O(n).
  public var objectIDs: [ManagedObjectID] { items }
}

extension FetchedSnapshot.Section where Item == ManagedObjectID {
  /// The IDs of its objects.
  public var objectIDs: [ManagedObjectID] { items }
}

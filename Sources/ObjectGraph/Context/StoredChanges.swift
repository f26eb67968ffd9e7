// What a context stored or learned since a fetch, so that a result's rows are not taken for what is stored when they no
// longer are.

/// IDs of rows that were written, deleted or refreshed, as links of a chain that grows at its end.
///
/// A context holds the last link. A follower of the chain holds the link that it has reached, so links that nobody will read
/// are freed.
final class StoredChanges {
  // Unchecked, because every look at an element of a result asks, and no closure runs inside an access.
  @exclusivity(unchecked) fileprivate(set) var objectIDs: [ManagedObjectID] = []
  @exclusivity(unchecked) fileprivate var next: StoredChanges?
  /// Whether all rows that were read before the link may be otherwise now.
  fileprivate let concernsAll: Bool

  fileprivate init(concernsAll: Bool = false) { self.concernsAll = concernsAll }

  /// Link by link, because a long chain that releases itself recursively would overflow the stack.
  deinit {
    var rest = next
    next = nil
    while isKnownUniquelyReferenced(&rest), let link = rest {
      rest = link.next
      link.next = nil
    }
  }
}

/// The end of a context's chain of changes.
struct StoredChangesLog {
  private var last = StoredChanges()

  /// Begins to follow what is written from now on.
  mutating func follow() -> FollowedChanges {
    if !last.objectIDs.isEmpty { add(StoredChanges()) }
    return FollowedChanges(from: last)
  }

  private mutating func add(_ link: StoredChanges) {
    last.next = link
    last = link
  }

  /// Everything read until now must be read again.
  mutating func expireAll() {
    if isKnownUniquelyReferenced(&last) { return }
    add(StoredChanges(concernsAll: true))
  }

  /// Rows were written or deleted, or must be read again.
  ///
  /// Costs nothing while nobody follows.
  mutating func append(_ objectIDs: some Sequence<ManagedObjectID>) {
    if isKnownUniquelyReferenced(&last) { return }
    last.objectIDs.append(contentsOf: objectIDs)
  }
}

/// What was written, deleted or refreshed since a fetch.
final class FollowedChanges {
  @exclusivity(unchecked) private var link: StoredChanges
  /// How many of the link's IDs were taken in.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var changed: Set<ManagedObjectID> = []
  /// Whether all rows must be read again, as found when a row was last requested.
  @exclusivity(unchecked) private(set) var concernsAll = false
  /// What was read again of a result whose rows all are.
  var again: RowsReadAgain?
  /// Before anything of the fetch was read.
  let start = ReadTime.now
  /// The objects of rows that are gone, so that each position of a result returns the same object every time.
  var gone: [ManagedObjectID: ManagedObject] = [:]

  fileprivate init(from link: StoredChanges) { self.link = link }

  /// Whether the row was written, deleted or refreshed; O(1), and what came new is taken in once.
  func contains(_ objectID: ManagedObjectID) -> Bool {
    takeIn()
    return concernsAll || !changed.isEmpty && changed.contains(objectID)
  }

  /// Whether nothing was written, deleted or refreshed by now.
  var isEmpty: Bool {
    @inline(__always) get {
      takeIn()
      return !concernsAll && changed.isEmpty
    }
  }

  /// Everything that was read must be read again.
  func expire() { concernsAll = true }

  /// Whether all rows must be read again by now.
  var isExpired: Bool {
    takeIn()
    return concernsAll
  }

  @inline(__always)
  private func takeIn() {
    while true {
      if position < link.objectIDs.count {
        if !concernsAll { changed.formUnion(link.objectIDs[position...]) }
        position = link.objectIDs.count
      }
      guard let next = link.next else { break }
      link = next
      position = 0
      if next.concernsAll { concernsAll = true }
    }
  }
}

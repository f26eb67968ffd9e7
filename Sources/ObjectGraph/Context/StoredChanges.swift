// What a context stored or learned since a fetch, so that a result's rows are not taken for what is stored when they no
// longer are.

/// IDs of rows that were written, deleted or refreshed, as links of a chain that grows at its end.
///
/// A context holds the last link; a follower of the chain holds the link at which it stands, so that links nobody will
/// read any more are gone.
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

  /// Whatever was read until now is to be read again.
  mutating func expireAll() {
    if isKnownUniquelyReferenced(&last) { return }
    add(StoredChanges(concernsAll: true))
  }

  /// Rows were written, deleted or are to be read again; free while nobody follows.
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
  /// Whether all rows are to be read again, as was found when a row was last asked for.
  @exclusivity(unchecked) private(set) var concernsAll = false
  /// What was read again of a result whose rows all are.
  var again: RowsReadAgain?
  /// Before anything of the fetch was read.
  let start = ReadTime.now
  /// Objects that stand for rows that are gone, so that each place of a result gives the same one every time.
  var gone: [ManagedObjectID: ManagedObject] = [:]

  fileprivate init(from link: StoredChanges) { self.link = link }

  /// Whether the row was written, deleted or refreshed; O(1), and what came new is taken in once.
  func contains(_ objectID: ManagedObjectID) -> Bool {
    takeIn()
    return concernsAll || !changed.isEmpty && changed.contains(objectID)
  }

  /// Whatever was read is to be read again.
  func expire() { concernsAll = true }

  /// Whether all rows are to be read again by now.
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

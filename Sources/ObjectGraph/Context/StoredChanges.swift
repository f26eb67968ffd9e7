// Tracks what a context stored or learned since a fetch, so that outdated rows of a result are not mistaken for what is
// stored.

/// IDs of rows that were written, deleted or refreshed, as links of a chain that grows at its end.
///
/// A context holds the last link. A follower of the chain holds the link that it has reached, so links that nobody will
/// read are freed.
final class StoredChanges {
  // Exclusivity is unchecked, because every access to a result's element uses these, and no closure runs during an
  // access.
  @exclusivity(unchecked) fileprivate(set) var objectIDs: [ManagedObjectID] = []
  @exclusivity(unchecked) fileprivate var next: StoredChanges?
  /// Whether any row read before the link may have changed.
  fileprivate let concernsAll: Bool

  fileprivate init(concernsAll: Bool = false) { self.concernsAll = concernsAll }

  /// Free it link by link, because releasing a long chain recursively would overflow the stack.
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

  /// Starts following what is written from now on.
  mutating func follow() -> FollowedChanges {
    if !last.objectIDs.isEmpty { add(StoredChanges()) }
    return FollowedChanges(from: last)
  }

  private mutating func add(_ link: StoredChanges) {
    last.next = link
    last = link
  }

  /// Records that everything read so far must be read again.
  mutating func expireAll() {
    if isKnownUniquelyReferenced(&last) { return }
    add(StoredChanges(concernsAll: true))
  }

  /// Records rows that were written or deleted, or must be read again.
  ///
  /// It costs nothing if nobody follows.
  mutating func append(_ objectIDs: some Sequence<ManagedObjectID>) {
    if isKnownUniquelyReferenced(&last) { return }
    last.objectIDs.append(contentsOf: objectIDs)
  }
}

/// Rows written, deleted or refreshed since a fetch.
final class FollowedChanges {
  @exclusivity(unchecked) private var link: StoredChanges
  /// How many of the link's IDs were processed.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var changed: Set<ManagedObjectID> = []
  /// Whether all rows must be read again, as of the last row that was requested.
  @exclusivity(unchecked) private(set) var concernsAll = false
  /// The rows that were read again, if all rows of a result must be.
  var again: RowsReadAgain?
  /// A time before anything of the fetch was read.
  let start = ReadTime.now
  /// The objects of deleted rows, so that each position of a result always returns the same object.
  var gone: [ManagedObjectID: ManagedObject] = [:]

  fileprivate init(from link: StoredChanges) { self.link = link }

  /// Whether the row was written, deleted or refreshed; O(1) after processing new changes once.
  func contains(_ objectID: ManagedObjectID) -> Bool {
    takeIn()
    return concernsAll || !changed.isEmpty && changed.contains(objectID)
  }

  /// Whether nothing was written, deleted or refreshed so far.
  var isEmpty: Bool {
    @inline(__always) get {
      takeIn()
      return !concernsAll && changed.isEmpty
    }
  }

  /// Records that everything read so far must be read again.
  func expire() { concernsAll = true }

  /// Whether all rows must be read again.
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

// What a context stored or learned since a fetch, so that a result's rows are not taken for what is stored when they no
// longer are.

/// IDs of rows that were written or deleted, as links of a chain that grows at its end.
///
/// A context holds the last link; a follower of the chain holds the link at which it stands, so that links nobody will
/// read any more are gone.
final class StoredChanges {
  // Unchecked, because every look at an element of a result asks, and no closure runs inside an access.
  @exclusivity(unchecked) fileprivate(set) var objectIDs: [ManagedObjectID] = []
  @exclusivity(unchecked) fileprivate var next: StoredChanges?

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
    if !last.objectIDs.isEmpty {
      let link = StoredChanges()
      last.next = link
      last = link
    }
    return FollowedChanges(from: last)
  }

  /// Rows were written or deleted; free while nobody follows.
  mutating func append(_ objectIDs: some Sequence<ManagedObjectID>) {
    if isKnownUniquelyReferenced(&last) { return }
    last.objectIDs.append(contentsOf: objectIDs)
  }
}

/// What was written or deleted since a fetch.
final class FollowedChanges {
  @exclusivity(unchecked) private var link: StoredChanges
  /// How many of the link's IDs were taken in.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var changed: Set<ManagedObjectID> = []
  /// Before anything of the fetch was read.
  let start = ReadTime.now
  /// Objects that stand for rows that are gone, so that each place of a result gives the same one every time.
  var gone: [ManagedObjectID: ManagedObject] = [:]

  fileprivate init(from link: StoredChanges) { self.link = link }

  /// Whether the row was written or deleted; O(1), and what came new is taken in once.
  func contains(_ objectID: ManagedObjectID) -> Bool {
    while true {
      if position < link.objectIDs.count {
        changed.formUnion(link.objectIDs[position...])
        position = link.objectIDs.count
      }
      guard let next = link.next else { break }
      link = next
      position = 0
    }
    return !changed.isEmpty && changed.contains(objectID)
  }
}

// The answer to a fetch: a collection that makes an object only when it is looked at.

/// The objects a fetch found.
///
/// It belongs to its context and is used on that context's queue. O(1) access.
public struct FetchResults: RandomAccessCollection {
  let context: ManagedObjectContext
  let rows: [StoredRow]
  let pending: [ManagedObject]
  let range: Range<Int>

  public var startIndex: Int { 0 }
  public var endIndex: Int { range.count }

  public subscript(position: Int) -> ManagedObject {
    precondition(indices.contains(position), "index \(position) of a result of \(count) objects")
    let place = range.lowerBound + position
    return place < rows.count
      ? context.object(for: rows[place]) : pending[place - rows.count]
  }

  /// The IDs of the objects, without making them.
  public var objectIDs: [ManagedObjectID] {
    range.map { $0 < rows.count ? rows[$0].objectID : pending[$0 - rows.count].objectID }
  }
}

/// A row as the store has it.
struct StoredRow: Sendable {
  let objectID: ManagedObjectID
  let snapshot: RowSnapshot
}

// The source of a context's objects: the coordinator or a parent context.
internal import CoreDataModel

/// Reads stored objects for a context.
///
/// For a child context, all of its parent's objects count as stored, saved or not.
protocol ObjectReader: AnyObject, Sendable {
  /// The rows of a fetch, until `shouldContinue`, which is called after each row, returns false.
  func rows(_ fetch: StoreFetch, shouldContinue: () -> Bool) throws(ObjectGraphError) -> StoredRows
  /// How many rows a fetch would return without its offset and limit.
  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int
  /// One row; `nil` if there is none.
  func row(_ objectID: ManagedObjectID, layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot?
  /// The rows of the IDs, in their order; `nil` for deleted ones.
  func rows(of objectIDs: [ManagedObjectID]) throws(ObjectGraphError) -> PlacedRows
  /// The objects of a to-many relationship for each object, by key; objects without any may be omitted.
  ///
  /// All objects, including new ones, must be in the same store.
  func relatedObjects(
    of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]]
  /// Like `relatedObjects`, with the rows of these objects, and without deleted ones.
  func relatedRows(of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout) throws(ObjectGraphError) -> RelatedRows
}

extension ObjectReader {
  func rows(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredRows { try rows(fetch) { true } }
}

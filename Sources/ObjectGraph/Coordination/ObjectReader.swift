// Where a context's objects come from: the coordinator, or a parent context.
internal import CoreDataModel

/// Answers what a context asks about stored objects.
///
/// For a child context, stored is what its parent has, saved or not.
protocol ObjectReader: AnyObject, Sendable {
  /// The rows of a fetch, until `shouldContinue`, which is called after each row, returns false.
  func rows(_ fetch: StoreFetch, shouldContinue: () -> Bool) throws(ObjectGraphError) -> StoredRows
  /// How many rows a fetch would give without its window.
  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int
  /// One row; nil when there is none.
  func row(_ objectID: ManagedObjectID, layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot?
  /// The rows of the IDs, in their order; `nil` for deleted ones.
  func rows(of objectIDs: [ManagedObjectID]) throws(ObjectGraphError) -> PlacedRows
  /// The objects of a to-many relationship of each object, by its key; those without any may be left out.
  ///
  /// The objects are of one store, new ones among them.
  func relatedObjects(
    of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]]
  /// The same with the rows of these objects, without deleted ones.
  func relatedRows(of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout) throws(ObjectGraphError) -> RelatedRows
}

extension ObjectReader {
  func rows(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredRows { try rows(fetch) { true } }
}

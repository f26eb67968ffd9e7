// A request for fetching objects or values.
internal import CoreDataModel

/// A request for objects of an entity, their IDs or number, or some of their properties as dictionaries.
///
/// The request's type determines the type of the objects: `FetchRequest<Dog>(entityName: "Dog")` returns dogs, and
/// `FetchRequest(entityName: "Dog")` returns managed objects, whatever their class.
///
/// The method decides what you get: ``ManagedObjectContext/fetch(_:)``, ``ManagedObjectContext/fetchObjectIDs(_:)``,
/// ``ManagedObjectContext/count(for:)`` or ``ManagedObjectContext/fetchDictionaries(_:)``.
///
/// ```swift
/// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
/// request.sortDescriptors = [FetchSortDescriptor(Quake.magnitude, ascending: false)]
/// request.fetchLimit = 10
/// let strongest = try context.fetch(request)
/// ```
public struct FetchRequest<ResultType: ManagedObject>: Sendable, Hashable {
  /// The entity to fetch, including sub-entities unless ``includesSubentities`` is false.
  public var entityName: String
  /// The stores to fetch from; `nil` for all that have the entity.
  ///
  /// It is an error to select a store that is not open in the coordinator or does not have the entity.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake")
  /// request.affectedStores = [archive]
  /// ```
  public var affectedStores: [PersistentStore]?
  /// The condition for objects; `nil` for all.
  public var predicate: FetchPredicate?
  /// The order, the most significant descriptor first; objects that are equal in all of them are in key order.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The most objects to return; 0 for all.
  public var fetchLimit = 0
  /// How many objects to skip first.
  public var fetchOffset = 0
  /// Whether to include objects of sub-entities.
  public var includesSubentities = true
  /// Whether unsaved changes of the context affect the result.
  ///
  /// Dictionaries always come only from the store.
  public var includesPendingChanges = true
  /// How many rows a result reads at a time, when its objects are used; 0 to read all at once.
  ///
  /// With a batch size, the fetch itself reads only keys. An asynchronous fetch always reads all rows at once.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)])
  /// request.fetchBatchSize = 200
  /// for quake in try context.fetch(request).prefix(50) { print(quake[Quake.code] ?? "") }  // reads 200 rows
  /// ```
  public var fetchBatchSize = 0
  /// Whether to read rows together with their keys.
  ///
  /// If not, every object that is not in the context yet is a fault.
  ///
  /// A fault reads its own row when it is used, and also when it is deleted, which requires the row's version.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// request.includesPropertyValues = false
  /// let firstPlace = try context.fetch(request).first?[Quake.place]  // reads the keys of all, and one row
  /// ```
  public var includesPropertyValues = true
  /// Relationships, or paths such as `"region.country"`, with objects to read together with the fetch.
  ///
  /// Such a fetch reads all rows at once, whatever the batch size, and its result retains what was read. This also
  /// applies to an asynchronous fetch, which reads the relationships on the context's queue.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake")
  /// request.relationshipKeyPathsForPrefetching = ["region"]
  /// let names = try context.fetch(request).map { $0[Quake.region]?[Region.name] }  // no further reads
  /// ```
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// The contents of dictionaries, in this order; if empty, all stored attributes of the entity.
  ///
  /// `objectID` is the object itself.
  ///
  /// A fetch of objects reads only these attributes and to-one relationships, or all if the list is empty. The objects
  /// are faults with these values; using any other property reads the whole row. Child contexts, fetches that prefetch
  /// or sort along relationships, and asynchronous fetches read whole rows.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = ["code", "region.name"]
  /// for row in try context.fetchDictionaries(request) { print(row["code"], row["region.name"]) }
  /// ```
  public var propertiesToFetch: [FetchedProperty] = []
  /// Attributes, to-one relationships and paths to group by; rows with equal values become one dictionary.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["place"]
  /// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
  /// ```
  public var propertiesToGroupBy: [String] = []
  /// The condition on groups.
  ///
  /// It may use the grouped properties, aggregates, and expressions by their names.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["place"]
  /// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
  /// request.havingPredicate = try FetchPredicate(format: "quakes > 10")
  /// ```
  public var havingPredicate: FetchPredicate?
  /// Whether to return equal dictionaries only once.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = ["place"]
  /// request.returnsDistinctResults = true
  /// let places = try context.fetchDictionaries(request).map { $0["place"] }
  /// ```
  public var returnsDistinctResults = false

  /// Creates a request for objects of class `ResultType`.
  ///
  /// ```swift
  /// extension Quake {
  ///   static func above(_ magnitude: Double) -> FetchRequest<Quake> {
  ///     FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > magnitude)
  ///   }
  /// }
  /// ```
  public init(entityName: String, predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = []) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  var window: Window { Window(offset: max(fetchOffset, 0), limit: max(fetchLimit, 0)) }
}

extension FetchRequest where ResultType == ManagedObject {
  /// Creates a request for objects of any class; used if you do not specify a class.
  ///
  /// ```swift
  /// let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("time")])
  /// let first = try context.fetch(request).first?["code"]
  /// ```
  public init(entityName: String, predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = []) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }
}

extension FetchRequest {
  /// The same request for objects of any class.
  var untyped: FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(
      entityName: entityName, predicate: predicate, sortDescriptors: sortDescriptors)
    request.affectedStores = affectedStores
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.fetchBatchSize = fetchBatchSize
    request.includesPropertyValues = includesPropertyValues
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    request.propertiesToFetch = propertiesToFetch
    request.propertiesToGroupBy = propertiesToGroupBy
    request.havingPredicate = havingPredicate
    request.returnsDistinctResults = returnsDistinctResults
    return request
  }
}

/// The offset and limit of a result; a limit of 0 means no limit.
struct Window: Sendable, Hashable {
  var offset: Int
  var limit: Int

  static let all = Window(offset: 0, limit: 0)

  func range(in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(limit == 0 ? count : start + min(limit, count - start))
  }

  /// A window from the first row to the end of this one, extended by the rows that may be removed from the result.
  func reaching(past count: Int) -> Window {
    if limit == 0 { return .all }
    let (end, overflows) = offset.addingReportingOverflow(limit)
    let (wider, overflowsToo) = end.addingReportingOverflow(count)
    return overflows || overflowsToo ? .all : Window(offset: 0, limit: wider)
  }
}

/// A fetch in the form that a store executes: the entities of one hierarchy, and the request without pending changes.
struct StoreFetch: Sendable {
  /// The requested entity; keys in the predicate are its properties.
  let layout: EntityLayout
  /// The entities of the requested objects, without abstract ones.
  let family: [EntityLayout]
  /// Whether the family consists of the requested entity and all of its descendants.
  var includesSubentities = true
  let predicate: FetchPredicate?
  let sortDescriptors: [FetchSortDescriptor]
  var window: Window
  /// The stores to fetch from; `nil` for all that have the entity.
  var stores: [PersistentStore]?
  /// The columns to read; `nil` for all.
  ///
  /// The other slots of the rows are null, so such rows are only for comparisons and never become objects.
  var columns: Set<String>?
  /// The properties to read if the rows become faults with these values; `nil` for whole rows.
  var partial: PartialProperties?

  func reads(_ column: String) -> Bool { (columns ?? partial?.columns)?.contains(column) ?? true }
}

extension CompiledModel {
  /// The request with its entities: its own and, if requested, its sub-entities.
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  func fetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> StoreFetch {
    let layout = try layout(named: request.entityName)
    let family = request.includesSubentities ? Array(layouts[layout.family]) : [layout]
    return StoreFetch(
      layout: layout, family: family.filter { !$0.entity.isAbstract },
      includesSubentities: request.includesSubentities, predicate: request.predicate,
      sortDescriptors: request.sortDescriptors, window: request.window, stores: request.affectedStores)
  }
}

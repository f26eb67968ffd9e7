// What to fetch.
internal import CoreDataModel

/// Asks for objects of an entity, for their IDs or number, or for single properties of them as dictionaries.
///
/// Objects come as the class that the request names: `FetchRequest<Dog>(entityName: "Dog")` finds dogs, and
/// `FetchRequest(entityName: "Dog")` plain managed objects, whatever class they are of.
///
/// What it is given to decides what it answers: ``ManagedObjectContext/fetch(_:)``,
/// ``ManagedObjectContext/fetchObjectIDs(_:)``, ``ManagedObjectContext/count(for:)`` or
/// ``ManagedObjectContext/fetchDictionaries(_:)``.
///
/// ```swift
/// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
/// request.sortDescriptors = [FetchSortDescriptor(Quake.magnitude, ascending: false)]
/// request.fetchLimit = 10
/// let strongest = try context.fetch(request)
/// ```
public struct FetchRequest<ResultType: ManagedObject>: Sendable, Hashable {
  /// The entity whose objects are asked for, with those that inherit from it unless ``includesSubentities`` is false.
  public var entityName: String
  /// The stores to ask; nil for all that hold the entity.
  ///
  /// Naming a store that is not open in the coordinator, or that does not hold the entity, is an error.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake")
  /// request.affectedStores = [archive]
  /// ```
  public var affectedStores: [PersistentStore]?
  /// What must hold for an object; nil for all.
  public var predicate: FetchPredicate?
  /// The order, the first counting most; objects that are equal in all come in the order of their keys.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The most objects to give; 0 for all.
  public var fetchLimit = 0
  /// How many objects to pass over first.
  public var fetchOffset = 0
  /// Whether objects of entities that inherit from the entity are given too.
  public var includesSubentities = true
  /// Whether unsaved changes of the context decide which objects are given.
  ///
  /// Dictionaries come from the store alone, whatever this says.
  public var includesPendingChanges = true
  /// How many rows a result reads at a time, as its objects are looked at; 0 to read all at once.
  ///
  /// With a batch size the fetch itself reads keys only. An asynchronous fetch reads the rows of all its objects at once.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)])
  /// request.fetchBatchSize = 200
  /// for quake in try context.fetch(request).prefix(50) { print(quake[Quake.code] ?? "") }  // reads 200 rows
  /// ```
  public var fetchBatchSize = 0
  /// Whether rows are read together with their keys.
  ///
  /// If not, every object that is not in the context yet is a fault.
  ///
  /// A fault reads its own row, even to be deleted, which needs the row's version.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// request.includesPropertyValues = false
  /// let firstPlace = try context.fetch(request).first?[Quake.place]  // reads the keys of all, and one row
  /// ```
  public var includesPropertyValues = true
  /// Relationships, or paths of them such as `"region.country"`, whose objects are read with the fetch.
  ///
  /// Such a fetch reads all rows at once, whatever the batch size; its result holds what was read. So does an asynchronous
  /// fetch, which reads the relationships on the context's queue.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake")
  /// request.relationshipKeyPathsForPrefetching = ["region"]
  /// let names = try context.fetch(request).map { $0[Quake.region]?[Region.name] }  // no further reads
  /// ```
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// What the dictionaries hold, in this order; all stored attributes of the entity when empty.
  ///
  /// `objectID` is the object itself.
  ///
  /// A fetch of objects reads these attributes and to-one relationships only, and all when it is empty. Its objects are
  /// faults that have them; the first look at another property reads the whole row. Child contexts, fetches that prefetch or
  /// sort along relationships, and asynchronous fetches read whole rows.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = ["code", "region.name"]
  /// for row in try context.fetchDictionaries(request) { print(row["code"], row["region.name"]) }
  /// ```
  public var propertiesToFetch: [FetchedProperty] = []
  /// Attributes, to-one relationships and paths through these whose rows of equal values become one dictionary.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["place"]
  /// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
  /// ```
  public var propertiesToGroupBy: [String] = []
  /// The condition on groups.
  ///
  /// It may use the grouped properties and the aggregates, and expressions by their names.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["place"]
  /// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
  /// request.havingPredicate = try FetchPredicate(format: "quakes > 10")
  /// ```
  public var havingPredicate: FetchPredicate?
  /// Whether dictionaries that are equal in all they hold are given once.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = ["place"]
  /// request.returnsDistinctResults = true
  /// let places = try context.fetchDictionaries(request).map { $0["place"] }
  /// ```
  public var returnsDistinctResults = false

  /// A request for objects of the class that `ResultType` names.
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
  /// A request for objects of no particular class, which is what a request is for that names none.
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
  /// The same request for objects of no particular class.
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

/// The part of a result that was asked for; a limit of 0 means no limit.
struct Window: Sendable, Hashable {
  var offset: Int
  var limit: Int

  static let all = Window(offset: 0, limit: 0)

  func range(in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(limit == 0 ? count : start + min(limit, count - start))
  }

  /// All rows up to the end of this window, and as many more as may be removed from the result.
  func reaching(past count: Int) -> Window {
    if limit == 0 { return .all }
    let (end, overflows) = offset.addingReportingOverflow(limit)
    let (wider, overflowsToo) = end.addingReportingOverflow(count)
    return overflows || overflowsToo ? .all : Window(offset: 0, limit: wider)
  }
}

/// A fetch as the store carries it out: entities of one hierarchy, and the request without anything pending.
struct StoreFetch: Sendable {
  /// The entity that was named; keys of the predicate are its properties.
  let layout: EntityLayout
  /// The entities whose objects are wanted, abstract ones left out.
  let family: [EntityLayout]
  /// Whether that is the named entity with all that inherit from it.
  var includesSubentities = true
  let predicate: FetchPredicate?
  let sortDescriptors: [FetchSortDescriptor]
  var window: Window
  /// The stores to ask; nil for all that hold the entity.
  var stores: [PersistentStore]?
  /// The columns to read; nil for all.
  ///
  /// The other slots of the rows are null, so that such rows are for comparing only and never become objects.
  var columns: Set<String>?
  /// The properties to read where the rows become faults that have these; nil for whole rows.
  var partial: PartialProperties?

  func reads(_ column: String) -> Bool { (columns ?? partial?.columns)?.contains(column) ?? true }
}

extension CompiledModel {
  /// The request with its entities: its own and, if wanted, those that inherit from it.
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

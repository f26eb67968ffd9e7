// A fetch request of a model, kept under a name, whose predicate may leave values open.

/// A request that a model keeps under a name, as text.
///
/// ObjectGraph makes a fetch request from it.
///
/// A variable such as `$MINIMUM` stands for a value that is given when the template is used.
///
/// ```swift
/// let strong = FetchRequestTemplate(entityName: "Quake", predicateFormat: "magnitude >= $MINIMUM")
/// let model = try ManagedObjectModel(entities: [quake, region], fetchRequestTemplates: ["strong": strong])
/// ```
public struct FetchRequestTemplate: Sendable, Hashable {
  /// A key to sort by, and whether the lowest comes first.
  public struct Sorting: Sendable, Hashable {
    public var key: String
    public var isAscending: Bool

    /// Sorts by an attribute, or by a path to one such as `region.name`.
    public init(_ key: String, ascending isAscending: Bool = true) {
      self.key = key
      self.isAscending = isAscending
    }
  }

  /// The entity whose objects are asked for, which must be one of the model's.
  public var entityName: String
  /// What must hold for an object, in the format of predicates; nil for all objects.
  ///
  /// Whether it can be read and fits the entity shows when the template is used.
  public var predicateFormat: String?
  /// The sort keys, the most significant first.
  public var sortings: [Sorting]
  /// The most objects to give; 0 for all.
  public var fetchLimit: Int
  /// How many rows are read at a time; 0 for all at once.
  public var fetchBatchSize: Int
  /// Whether objects of entities that inherit from the entity are given too.
  public var includesSubentities: Bool

  /// A template for requests of an entity's objects.
  ///
  /// ```swift
  /// let latest = FetchRequestTemplate(
  ///   entityName: "Quake", sortings: [.init("time", ascending: false)], fetchLimit: 10)
  /// ```
  public init(
    entityName: String, predicateFormat: String? = nil, sortings: [Sorting] = [], fetchLimit: Int = 0,
    fetchBatchSize: Int = 0, includesSubentities: Bool = true
  ) {
    self.entityName = entityName
    self.predicateFormat = predicateFormat
    self.sortings = sortings
    self.fetchLimit = fetchLimit
    self.fetchBatchSize = fetchBatchSize
    self.includesSubentities = includesSubentities
  }
}

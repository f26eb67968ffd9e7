// A named fetch request of a model; its predicate may contain variables.

/// A named request of a model, as text.
///
/// ObjectGraph makes a fetch request from it.
///
/// A variable such as `$MINIMUM` gets its value when the template is used.
///
/// ```swift
/// let strong = FetchRequestTemplate(entityName: "Quake", predicateFormat: "magnitude >= $MINIMUM")
/// let model = try ManagedObjectModel(entities: [quake, region], fetchRequestTemplates: ["strong": strong])
/// ```
public struct FetchRequestTemplate: Sendable, Hashable {
  /// A sort key and its direction.
  public struct Sorting: Sendable, Hashable {
    public var key: String
    public var isAscending: Bool

    /// Sorts by an attribute, or by a path to one such as `region.name`.
    public init(_ key: String, ascending isAscending: Bool = true) {
      self.key = key
      self.isAscending = isAscending
    }
  }

  /// The entity to fetch, which must be one of the model's.
  public var entityName: String
  /// The condition for objects, in the predicate format; `nil` for all objects.
  ///
  /// It is parsed and checked against the entity when the template is used.
  public var predicateFormat: String?
  /// The sort keys, the most significant first.
  public var sortings: [Sorting]
  /// The most objects to return; 0 for all.
  public var fetchLimit: Int
  /// How many rows to read at a time; 0 for all at once.
  public var fetchBatchSize: Int
  /// Whether to include objects of sub-entities.
  public var includesSubentities: Bool

  /// Creates a template for requests of an entity's objects.
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

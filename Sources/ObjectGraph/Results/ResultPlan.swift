// How to follow the result of a request: what it depends on, and whether objects in memory decide its members and their
// order.
internal import CoreDataModel

/// What to check when something changes.
struct ResultPlan {
  /// How to process a change.
  enum Mode {
    /// Checks each changed object separately, because the predicate and the order use only its own attributes.
    case byObject
    /// Fetches the request again, because other objects or an offset and limit matter.
    case byFetch
  }

  let request: FetchRequest<ManagedObject>
  let mode: Mode
  let scope: ResultScope
  /// Whether fetched rows have all values, or only those that decide the order.
  let hasWholeRows: Bool
  let order: ResultOrder
  let sectionPath: FetchPath?
  /// Whether rows contain the section names; otherwise objects do.
  let namesSectionsByRow: Bool
  private let evaluator: PredicateEvaluator?
  private let sections = PredicateEvaluator(.constant(true))

  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` without an order,
  ///   ``ObjectGraphError/unknownEntity(found:expected:)``.
  init(
    _ request: FetchRequest<ManagedObject>, sectionNameKeyPath: String?, model: CompiledModel
  ) throws(ObjectGraphError) {
    if request.sortDescriptors.isEmpty {
      throw .invalidFetch(
        entity: request.entityName, found: "no sortDescriptors in the request of a FetchedResultsController",
        expected: "one at least, because its objects have index paths")
    }
    let fetch = try model.fetch(request)
    let sectionPath = sectionNameKeyPath.map { FetchPath($0) }
    scope = try ResultScope(request, sectionPath: sectionPath, model)
    let isByObject = scope.isOfOneObject && request.window == .all && request.includesPendingChanges
    mode = isByObject ? .byObject : .byFetch
    self.request = request
    self.sectionPath = sectionPath
    namesSectionsByRow = sectionPath.map { fetch.layout.isStoredAttribute($0) } ?? true
    hasWholeRows = request.fetchBatchSize == 0 && request.includesPropertyValues && request.propertiesToFetch.isEmpty
    order = ResultOrder(request.sortDescriptors, model, isByObject ? fetch.family : [])
    evaluator = request.predicate.map { PredicateEvaluator($0) }
  }

  /// A request for rows with everything that the result keeps about its objects.
  var rowRequest: FetchRequest<ManagedObject> {
    var request = request
    if hasWholeRows { return request }
    request.fetchBatchSize = 0
    request.includesPropertyValues = true
    let names = request.sortDescriptors.compactMap(\.path.keys.first) + (sectionPath?.keys.prefix(1) ?? [])
    request.propertiesToFetch =
      mode == .byObject && namesSectionsByRow ? Set(names).sorted().map { .property($0) } : []
    return request
  }

  /// Whether the request includes the store of an object.
  func isAsked(of store: StoreIdentity?) -> Bool {
    request.affectedStores.map { stores in stores.contains { $0.identity === store } } ?? true
  }

  /// Whether the predicate matches the object in memory.
  func matches(_ object: ManagedObject) throws -> Bool { try evaluator?.evaluate(object) ?? true }

  /// The name of an object's section.
  ///
  /// - Parameters:
  ///   - objectID: The object.
  ///   - layout: Its entity.
  ///   - row: The row that the result has for it.
  ///   - subject: Called if the row does not contain the name.
  /// - Returns: The object's value at the section's key path, as text.
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for a value that has no text, and the errors
  ///   of the subject.
  func sectionName(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, _ row: RowSnapshot, _ subject: () -> any PredicateSubject
  ) throws -> String {
    guard let sectionPath else { return "" }
    let subject =
      namesSectionsByRow
      ? FoundObject.row(StoredRow(objectID: objectID, layout: layout, snapshot: row)) : subject()
    let value = try sections.value(of: sectionPath, PredicateScope(subject: subject))
    if let name = value.sectionName { return name }
    throw ResultPlan.noSectionName(request.entityName, "\(sectionPath)", value)
  }

  /// The error for a value that has no text.
  static func noSectionName(_ entity: String, _ path: String, _ value: ComparableValue) -> ObjectGraphError {
    .invalidFetch(
      entity: entity, found: "the sectionNameKeyPath '\(path)', which leads to \(value.kind?.rawValue ?? "nothing")",
      expected: "an attribute that has a text to show, such as a string, a number or a date")
  }
}

/// The order of a result's objects, by the values of their rows.
struct ResultOrder {
  private let descriptors: [FetchSortDescriptor]
  /// The descriptors' slots in the rows of each entity, by the entity's index in the model.
  private let slots: [[Int]]

  /// - Parameters:
  ///   - descriptors: The sort descriptors of the objects.
  ///   - model: The model of the entities.
  ///   - family: The entities with objects to sort by their rows.
  init(_ descriptors: [FetchSortDescriptor], _ model: CompiledModel, _ family: [EntityLayout]) {
    self.descriptors = descriptors
    var slots = [[Int]](repeating: [], count: model.layouts.count)
    for layout in family {
      slots[layout.index] = descriptors.compactMap { $0.path.keys.first.flatMap(layout.slot(named:)) }
    }
    self.slots = slots
  }

  /// The order of two rows; equal if no descriptor decides.
  func order(
    _ left: RowSnapshot, _ leftLayout: EntityLayout, _ right: RowSnapshot, _ rightLayout: EntityLayout
  ) -> ValueOrder {
    for (index, descriptor) in descriptors.enumerated() {
      let one = descriptor.sortKey(of: left[slots[leftLayout.index][index]])
      let other = descriptor.sortKey(of: right[slots[rightLayout.index][index]])
      switch ComparableValue.sortOrder(one, other) {
      case .equal: continue
      case .less: return descriptor.isAscending ? .less : .greater
      case .greater: return descriptor.isAscending ? .greater : .less
      }
    }
    return .equal
  }
}

// How a request's result is followed: what it depends on, and whether objects in memory decide its members and their order.
internal import CoreDataModel

/// What must be looked at when something changes.
struct ResultPlan {
  /// How a change is taken in.
  enum Mode {
    /// Every changed object is judged separately, because the predicate and the order use only its own attributes.
    case byObject
    /// The request is fetched again: other objects decide too, or a window.
    case byFetch
  }

  let request: FetchRequest<ManagedObject>
  let mode: Mode
  let scope: ResultScope
  /// Whether rows that are fetched have all values, or only those that decide the order.
  let hasWholeRows: Bool
  let order: ResultOrder
  let sectionPath: FetchPath?
  /// Whether section names are in the rows; else objects are asked.
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

  /// The request whose rows say all that the result keeps of its objects.
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

  /// Whether the store of an object is one that the request asks.
  func isAsked(of store: StoreIdentity?) -> Bool {
    request.affectedStores.map { stores in stores.contains { $0.identity === store } } ?? true
  }

  /// Whether the predicate matches the object as it is in memory.
  func matches(_ object: ManagedObject) throws -> Bool { try evaluator?.evaluate(object) ?? true }

  /// The name of an object's section.
  ///
  /// - Parameters:
  ///   - objectID: The object.
  ///   - layout: Its entity.
  ///   - row: What the result knows of it.
  ///   - subject: Called where the row does not say it.
  /// - Returns: What the object has at the section's key path, as text.
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for a value without a text, and what the subject
  ///   throws.
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

  /// Refuses a value that has no text.
  static func noSectionName(_ entity: String, _ path: String, _ value: ComparableValue) -> ObjectGraphError {
    .invalidFetch(
      entity: entity, found: "the sectionNameKeyPath '\(path)', which leads to \(value.kind?.rawValue ?? "nothing")",
      expected: "an attribute that has a text to show, such as a string, a number or a date")
  }
}

/// The order of a result's objects, by the values of their rows.
struct ResultOrder {
  private let descriptors: [FetchSortDescriptor]
  /// The slots of the descriptors in the rows of each entity, by its place in the model.
  private let slots: [[Int]]

  /// - Parameters:
  ///   - descriptors: What objects are sorted by.
  ///   - model: The model of the entities.
  ///   - family: The entities whose objects are ordered by their rows.
  init(_ descriptors: [FetchSortDescriptor], _ model: CompiledModel, _ family: [EntityLayout]) {
    self.descriptors = descriptors
    var slots = [[Int]](repeating: [], count: model.layouts.count)
    for layout in family {
      slots[layout.index] = descriptors.compactMap { $0.path.keys.first.flatMap(layout.slot(named:)) }
    }
    self.slots = slots
  }

  /// How two rows are ordered; equal where no descriptor decides.
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

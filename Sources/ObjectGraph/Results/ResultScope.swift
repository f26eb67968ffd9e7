// What the result of a request depends on: which entities, and whether each object decides for itself.
internal import CoreDataModel

/// The objects that may affect a result when they change.
struct ResultScope: Sendable {
  /// The entities of objects that may be in the result, by their indexes in the model.
  private let family: Set<Int>
  /// Other entities that the result depends on; `nil` if any change may matter.
  private let others: Set<Int>?
  /// Whether only an object's own values decide whether it is in the result, at which position, and in which section.
  let isOfOneObject: Bool

  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  init(
    _ request: FetchRequest<ManagedObject>, sectionPath: FetchPath? = nil, _ model: CompiledModel
  ) throws(ObjectGraphError) {
    let fetch = try model.fetch(request)
    var scope = DependencyScope(model)
    if let predicate = request.predicate { scope.add(predicate, fetch.layout) }
    for descriptor in request.sortDescriptors { scope.addOrder(descriptor.path, fetch.layout) }
    if let sectionPath { scope.add(sectionPath, fetch.layout) }
    // For objects, these are their own attributes; dictionaries may contain all of it.
    for property in request.propertiesToFetch { scope.add(property.expression, fetch.layout) }
    for name in request.propertiesToGroupBy { scope.add(FetchPath(name), fetch.layout) }
    if let having = request.havingPredicate { scope.add(having, fetch.layout) }
    family = Set(fetch.family.map(\.index))
    others = scope.entities
    isOfOneObject = scope.isOfOneObject
  }

  /// Whether an object may be in the result.
  func isOfFamily(_ objectID: ManagedObjectID) -> Bool { family.contains(Int(objectID.entityIndex)) }

  /// Whether a change of the object may affect the result.
  func dependsOn(_ objectID: ManagedObjectID) -> Bool {
    others.map { isOfFamily(objectID) || $0.contains(Int(objectID.entityIndex)) } ?? true
  }

  /// Whether the notification mentions an object that the result may depend on.
  @Sendable func dependsOn(_ news: ContextNotification) -> Bool {
    news.invalidatedAllObjects || news.inserted.contains(where: dependsOn) || news.updated.contains(where: dependsOn)
      || news.deleted.contains(where: dependsOn) || news.refreshed.contains(where: dependsOn)
  }
}

/// The entities that a predicate, an order and a section's name use besides the objects' own.
private struct DependencyScope {
  private let model: CompiledModel
  /// `nil` if they cannot be determined.
  private(set) var entities: Set<Int>? = []
  /// Whether only an object's own values decide.
  private(set) var isOfOneObject = true

  init(_ model: CompiledModel) { self.model = model }

  mutating func add(_ predicate: FetchPredicate, _ layout: EntityLayout) {
    for comparison in predicate.comparisons {
      add(comparison.left, layout)
      add(comparison.right, layout)
    }
  }

  mutating func add(_ expression: FetchExpression, _ layout: EntityLayout) {
    switch expression {
    case .constant, .object: break
    case .list(let elements): for element in elements { add(element, layout) }
    case .path(let path): add(path, layout)
    case .arithmetic(let left, _, let right):
      add(left, layout)
      add(right, layout)
    case .negation(let operand), .function(_, let operand): add(operand, layout)
    // Its value changes without any notification.
    case .now: isOfOneObject = false
    case .aggregate(_, let path): add(path, layout)
    case .subqueryCount:
      isOfOneObject = false
      entities = nil
    }
  }

  mutating func addOrder(_ path: FetchPath, _ layout: EntityLayout) {
    if !layout.isStoredAttribute(path) { isOfOneObject = false }
    add(path, layout)
  }

  /// Follows a path along relationships; a to-one relationship at its end counts as the object's own value.
  mutating func add(_ path: FetchPath, _ layout: EntityLayout) {
    if path.variable != nil {
      isOfOneObject = false
      entities = nil
      return
    }
    var layout = layout
    for (index, key) in path.keys.enumerated() {
      let isLast = index == path.keys.count - 1
      var destination: Int?
      if let slot = layout.slot(named: key), let toOne = layout.slots[slot].toOne, !isLast {
        destination = toOne.destinationIndex
      } else if let toMany = layout.toManyIndex(named: key) {
        destination = layout.toManyRelationships[toMany].destinationIndex
      }
      guard let destination else { continue }
      isOfOneObject = false
      layout = model.layouts[destination]
      entities?.formUnion(layout.family)
    }
  }
}

extension EntityLayout {
  /// Whether the path is the name of an attribute that is in rows.
  func isStoredAttribute(_ path: FetchPath) -> Bool {
    guard path.variable == nil, path.keys.count == 1, let slot = slot(named: path.keys[0]) else { return false }
    return !isToOne(slot) && !isTransient(slot)
  }
}

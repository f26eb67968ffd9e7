// The classes of entities: creates objects, finds the entity of a class, and checks the classes of fetches.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  /// Creates an object of its entity's class.
  @inline(__always)
  func makeObject(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, state: ManagedObject.State,
    owner: ContextQueue?
  ) -> ManagedObject {
    let seed = ObjectSeed(objectID: objectID, layout: layout, row: row, state: state, owner: owner)
    // The seed retains none of these: after inlining, a caller's last reference to a row could otherwise be released
    // before it is used.
    defer {
      withExtendedLifetime(objectID) {}
      withExtendedLifetime(layout) {}
      withExtendedLifetime(row) {}
      withExtendedLifetime(owner) {}
    }
    if classes.isEmpty { return ManagedObject(seed) }
    return (classes[layout.index] ?? ManagedObject.self).init(seed)
  }

  /// The entity with objects of this class.
  ///
  /// - Throws: ``ObjectGraphError/wrongClass(found:expected:)`` if no entity has the class, or several have it,
  ///   ``ObjectGraphError/abstractEntity(_:)``.
  func layout(of type: ManagedObject.Type) throws(ObjectGraphError) -> EntityLayout {
    let layouts = classes.isEmpty ? [] : compiledModel.layouts.filter { classes[$0.index] == type }
    guard let layout = layouts.first, layouts.count == 1 else {
      let found = layouts.isEmpty ? "of no entity" : "of \(layouts.map(\.entity.name).joined(separator: " and "))"
      let known = classes.compactMap(\.self).map { "\($0)" }.sorted().joined(separator: ", ")
      throw .wrongClass(
        found: "\(type), which is the class \(found)",
        expected: "the class of one entity\(known.isEmpty ? "" : ", such as \(known)"), given to the coordinator by "
          + "classes; insertNewObject(forEntityName:) makes an object of any entity")
    }
    if layout.entity.isAbstract { throw .abstractEntity(layout.entity.name) }
    return layout
  }

  /// Refuses a request if some objects that it may find do not have its class.
  ///
  /// - Throws: ``ObjectGraphError/wrongClass(found:expected:)``, ``ObjectGraphError/unknownEntity(found:expected:)``.
  func checkClass<ResultType>(of request: FetchRequest<ResultType>) throws(ObjectGraphError) {
    if ResultType.self == ManagedObject.self { return }
    let layout = try compiledModel.layout(named: request.entityName)
    let family = request.includesSubentities ? layout.family : layout.index..<layout.index + 1
    for index in family where !compiledModel.layouts[index].entity.isAbstract {
      let known = (classes.isEmpty ? nil : classes[index]) ?? ManagedObject.self
      if known is ResultType.Type { continue }
      throw .wrongClass(
        found: "a fetch of \(request.entityName) as \(ResultType.self), and objects of the entity "
          + "\(compiledModel.layouts[index].entity.name) that are of the class \(known)",
        expected: "\(ResultType.self) or a class that inherits from it, given to the coordinator by classes")
    }
  }
}

// Compares a context with the model's predictions.
internal import CoreDataModel
import ObjectGraph

extension GraphRun {
  /// Every object of the context, its lists, and the results of fetches.
  ///
  /// A failed save may have given pages new positions already, so they are listed as changed.
  func compare(context: Int, isExact: Bool = true) throws {
    let view = model.views[context]
    let toMany = view.state.toMany()
    for id in view.state.records.keys.sorted() { try compare(context, id, toMany) }
    try compareLists(context, isExact: isExact)
    for entity in GraphSchema.entityNames {
      let objects = try contexts[context].fetch(FetchRequest(entityName: entity))
      let expected = view.state.records.filter {
        GraphSchema.root($0.value.entity) == entity || $0.value.entity == entity
      }
      try match(objects.compactMap(id).sorted(), expected.keys.sorted(), "\(entity) objects of context \(context)")
      for object in objects { try checkIdentity(context, object) }
    }
    let registered = contexts[context].registeredObjects
    try match(
      Set(registered.map(\.objectID)).count, registered.count, "rows that objects of context \(context) stand for")
    for object in registered where object.objectID.isTemporaryID != object.isInserted {
      throw GraphMismatch("\(object.objectID) is registered in context \(context)")
    }
  }

  /// Compares one object: its values and both directions of its relationships; to-many relationships are given as their
  /// objects.
  func compare(_ context: Int, _ id: Int, _ toMany: [GraphMark: [Int]]) throws {
    let view = model.views[context]
    guard let record = view.state.records[id] else { return }
    let object = try object(context, id)
    var name: String { "\(record.entity) \(id) of context \(context)" }
    try match(object.entity.name, record.entity, "the entity of \(name)")
    try match(object["id"], .integer(Int64(id)), "the ID of \(name)")
    for (key, value) in record.values.sorted(by: { $0.key < $1.key }) {
      try match(object[key], value, "\(key) of \(name)")
    }
    try match(object.isInserted, view.inserted.contains(id), "isInserted of \(name)")
    try match(object.isDeleted, false, "isDeleted of \(name)")
    try match(object.objectID.isTemporaryID, view.inserted.contains(id), "whether the ID of \(name) is temporary")
    for toOne in GraphSchema.toOnes(of: record.entity) {
      let target = try object.object(forKey: toOne.name)
      try match(target.flatMap(self.id), record.links[toOne.name], "\(toOne.name) of \(name)")
      if let target { try checkIdentity(context, target) }
    }
    for toOne in GraphSchema.oneToManys(of: record.entity) {
      let members = try live(object.objects(forKey: toOne.inverse), view)
      let expected = toMany[GraphMark(id: id, property: toOne.inverse)] ?? []
      try match(
        toOne.inverseIsOrdered ? members : members.sorted(), expected, "\(toOne.inverse) of \(name)")
    }
    for relationship in GraphSchema.manyToManys(of: record.entity) {
      let members = try live(object.objects(forKey: relationship.name), view).sorted()
      let expected = toMany[GraphMark(id: id, property: relationship.name)] ?? []
      try match(members, expected.sorted(), "\(relationship.name) of \(name)")
    }
  }

  /// The records of the objects, without those that the next save deletes: others may have linked something to them in
  /// the meantime, which the save reverts.
  private func live(_ objects: [ManagedObject], _ view: GraphView) throws -> [Int] {
    try objects.map { object in
      guard let id = id(object) else { throw GraphMismatch("a relationship holds \(object.objectID), which has no ID") }
      return id
    }.filter { !view.deleted.contains($0) }
  }

  /// Each row has only one object.
  private func checkIdentity(_ context: Int, _ object: ManagedObject) throws {
    guard let id = id(object), let held = held[context][id] else { return }
    if held !== object { throw GraphMismatch("there are two objects of \(id) in context \(context)") }
  }

  /// The objects that the context lists for insertion, update and deletion.
  ///
  /// It is only exact after every relationship was read: before, it may list a change that another context has also
  /// stored.
  func compareLists(_ index: Int, isExact: Bool) throws {
    let (context, view) = (contexts[index], model.views[index])
    try match(context.insertedObjects.compactMap(id), view.inserted, "inserted objects of context \(index)")
    try match(
      context.deletedObjects.compactMap(id).sorted(), view.deleted.sorted(), "deleted objects of context \(index)")
    let updated = Set(context.updatedObjects.compactMap(id))
    if !updated.isSuperset(of: view.changed) {
      throw GraphMismatch("context \(index) does not list \(view.changed.subtracting(updated).sorted()) as updated")
    }
    guard isExact, view.deleted.isEmpty else { return }
    let relinked = view.relinked
    try match(updated.intersection(relinked).sorted(), relinked.sorted(), "relinked objects of context \(index)")
    // A property that was set to its old value is listed until it is saved or read again.
    let touched = view.touched.union(relinked)
    try match(updated.subtracting(touched).sorted(), [], "updated objects of context \(index) that were not set")
    try match(
      context.hasChanges, !updated.isEmpty || !view.inserted.isEmpty, "hasChanges of context \(index)")
  }

  /// The results of a fetch, if the model can predict them.
  func compare(_ index: Int, _ query: GraphQuery) throws {
    let view = model.views[index]
    // SQL evaluates predicates on the stored values of destinations.
    guard query.isLocal ? view.deleted.isEmpty : !view.hasChanges else { return }
    let request = FetchRequest(
      entityName: query.entity,
      predicate: try FetchPredicate(
        format: query.format, arguments: query.format.contains("%@") ? [query.argument] : []))
    let found = try contexts[index].fetch(request)
    try match(found.compactMap(id).sorted(), query.answer(view), "\(query) in context \(index)")
    for object in found { try checkIdentity(index, object) }
    try match(try contexts[index].count(for: request), found.count, "the count of \(query) in context \(index)")
  }

  private func match<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
  ) throws {
    if found != expected { throw GraphMismatch("\(what()): found \(found), expected \(expected)") }
  }
}

// Relationships followed from fetched objects, and groups of rows, counted over objects or by the store.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// A relationship on a path, and how to read its destinations.
private struct ObjectStep {
  let name: String
  let isToMany: Bool
  let values: ObjectValues
}

extension ObjectFetchSession {
  /// Reads every attribute of the objects and of all objects reached from them.
  func follow(
    _ path: [String], from objects: some Sequence<ManagedObject>, _ values: ObjectValues, into rows: inout FetchedRows
  ) throws {
    let steps = try stack.setup.relationships(on: path).map { relationship in
      ObjectStep(
        name: relationship.name, isToMany: relationship.isToMany,
        values: ObjectValues(of: relationship.destination.attributes))
    }
    for object in objects {
      let hash = values.hash(of: object)
      rows.add(hash)
      try follow(steps[...], from: object, hash, into: &rows)
    }
  }

  private func follow(
    _ steps: ArraySlice<ObjectStep>, from object: ManagedObject, _ origin: RowHash, into rows: inout FetchedRows
  ) throws {
    guard let step = steps.first else { return }
    func reach(_ destination: ManagedObject) throws {
      reached.append(destination)
      let hash = rows.add(step.values.hash(of: destination), reachedFrom: origin)
      try follow(steps.dropFirst(), from: destination, hash, into: &rows)
    }
    if step.isToMany {
      for destination in try object.objects(forKey: step.name) { try reach(destination) }
    } else if let destination = try object.object(forKey: step.name) {
      try reach(destination)
    }
  }

  /// Counts objects in groups, as in an app that already has them.
  func group(_ objects: some Sequence<ManagedObject>, by grouping: RowGrouping, into rows: inout FetchedRows) {
    var tally = GroupTally(grouping, of: stack.entity)
    let fields = ObjectValues(of: tally.names.compactMap { stack.entity.attribute(named: $0) }, sorted: false)
    for object in objects { tally.add { fields.value($0, of: object) } }
    tally.add(to: &rows)
  }

  /// Makes the store count rows in groups, which it returns as dictionaries.
  func group(
    _ chosen: FetchRequest<ManagedObject>, _ query: FetchQuery, over context: ManagedObjectContext,
    into rows: inout FetchedRows
  ) throws {
    guard let grouping = query.grouping else { return }
    let entity = stack.entity
    var request = chosen
    request.propertiesToGroupBy = [grouping.attribute]
    let names = grouping.aggregates.indices.map { "aggregate\($0)" }
    request.propertiesToFetch =
      [.property(grouping.attribute)]
      + zip(names, grouping.aggregates).map { name, aggregate in
        .expression(
          ExpressionDescription(name, aggregate.objectGraphFunction, of: aggregate.attribute ?? ""))
      }
    let types =
      [entity.attribute(named: grouping.attribute)?.type ?? .string] + grouping.aggregates.map { $0.type(in: entity) }
    let groups = try context.fetchDictionaries(request)
    stages?.began(.valueReading)
    for group in groups {
      var hash = RowHash()
      for (name, type) in zip([grouping.attribute] + names, types) { hash.add(group[name], type: type) }
      rows.add(hash)
    }
    hold(groups)
  }
}

// Checks fetch requests: invalid options, and invalid combinations of them.
internal import CoreDataModel

extension FetchRequest {
  /// Refuses options that only work with dictionaries.
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``.
  func checkForObjects() throws(ObjectGraphError) {
    if !propertiesToGroupBy.isEmpty { throw dictionariesOnly("propertiesToGroupBy") }
    if havingPredicate != nil { throw dictionariesOnly("a havingPredicate") }
    if returnsDistinctResults { throw dictionariesOnly("returnsDistinctResults") }
  }

  /// Refuses properties that the rows of an entity do not have.
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``.
  func checkPartialProperties(_ layout: EntityLayout) throws(ObjectGraphError) {
    for property in propertiesToFetch {
      if case .property(let name) = property, let slot = layout.slot(named: name), !layout.isTransient(slot) {
        continue
      }
      throw refusal(
        "'\(property.name)' in the propertiesToFetch of a fetch of objects",
        "stored attributes and to-one relationships: "
          + layout.slots.filter { !$0.isTransient }.map(\.name).joined(separator: ", ")
          + ". fetchDictionaries(_:) takes expressions, and paths along relationships")
    }
  }

  private func dictionariesOnly(_ found: String) -> ObjectGraphError {
    refusal(
      "\(found) in a fetch of objects",
      "none, because objects are read whole and once each; fetchDictionaries(_:) answers it")
  }

  /// The contents of the dictionaries, each with a unique name.
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``.
  func checkedProperties(_ schema: any PredicateSchema) throws(ObjectGraphError) -> [FetchedProperty] {
    if havingPredicate != nil, propertiesToGroupBy.isEmpty {
      throw refusal("a havingPredicate without propertiesToGroupBy", "both, or a condition on rows in the predicate")
    }
    for name in propertiesToGroupBy { try checkPath(name, in: "propertiesToGroupBy", schema) }
    let all = schema.propertyNames(of: entityName)
    let attributes = all.filter { name in
      if case .attribute = schema.property(name, of: entityName) { true } else { false }
    }
    let properties =
      propertiesToFetch.isEmpty ? attributes.map(FetchedProperty.property) : propertiesToFetch
    if properties.isEmpty { throw refusal("nothing to fetch", "propertiesToFetch, for the entity stores no attribute") }
    var names: Set<String> = []
    for property in properties {
      switch property {
      case .property(let name): try checkPath(name, in: "propertiesToFetch", schema)
      case .expression(let description):
        if description.name.isEmpty || description.name.contains(".") || all.contains(description.name) {
          throw refusal(
            "an expression named '\(description.name)'", "a name without points that no property of the entity has")
        }
      }
      if !names.insert(property.name).inserted {
        throw refusal("'\(property.name)' twice in propertiesToFetch", "every name once")
      }
    }
    try checkDistinct(properties)
    return properties
  }

  /// Refuses options that would require computing results from those of several stores.
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``.
  func checkForSeveralStores(aggregates: Bool) throws(ObjectGraphError) {
    let found =
      !propertiesToGroupBy.isEmpty
      ? "propertiesToGroupBy" : returnsDistinctResults ? "returnsDistinctResults" : aggregates ? "an aggregate" : nil
    guard let found else { return }
    throw refusal(
      "\(found) over several stores",
      "one store in affectedStores, because each store groups its own rows only")
  }

  private func checkPath(
    _ name: String, in position: String, _ schema: any PredicateSchema
  ) throws(ObjectGraphError) {
    let path = FetchPath(name)
    if path.keys.isEmpty || path.keys.joined(separator: ".") != name {
      throw refusal("'\(name)' in \(position)", "the name of a property, or names with points between them")
    }
    if schema.isThroughToMany(path, from: entityName) {
      throw refusal(
        "'\(name)' in \(position), which goes through a to-many relationship",
        "attributes, and paths through to-one relationships")
    }
  }

  /// Checks sort descriptors for distinct rows, which can only be sorted by their own values.
  private func checkDistinct(_ properties: [FetchedProperty]) throws(ObjectGraphError) {
    guard returnsDistinctResults else { return }
    let names = properties.map(\.name)
    for descriptor in sortDescriptors {
      let path = descriptor.path.keys.joined(separator: ".")
      if !names.contains(path) {
        throw refusal(
          "an order by '\(path)' with returnsDistinctResults",
          "one by what is fetched: \(names.joined(separator: ", "))")
      }
    }
  }

  private func refusal(_ found: String, _ expected: String) -> ObjectGraphError {
    .invalidFetch(entity: entityName, found: found, expected: expected)
  }
}

// How to follow dictionaries: what they depend on, and what identifies one when its values change.
internal import CoreDataModel

/// The dictionaries that a request found, each with an identity that stays when its values change.
struct FoundDictionaries {
  var rows: [DictionaryRow] = []
  var identities: [DictionaryIdentity] = []
  var sections = ResultSections.none
}

/// Identifies a dictionary by its object, its group, or all of its values.
struct DictionaryIdentity: Hashable {
  let values: [AttributeValue]
  let store: ObjectIdentifier

  /// Compares groups and distinct values as the store does: texts by their code points.
  static func == (one: DictionaryIdentity, other: DictionaryIdentity) -> Bool {
    one.store == other.store && one.values.elementsEqual(other.values) { $0.isStored(as: $1) }
  }
}

/// What to fetch to follow dictionaries.
struct DictionaryPlan {
  /// The request, with additional columns that identify dictionaries.
  private let request: FetchRequest<ManagedObject>
  let scope: ResultScope
  /// The names of the requested values.
  private let names: [String]
  private let identityColumns: [Int]
  private let sectionColumn: Int?

  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``, ``ObjectGraphError/unknownEntity(found:expected:)``.
  init(
    _ request: FetchRequest<ManagedObject>, sectionNameKeyPath: String?, _ schema: LayoutSchema
  ) throws(ObjectGraphError) {
    scope = try ResultScope(request, schema.model)
    var properties = try request.checkedProperties(schema)
    let names = properties.map(\.name)
    self.names = names
    var identity: [String]
    if request.returnsDistinctResults {
      identity = names
    } else if !request.propertiesToGroupBy.isEmpty {
      identity = request.propertiesToGroupBy
    } else {
      // There is one dictionary for all rows, or one for each row.
      identity = properties.contains { $0.aggregatesRows(of: request.entityName, schema) } ? [] : ["objectID"]
    }
    for name in identity where !names.contains(name) { properties.append(.property(name)) }
    identityColumns = identity.compactMap { name in properties.firstIndex { $0.name == name } }
    sectionColumn = sectionNameKeyPath.flatMap(names.firstIndex)
    if let sectionNameKeyPath, sectionColumn == nil {
      throw .invalidFetch(
        entity: request.entityName, found: "the sectionNameKeyPath '\(sectionNameKeyPath)', which is not fetched",
        expected: "one of the propertiesToFetch: \(names.joined(separator: ", "))")
    }
    var widened = request
    widened.propertiesToFetch = properties
    self.request = widened
  }

  /// Fetches; O(n), one statement.
  func fetch(_ context: ManagedObjectContext) throws(ObjectGraphError) -> FoundDictionaries {
    var found = FoundDictionaries()
    var sectionNames: [String] = []
    for row in try context.fetchDictionaries(request) {
      let start = row.values.startIndex
      found.identities.append(
        DictionaryIdentity(
          values: identityColumns.map { row.values[start + $0] }, store: ObjectIdentifier(row.store)))
      found.rows.append(DictionaryRow(names: names, values: row.values.prefix(names.count), store: row.store))
      if let sectionColumn { sectionNames.append(try sectionName(row.values[start + sectionColumn], sectionColumn)) }
    }
    guard let sectionColumn else {
      found.sections = ResultSections(count: found.rows.count)
      return found
    }
    do throws(SectionsOutOfOrder) {
      found.sections = try ResultSections.of(sectionNames)
    } catch {
      throw error.error(entity: request.entityName, keyPath: names[sectionColumn])
    }
    return found
  }

  private func sectionName(_ value: AttributeValue, _ column: Int) throws(ObjectGraphError) -> String {
    let value = ComparableValue(value)
    if let name = value.sectionName { return name }
    throw ResultPlan.noSectionName(request.entityName, names[column], value)
  }
}

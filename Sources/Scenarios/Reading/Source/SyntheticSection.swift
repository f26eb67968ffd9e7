// The key `synthetic`: the profile of rows, checked against their model.
import BatchmarkEngine
import CoreDataModel

/// A profile while it is being read: what is known so far about its entities.
struct ProfileReading {
  let model: ManagedObjectModel
  let entities: [StoredEntity]
  var profile = DataProfile(entities: [])
  /// The positions of entities and of the destinations of their relationships.
  var places: [String: SourceLocation] = [:]
  var destinationPlaces: [(relationship: DataProfile.Relationship, place: SourceLocation)] = []
  var linkPlaces: [(link: LinkRecipe, entity: String, place: SourceLocation)] = []
  /// Relationships in the profile, by the entity that declares them.
  var described: Set<[String]> = []
  /// The rows of each entity if `rows` divides a total among them; empty if each entity has its own number.
  var shares: [String: Int] = [:]
  /// How many rows are made for each row of the profile.
  var scale = 1
  /// The entities in order, including those that have not been read yet.
  var entries: [YAMLNode.Entry] = []

  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.storedEntities
  }

  func rows(of entity: String) -> Int { profile.entities.first { $0.name == entity }?.rows ?? 0 }
}

/// Reads the profile of synthetic rows.
struct SyntheticSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the profile of the model's rows.
  func read(_ node: YAMLNode, of model: ManagedObjectModel) -> SyntheticSource? {
    guard let section = section(node, .synthetic),
      let list = required("entities", in: section, example: "entities: {Quake: {rows: 1_000}}"),
      let entries = entries(list, expected: "a mapping of entity names, such as {Quake: {rows: 1_000}}")
    else { return nil }
    var reading = ProfileReading(model)
    if let node = section["rows"], let rows = count(node, of: .rowCount) {
      reading.shares = shares(of: rows, among: entries, at: node.place)
    }
    if let node = section["scale"], let scale = count(node, of: .scale) { reading.scale = scale }
    reading.entries = entries
    for entry in entries { readProfile(entry, into: &reading) }
    var synthetic = SyntheticSource(of: reading.profile, scale: reading.scale)
    if let node = section["seed"], let seed = seed(node) { synthetic.seed = seed }
    let (rows, isTooMany) = reading.profile.rows.multipliedReportingOverflow(by: synthetic.scale)
    if isTooMany || !(1...mostRows).contains(rows) {
      diagnose(
        section["scale"]?.place ?? section["rows"]?.place ?? list.place,
        found: isTooMany ? "more than \(mostRows) rows" : "\(rows) rows in all",
        expected: "from 1 to \(mostRows)")
    }
    checkDestinations(reading)
    if diagnostics.count == 0 { checkUnique(reading) }
    return synthetic
  }

  /// Divides a total number of rows among entities, in proportion to their numbers of rows.
  ///
  /// It rounds down, and adds one for each of the entities with the largest remainders, so that the sum is exact.
  private func shares(of rows: Int, among entries: [YAMLNode.Entry], at place: SourceLocation) -> [String: Int] {
    // An invalid count is reported when the entity is read.
    let parts = entries.map { (name: $0.key, rows: writtenRows(of: $0)) }
    let whole = parts.reduce(0) { $0 &+ min($1.rows, mostRows) }
    guard whole > 0, parts.allSatisfy({ 0...mostRows ~= $0.rows }) else { return [:] }
    var shares: [(name: String, rows: Int, rest: Int)] = parts.map { part in
      let (quotient, remainder) = whole.dividingFullWidth(rows.multipliedFullWidth(by: part.rows))
      return (part.name, quotient, remainder)
    }
    let left = rows - shares.reduce(0) { $0 + $1.rows }
    for index in shares.indices.sorted(by: { shares[$0].rest > shares[$1].rest }).prefix(left) {
      shares[index].rows += 1
    }
    if let empty = zip(parts, shares).first(where: { $0.rows > 0 && $1.rows == 0 }) {
      diagnose(
        place, found: "\(rows) rows in all, which leave none for \(empty.0.name)",
        expected: "at least \((whole + empty.0.rows - 1) / empty.0.rows), so that each entity keeps its share")
      return [:]
    }
    return Dictionary(shares.map { ($0.name, $0.rows) }) { first, _ in first }
  }

  /// The number of rows that the entity's key sets; 0 if it is invalid.
  private func writtenRows(of entry: YAMLNode.Entry) -> Int {
    entry.value["rows"]?.text.flatMap(wholeNumberDigits).flatMap(Int.init) ?? 0
  }

  /// How many rows of the other entities that share an entity's table draw values of each attribute.
  private func rowsElsewhere(than stored: StoredEntity, in reading: ProfileReading) -> [String: Int] {
    var rows: [String: Int] = [:]
    for entry in reading.entries where entry.key != stored.name {
      guard reading.entities.contains(where: { $0.name == entry.key && $0.rootName == stored.rootName }),
        case .mapping(let attributes)? = entry.value["attributes"]?.content
      else { continue }
      let count = min(reading.shares[entry.key] ?? writtenRows(of: entry), mostRows)
      for attribute in attributes { rows[attribute.key, default: 0] += count }
    }
    return rows
  }

  private func readProfile(_ entry: YAMLNode.Entry, into reading: inout ProfileReading) {
    guard let stored = reading.entities.first(where: { $0.name == entry.key }) else {
      return diagnose(
        entry.keyPlace, found: "the entity \(shown(entry.key)), which has no rows of its own", word: entry.key,
        words: reading.entities.map(\.name))
    }
    guard let section = section(entry.value, .syntheticEntity),
      let rows = required("rows", in: section, example: "rows: 1_000").flatMap({
        count($0, of: .profileRows)
      })
    else { return }
    var entity = DataProfile.Entity(name: stored.name, rows: reading.shares[stored.name] ?? rows)
    let mistakes = diagnostics.count
    let attributes = SyntheticAttributeSection(
      diagnostics: diagnostics, scale: reading.scale, rowsElsewhere: rowsElsewhere(than: stored, in: reading))
    if let node = section["attributes"] {
      for entry in entries(node, expected: "a mapping of attribute names") ?? [] {
        attributes.read(entry, of: stored, into: &entity)
      }
    }
    // An entity with a mistake is not in the list, but it is not missing either.
    if entity.rows > 0, diagnostics.count == mistakes {
      for attribute in stored.attributes where attribute.needsValue {
        if entity.attributes.contains(where: { $0.name == attribute.name }) { continue }
        if entity.recipes.contains(where: { $0.name == attribute.name }) { continue }
        attributes.diagnose(entry.keyPlace, missing: entity.rows, of: attribute)
      }
    }
    if let node = section["relationships"] {
      for entry in entries(node, expected: "a mapping of relationship names") ?? [] {
        readRelationship(entry, into: &entity, in: &reading)
      }
    }
    reading.places[stored.name] = entry.keyPlace
    reading.profile.entities.append(entity)
  }
}

extension AttributeDescription {
  /// Whether a row without a value cannot be saved as it is.
  var needsValue: Bool { !isOptional || !defaultValue.isNull }
}

// A model while it is being read, before it is known whether this library can represent all of it.
internal import CoreDataModel

/// The entities read so far, with remarks about them.
struct ModelDraft {
  /// Limits far above those of real models, so that malicious ones are refused before they cost time.
  private static let mostEntities = 1_000
  private static let mostParts = 20_000
  /// The most columns that SQLite allows in a table.
  private static let mostPropertiesOfTable = 2_000
  private static let deepestInheritance = 64
  private static let longestName = 1_000
  // SQLite's own limit, SQLITE_MAX_COLUMN: https://www.sqlite.org/limits.html
  private static let mostColumnsOfIndex = 2_000

  private(set) var entities: [EntityDescription] = []
  private var partCount = 0
  var configurations: [String: [String]] = [:]
  var fetchRequestTemplates: [String: FetchRequestTemplate] = [:]
  var versionIdentifiers: Set<String> = []
  private(set) var remarks: [String] = []
  private var knownRemarks: Set<String> = []
  /// How many default values patterns were tried on.
  var triedDefaults = 0

  init() {}

  /// Starts with entities that were read elsewhere; their properties keep their order.
  init(_ entities: [EntityDescription], remarks: [String]) {
    self.entities = entities
    for sentence in remarks { remark(sentence) }
  }

  mutating func remark(_ sentence: String) {
    if knownRemarks.insert(sentence).inserted { remarks.append(sentence) }
  }

  /// Counts properties, and elements of constraints and indexes, for each entity that has them.
  ///
  /// - Throws: ``MalformedContent`` if there are too many.
  mutating func count(parts count: Int) throws(MalformedContent) {
    partCount += count
    if partCount > ModelDraft.mostParts {
      throw ModelDraft.oversized("\(ModelDraft.mostParts) properties and elements of indexes")
    }
  }

  /// Adds the entity and sorts its properties by name, because files have them in any order.
  mutating func append(_ entity: EntityDescription) throws(MalformedContent) {
    var entity = entity
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    for index in entity.relationships.indices where entity.relationships[index].repairCounts() {
      let name = entity.relationships[index].name
      remark("\(entity.name).\(name) has counts that contradict each other: it is read with the nearest that do not.")
    }
    leaveOutRepetitions(of: &entity)
    let longestIndex = entity.fetchIndexes.map(\.elements.count) + entity.uniquenessConstraints.map(\.count)
    if longestIndex.max() ?? 0 > ModelDraft.mostColumnsOfIndex {
      throw ModelDraft.oversized("\(ModelDraft.mostColumnsOfIndex) elements in one index or constraint")
    }
    entities.append(entity)
    if entities.count > ModelDraft.mostEntities { throw ModelDraft.oversized("\(ModelDraft.mostEntities) entities") }
  }

  /// Removes duplicate constraints, and all but the first fetch index of each name: the check of the model would reject
  /// all of them.
  private mutating func leaveOutRepetitions(of entity: inout EntityDescription) {
    var constraints: Set<[String]> = []
    var indexNames: Set<String> = []
    for constraint in entity.uniquenessConstraints where !constraints.insert(constraint).inserted {
      remark(
        "\(entity.name) is unique by \(constraint.joined(separator: ", ")) more than once: it is read as one constraint."
      )
    }
    for index in entity.fetchIndexes where !indexNames.insert(index.name).inserted {
      remark("\(entity.name) has several fetch indexes \(index.name): the first one is read.")
    }
    entity.uniquenessConstraints.removeAll { constraints.remove($0) == nil }
    entity.fetchIndexes.removeAll { indexNames.remove($0.name) == nil }
  }

  /// A name that is short enough for remarks and messages.
  static func checked(_ name: String) throws(MalformedContent) -> String {
    if name.utf8.count <= longestName { return name }
    throw MalformedContent(found: "a name of \(name.utf8.count) bytes", expected: "at most \(longestName)")
  }

  private static func oversized(_ limit: String) -> MalformedContent {
    MalformedContent(found: "a model with more than \(limit)", expected: "fewer")
  }

  // MARK: - The model

  /// The model without the parts that it cannot represent; each of those becomes a remark.
  ///
  /// - Throws: ``MalformedContent`` if nothing is left, or if the mistake is not in a single part.
  consuming func recovered(_ origin: RecoveredModel.Origin) throws(MalformedContent) -> RecoveredModel {
    if entities.isEmpty { throw ModelDraft.empty }
    try checkInheritance()
    // Each pass removes some parts, and the next one removes the parts that depended on them.
    for _ in 0...ModelDraft.deepestInheritance {
      markEmptyEntities()
      do throws(ModelError) {
        // Unsupported derivations are kept but not computed.
        let model = try ManagedObjectModel(
          entities: entities, configurations: knownConfigurations, fetchRequestTemplates: knownTemplates,
          versionIdentifiers: versionIdentifiers, keepsUnknownDerivations: true)
        remarkDerivations()
        for name in fetchRequestTemplates.keys.sorted() where model.fetchRequestTemplates[name] == nil {
          remark("Left out: the fetch request template \(name.debugDescription), whose entity is not in the model.")
        }
        return RecoveredModel(model: model, origin: origin, remarks: remarks)
      } catch {
        for problem in error.problems { try leaveOut(problem) }
        if entities.isEmpty { throw ModelDraft.empty }
      }
    }
    throw MalformedContent(found: "a model whose entities contradict each other", expected: "one whose entities agree")
  }

  private static var empty: MalformedContent { MalformedContent(found: "no entity", expected: "at least one") }

  /// Adds remarks about the derivations that this library does not compute.
  private mutating func remarkDerivations() {
    do throws(ModelError) {
      _ = try ManagedObjectModel(entities: entities, configurations: knownConfigurations)
    } catch {
      for problem in error.problems { remark("Not computed: \(problem).") }
    }
  }

  /// Refuses cyclic inheritance, and entities that inherit too much to check.
  private func checkInheritance() throws(MalformedContent) {
    let positions = Dictionary(entities.indices.map { (entities[$0].name, $0) }) { first, _ in first }
    var total = 0
    var countsOfRoots: [String: Int] = [:]
    for entity in entities {
      var (depth, count) = (0, 0)
      var root = entity.name
      var current: EntityDescription? = entity
      while let ancestor = current {
        depth += 1
        if depth > ModelDraft.deepestInheritance {
          throw MalformedContent(
            found: "the entity \(entity.name.debugDescription), whose super-entities do not end",
            expected: "at most \(ModelDraft.deepestInheritance) of them")
        }
        root = ancestor.name
        count += ancestor.attributes.count + ancestor.relationships.count
        current = ancestor.superentityName.flatMap { positions[$0] }.map { entities[$0] }
      }
      countsOfRoots[root, default: 0] += entity.attributes.count + entity.relationships.count
      if countsOfRoots[root] ?? 0 > ModelDraft.mostPropertiesOfTable {
        throw ModelDraft.oversized("\(ModelDraft.mostPropertiesOfTable) properties in one hierarchy")
      }
      total += count
      if total > ModelDraft.mostParts {
        throw ModelDraft.oversized("\(ModelDraft.mostParts) properties, inherited ones among them")
      }
    }
  }

  /// Makes entities without any properties abstract.
  ///
  /// Core Data allows concrete ones; the layout is the same.
  private mutating func markEmptyEntities() {
    let positions = Dictionary(entities.indices.map { (entities[$0].name, $0) }) { first, _ in first }
    for index in entities.indices where !entities[index].isAbstract {
      var position: Int? = index
      while let current = position, entities[current].isEmpty {
        position = entities[current].superentityName.flatMap { positions[$0] }
      }
      if position == nil {
        entities[index].isAbstract = true
        remark("\(entities[index].name) has neither attribute nor relationship: it is an abstract entity here.")
      }
    }
  }

  private var knownConfigurations: [String: [String]] {
    let names = Set(entities.map(\.name))
    return configurations.mapValues { $0.filter(names.contains) }.filter { !$0.key.isEmpty && !$0.value.isEmpty }
  }

  /// The templates for entities that are still there.
  private var knownTemplates: [String: FetchRequestTemplate] {
    let names = Set(entities.map(\.name))
    return fetchRequestTemplates.filter { !$0.key.isEmpty && names.contains($0.value.entityName) }
  }

  /// Removes the part with the problem.
  private mutating func leaveOut(_ problem: ModelProblem) throws(MalformedContent) {
    guard let name = problem.entityName else {
      throw MalformedContent(found: problem.found, expected: problem.expected)
    }
    // An earlier problem may have removed the entity or the part.
    guard let index = entities.firstIndex(where: { $0.name == name }) else { return }
    guard let part = problem.part else {
      entities.remove(at: index)
      return remark("Left out: \(problem).")
    }
    if case .relationship(let name) = part, entities[index].forgetInverse(ofToOne: name) {
      remark("Read without the inverse: \(problem).")
    } else if entities[index].remove(part) {
      remark("Left out: \(problem).")
    }
  }
}

extension RelationshipDescription {
  /// Corrects impossible counts, which do not affect the layout; true if there were any.
  fileprivate mutating func repairCounts() -> Bool {
    let (minimum, maximum) = (minimumCount, maximumCount)
    if !isToMany { isOrdered = false }
    maximumCount = isToMany ? max(0, maximum) : 1
    minimumCount = maximumCount > 0 ? min(max(0, minimum), maximumCount) : max(0, minimum)
    return (minimum, maximum) != (minimumCount, maximumCount)
  }
}

extension EntityDescription {
  fileprivate var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }

  /// Removes the inverse of a to-one relationship, which is stored the same way without it; false if there is no such
  /// relationship.
  fileprivate mutating func forgetInverse(ofToOne name: String) -> Bool {
    let isOne = { (relationship: RelationshipDescription) in
      relationship.name == name && !relationship.isToMany && relationship.inverseName != nil
    }
    guard let index = relationships.firstIndex(where: isOne) else { return false }
    relationships[index].inverseName = nil
    return true
  }

  /// Removes a part; false if it does not exist.
  fileprivate mutating func remove(_ part: ModelProblem.Part) -> Bool {
    switch part {
    case .attribute(let name): attributes.remove { $0.name == name }
    case .relationship(let name): relationships.remove { $0.name == name }
    case .uniquenessConstraint(let names): uniquenessConstraints.remove { $0 == names }
    case .fetchIndex(let name): fetchIndexes.remove { $0.name == name }
    case .derivation: false
    }
  }
}

extension Array {
  /// Removes the matching elements; false if there are none.
  fileprivate mutating func remove(where matches: (Element) -> Bool) -> Bool {
    let count = self.count
    removeAll(where: matches)
    return self.count < count
  }
}

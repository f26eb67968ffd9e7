// The model: all entities of a store, checked as a whole before anything uses it.

/// A checked model.
///
/// A wrong one cannot be made: ``init(entities:)`` throws the list of all that is wrong.
public struct ManagedObjectModel: Sendable, Hashable {
  /// The entities in the order of their numbers in a store: by name, ignoring case.
  public let entities: [EntityDescription]

  /// Checks the entities and makes a model of them.
  ///
  /// - Throws: ``ModelError`` naming every mistake: an empty model, empty or repeated names, names whose columns
  ///   would clash, defaults of the wrong type, constraints on unknown attributes.
  public init(entities: [EntityDescription]) throws(ModelError) {
    let problems = ManagedObjectModel.problems(in: entities)
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    self.entities = entities.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
  }

  /// The entity of that name; O(number of entities).
  public subscript(_ entityName: String) -> EntityDescription? {
    entities.first { $0.name == entityName }
  }

  /// The entity's number in a store, counted from 1.
  public func number(of entityName: String) -> Int? {
    entities.firstIndex { $0.name == entityName }.map { $0 + 1 }
  }

  private static func problems(in entities: [EntityDescription]) -> [String] {
    var problems: [String] = []
    if entities.isEmpty { problems.append("the model has no entity; expected at least one") }
    var tables: [String: String] = [:]
    for entity in entities {
      if let complaint = complaint(aboutName: entity.name) {
        problems.append("entity \(entity.name.debugDescription): \(complaint)")
      }
      if let other = tables.updateValue(entity.name, forKey: entity.name.uppercased()) {
        problems.append("entities \(other) and \(entity.name) would share one table; rename one")
      }
      problems += entity.problems.map { "entity \(entity.name): \($0)" }
    }
    return problems
  }

  /// Names become SQL identifiers unquoted, as Core Data's do: letters, digits and underscores, a letter first.
  static func complaint(aboutName name: String) -> String? {
    let isValid =
      name.first.map { $0.isASCII && $0.isLetter } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isValid ? nil : "a name is ASCII letters, digits and underscores, a letter first"
  }
}

extension EntityDescription {
  /// All that is wrong with the entity by itself.
  fileprivate var problems: [String] {
    var problems: [String] = []
    if attributes.isEmpty { problems.append("it has no attribute; expected at least one") }
    var columns: [String: String] = [:]
    for attribute in attributes {
      if let complaint = ManagedObjectModel.complaint(aboutName: attribute.name) {
        problems.append("attribute \(attribute.name.debugDescription): \(complaint)")
      }
      if let other = columns.updateValue(attribute.name, forKey: attribute.name.uppercased()) {
        problems.append("attributes \(other) and \(attribute.name) would share one column; rename one")
      }
      if let mismatch = attribute.defaultValue.mismatch(with: attribute.type) {
        problems.append("attribute \(attribute.name): default: \(mismatch)")
      }
    }
    for constraint in uniquenessConstraints {
      if constraint.isEmpty { problems.append("a uniqueness constraint names no attribute") }
      if Set(constraint).count < constraint.count {
        problems.append("uniqueness constraint \(constraint) names an attribute twice")
      }
      for name in constraint where attribute(named: name) == nil {
        problems.append("uniqueness constraint \(constraint) names \(name), which is no attribute")
      }
    }
    if Set(uniquenessConstraints).count < uniquenessConstraints.count {
      problems.append("a uniqueness constraint is given twice")
    }
    return problems
  }
}

/// A model that cannot be used, with every reason.
public struct ModelError: Error, Hashable, CustomStringConvertible {
  public let problems: [String]

  public init(problems: [String]) { self.problems = problems }

  public var description: String { "invalid model: " + problems.joined(separator: "; ") }
}

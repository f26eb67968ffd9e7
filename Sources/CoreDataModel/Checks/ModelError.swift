// What is wrong with a model: every mistake, each with its entity and property.

/// A model that cannot be used, with every reason.
public struct ModelError: Error, Hashable, CustomStringConvertible {
  public let problems: [ModelProblem]

  public init(problems: [ModelProblem]) { self.problems = problems }

  public var description: String { "invalid model: " + problems.map(\.description).joined(separator: "; ") }
}

/// One mistake in a model.
public struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
  /// The parts of an entity that a mistake can be in.
  public enum Part: Sendable, Hashable {
    case attribute(String)
    case relationship(String)
    case uniquenessConstraint([String])
    case fetchIndex(String)
    case derivation(ofAttribute: String)
  }

  /// Nil for a mistake of the model as a whole.
  public let entityName: String?
  /// Nil for a mistake of the entity as a whole.
  public let part: Part?
  public let found: String
  public let expected: String

  public init(entityName: String? = nil, part: Part? = nil, found: String, expected: String) {
    self.entityName = entityName
    self.part = part
    self.found = found
    self.expected = expected
  }

  /// Such as `entity Page, relationship book: found …; expected …`.
  public var description: String {
    let position = [entityName.map { "entity \(shown($0))" }, partDescription].compactMap(\.self).joined(
      separator: ", ")
    return "\(position.isEmpty ? "" : position + ": ")found \(found); expected \(expected)"
  }

  private var partDescription: String? {
    switch part {
    case .attribute(let name): "attribute \(shown(name))"
    case .relationship(let name): "relationship \(shown(name))"
    case .uniquenessConstraint(let names): "uniqueness constraint [\(names.map(shown).joined(separator: ", "))]"
    case .fetchIndex(let name): "fetch index \(shown(name))"
    case .derivation(let name): "derivation of \(shown(name))"
    case nil: nil
    }
  }

  /// A name as it is, or quoted where it could be taken for something else.
  private func shown(_ name: String) -> String { ModelCheck.isValid(name) ? name : name.debugDescription }
}

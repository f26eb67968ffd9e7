// The error for an invalid model: every mistake, with its entity and property.

/// The reasons why a model cannot be used.
///
/// ```swift
/// do {
///   _ = try ManagedObjectModel(entities: [EntityDescription("Quake", superentity: "Event")])
/// } catch {
///   for problem in error.problems { print(problem.entityName ?? "", problem.found, problem.expected) }
/// }
/// ```
public struct ModelError: Error, Hashable, CustomStringConvertible {
  /// Every mistake found; never empty in an error that a model throws.
  public let problems: [ModelProblem]

  /// Creates an error with the given mistakes, for readers of other model formats.
  ///
  /// ```swift
  /// let missing = ModelProblem(found: "no entity", expected: "at least one")
  /// ModelError(problems: [missing]).description  // "invalid model: found no entity; expected at least one"
  /// ```
  public init(problems: [ModelProblem]) { self.problems = problems }

  public var description: String { "invalid model: " + problems.map(\.description).joined(separator: "; ") }
}

/// One mistake in a model.
///
/// ```swift
/// for problem in error.problems {
///   if case .attribute(let name) = problem.part { print("\(name): \(problem.found)") }
/// }
/// ```
public struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
  /// The part of an entity that has the mistake.
  public enum Part: Sendable, Hashable {
    case attribute(String)
    case relationship(String)
    case uniquenessConstraint([String])
    case fetchIndex(String)
    case derivation(ofAttribute: String)
  }

  /// `nil` for a mistake of the model as a whole.
  public let entityName: String?
  /// `nil` for a mistake of the entity as a whole.
  public let part: Part?
  public let found: String
  public let expected: String

  /// Creates a description of a mistake.
  ///
  /// ```swift
  /// let problem = ModelProblem(
  ///   entityName: "Page", part: .relationship("book"), found: "no inverse", expected: "one that leads back")
  /// problem.description  // "entity Page, relationship book: found no inverse; expected one that leads back"
  /// ```
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

  /// The name as it is, or quoted if it could be misread.
  private func shown(_ name: String) -> String { ModelCheck.isValid(name) ? name : name.debugDescription }
}

/// Why a derivation or a validation rule is invalid, as noun phrases.
package struct InvalidDefinition: Error {
  package let found: String
  package let expected: String

  package init(_ found: String, _ expected: String) {
    self.found = found
    self.expected = expected
  }
}

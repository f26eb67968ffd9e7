// A derivation compiled for computing many values.

/// A derivation that this library computes.
package enum Derivation: Sendable, Hashable {
  /// The transformation of a text.
  package enum TextForm: String, Sendable, CaseIterable {
    case canonical = "canonical:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
  }

  /// An aggregate of the values of several objects; it ignores nulls.
  package enum Aggregate: String, Sendable, CaseIterable {
    /// 0 if there are no values.
    case sum
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
  }

  /// `pages.@count`, by the relationship's index in the entity.
  case count(toMany: Int)
  /// `pages.number.@sum`
  case aggregate(Aggregate, toMany: Int, attribute: String)
  /// `title`, and `lowercase:(title)`.
  case value(slot: Int, form: TextForm?)
  /// `author.name`, and `canonical:(author.name)`.
  case destination(slot: Int, attribute: String, form: TextForm?)
  /// `now()`
  case now

  /// `nil` for an unsupported expression, which only a model read from a Core Data file may have.
  package init?(_ expression: String, slots: [PropertySlot], toManyRelationships: [ToManyLayout]) {
    func toMany(_ name: String) -> Int? { toManyRelationships.firstIndex { $0.relationship.name == name } }
    guard let expression = try? DerivationExpression(expression) else { return nil }
    switch expression {
    case .now: self = .now
    case .count(let relationship):
      guard let toMany = toMany(relationship) else { return nil }
      self = .count(toMany: toMany)
    case .aggregate(let aggregate, let relationship, let attribute):
      guard let toMany = toMany(relationship) else { return nil }
      self = .aggregate(aggregate, toMany: toMany, attribute: attribute)
    case .path(let names, let form):
      guard let slot = slots.firstIndex(where: { $0.name == names[0] }) else { return nil }
      switch (slots[slot].toOne != nil, names.count) {
      case (true, 2): self = .destination(slot: slot, attribute: names[1], form: form)
      case (false, 1): self = .value(slot: slot, form: form)
      default: return nil
      }
    }
  }
}

/// A derivation over destinations of a relationship: how a change of a destination reaches the derived attribute.
package struct DerivationSource: Sendable {
  /// The index of the destination entity in the model.
  package let entityIndex: Int
  /// The destinations' attribute that values are derived from.
  package let attribute: String
  /// The destinations' relationship to the objects with the derived attribute.
  package let inverse: String
}

extension Derivation.TextForm {
  package func apply(to value: AttributeValue) -> AttributeValue {
    guard case .string(let text) = value else { return value }
    return switch self {
    case .canonical: .string(text.folded([.caseInsensitive, .diacriticInsensitive]))
    case .uppercase: .string(text.uppercased())
    case .lowercase: .string(text.lowercased())
    }
  }
}

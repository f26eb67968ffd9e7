// What a derived attribute is derived from, made ready for computing many values.

/// A derivation that this library computes.
package enum Derivation: Sendable, Hashable {
  /// What a text becomes.
  package enum TextForm: String, Sendable, CaseIterable {
    case canonical = "canonical:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
  }

  /// An aggregate of the values of several objects; nulls are left out.
  package enum Aggregate: String, Sendable, CaseIterable {
    /// 0 for none.
    case sum
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
  }

  /// `pages.@count`, by the relationship's place among the entity's.
  case count(toMany: Int)
  /// `pages.number.@sum`
  case aggregate(Aggregate, toMany: Int, attribute: String)
  /// `title`, and `lowercase:(title)`.
  case value(slot: Int, form: TextForm?)
  /// `author.name`, and `canonical:(author.name)`.
  case destination(slot: Int, attribute: String, form: TextForm?)
  /// `now()`
  case now

  /// Nil for an expression of another kind, which only a model that was read from a file of Core Data's may have.
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

/// A derivation over objects at the other end of a relationship: where a change of one of them leads.
package struct DerivationSource: Sendable {
  /// The entity of those objects, by its place in the model.
  package let entityIndex: Int
  /// Their attribute that values are derived from.
  package let attribute: String
  /// Their relationship to the objects with the derived attribute.
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

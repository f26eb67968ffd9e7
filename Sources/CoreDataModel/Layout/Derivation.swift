// What a derived attribute is derived from, made ready for computing many values.

/// A derivation that this library computes.
package enum Derivation: Sendable, Hashable {
  /// What a text becomes.
  package enum TextForm: String, Sendable {
    case canonical = "canonical:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
  }

  /// `pages.@count`, by the relationship's place among the entity's.
  case count(toMany: Int)
  /// `pages.@sum.number`
  case sum(toMany: Int, attribute: String)
  /// `title`, and `lowercase:(title)`.
  case value(slot: Int, form: TextForm?)
  /// `author.name`, and `canonical:(author.name)`.
  case destination(slot: Int, attribute: String, form: TextForm?)
  /// `now()`
  case now

  /// Nil for an expression of another kind.
  package init?(_ expression: String, slots: [PropertySlot], toManyRelationships: [ToManyLayout]) {
    let text = String(expression.unicodeScalars.filter { !$0.properties.isWhitespace })
    if text == "now()" || text == "now" {
      self = .now
      return
    }
    var form: TextForm?
    var path = Substring(text)
    if let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") {
      form = TextForm(rawValue: String(text[..<parenthesis]))
      guard form != nil else { return nil }
      path = text[text.index(after: parenthesis)...].dropLast()
    }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let toMany = toManyRelationships.firstIndex { $0.relationship.name == parts[0] }
    if let toMany, form == nil, parts.count == 2, parts[1] == "@count" {
      self = .count(toMany: toMany)
    } else if let toMany, form == nil, parts.count == 3, parts[1] == "@sum" {
      self = .sum(toMany: toMany, attribute: parts[2])
    } else if let slot = slots.firstIndex(where: { $0.name == parts[0] }), parts.count <= 2 {
      let isToOne = slots[slot].toOne != nil
      if isToOne, parts.count == 2 {
        self = .destination(slot: slot, attribute: parts[1], form: form)
      } else if !isToOne, parts.count == 1 {
        self = .value(slot: slot, form: form)
      } else {
        return nil
      }
    } else {
      return nil
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

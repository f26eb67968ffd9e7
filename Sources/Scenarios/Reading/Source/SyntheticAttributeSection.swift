// The key `attributes` of a synthetic entity: how many nulls, how many different values, of what lengths.
import CoreDataModel

/// Reads the profile of an attribute's values.
struct SyntheticAttributeSection: NodeReading {
  let complaints: Complaints

  func read(_ entry: YAMLNode.Entry, of entity: StoredEntity, rows: Int) -> DataProfile.Attribute? {
    guard let attribute = entity.attributes.first(where: { $0.name == entry.key }) else {
      complain(
        entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key,
        words: entity.attributes.map(\.name))
      return nil
    }
    let place = entry.value.place
    guard let section = section(entry.value, .syntheticAttribute),
      let lengthsNode = required("lengths", in: section, example: "lengths: {12: 300, 14: 144}"),
      let lengths = distribution(lengthsNode, of: "lengths", in: 0...1_000_000_000),
      let distinctNode = required("distinct", in: section, example: "distinct: \(lengths.count)"),
      let distinct = count(distinctNode, of: .profileCount)
    else { return nil }
    var nulls = 0
    if let node = section["nulls"] {
      guard let count = count(node, of: .profileCount) else { return nil }
      nulls = count
    }
    if let wrong = lengths.parts.first(where: { !SyntheticValues.allows($0.number, of: attribute.type) }) {
      let words = SyntheticValues.lengths(of: attribute.type).map(String.init).joined(separator: ", ")
      complain(
        lengthsNode.place, found: "the length \(wrong.number) of a value of type \(attribute.type.rawValue)",
        expected: words.isEmpty ? "lengths from 1" : "lengths among \(words)")
      return nil
    }
    if nulls + lengths.count != rows {
      complain(place, found: "\(nulls) nulls and \(lengths.count) values in \(rows) rows", expected: "\(rows) together")
    }
    if nulls > 0, attribute.needsValue { complain(place, missing: nulls, of: attribute) }
    let most = SyntheticValues.mostDistinct(of: attribute.type, lengths)
    if entity.uniquenessConstraints.contains([attribute.name]), distinct != lengths.count {
      complain(
        distinctNode.place, found: "\(distinct) different values of the unique attribute \(shown(attribute.name))",
        expected: "\(lengths.count), as many as there are values")
    } else if !(lengths.parts.count...max(most, lengths.parts.count)).contains(distinct) {
      complain(
        distinctNode.place, found: "\(distinct) different values of \(lengths.parts.count) lengths",
        expected: "from \(lengths.parts.count) to \(most)")
    }
    return DataProfile.Attribute(name: attribute.name, nulls: nulls, distinct: distinct, lengths: lengths)
  }

  func complain(_ place: Place, missing count: Int, of attribute: AttributeDescription) {
    complain(
      place,
      found: "\(count) rows without \(shown(attribute.name)), which "
        + (attribute.isOptional ? "has a default" : "is required"),
      expected: "a value in every row, or {optional: true} without a default in the model")
  }
}

// The key `attributes` of a synthetic entity: how many nulls, how many different values, of what lengths.
import ObjectGraph

extension ScenarioReading {
  mutating func attributeProfile(
    _ entry: YAMLNode.Entry, of entity: StoredEntity, rows: Int
  ) -> DataProfile.Attribute? {
    guard let attribute = entity.attributes.first(where: { $0.name == entry.key }) else {
      complain(
        entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key,
        words: entity.attributes.map(\.name))
      return nil
    }
    let place = entry.value.place
    guard let section = section(entry.value, keys: ["nulls", "distinct", "lengths"]),
      let lengthsNode = required("lengths", in: section, example: "lengths: {12: 300, 14: 144}"),
      let lengths = distribution(lengthsNode, of: "lengths", in: 0...1_000_000_000),
      let distinctNode = required("distinct", in: section, example: "distinct: \(lengths.count)"),
      let distinct = wholeNumber(distinctNode, in: 0...mostRows)
    else { return nil }
    var nulls = 0
    if let node = section["nulls"] {
      guard let count = wholeNumber(node, in: 0...mostRows) else { return nil }
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

  mutating func complain(_ place: Place, missing count: Int, of attribute: AttributeDescription) {
    complain(
      place,
      found: "\(count) rows without \(shown(attribute.name)), which "
        + (attribute.isOptional ? "has a default" : "is required"),
      expected: "a value in every row, or {optional: true} without a default in the model")
  }

  /// Numbers and how often each occurs.
  mutating func distribution(
    _ node: YAMLNode, of what: String, in range: ClosedRange<Int>
  ) -> Distribution? {
    guard let entries = entries(node, expected: "a mapping of \(what) and how often each occurs, such as {12: 300}")
    else { return nil }
    var counts: [Int: Int] = [:]
    var total = 0
    for entry in entries {
      let key = YAMLNode(.scalar(entry.key, isQuoted: false), at: entry.keyPlace)
      guard let number = wholeNumber(key, in: range), let count = wholeNumber(entry.value, in: 1...mostRows) else {
        return nil
      }
      if counts.updateValue(count, forKey: number) != nil {
        complain(entry.keyPlace, found: "the number \(number) again", expected: "each once")
      }
      total += count
      guard total <= mostRows else {
        complain(entry.value.place, found: "more than \(mostRows) in all", expected: "at most so many")
        return nil
      }
    }
    return Distribution(counts)
  }
}

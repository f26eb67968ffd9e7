// The key `attributes` of a synthetic entity, by counts: the number of nulls, of different values, and of values with
// each length.
import BatchmarkEngine
import CoreDataModel

/// Reads the profile of an attribute's values, or a recipe for them.
struct SyntheticAttributeSection: NodeReading {
  let diagnostics: Diagnostics
  /// How many rows are made for each row of the profile.
  var scale = 1
  /// How many rows of other entities in the same table draw values of each attribute.
  var rowsElsewhere: [String: Int] = [:]

  /// Reads the values of an attribute into the entity's profile.
  func read(_ entry: YAMLNode.Entry, of stored: StoredEntity, into entity: inout DataProfile.Entity) {
    guard let attribute = stored.attributes.first(where: { $0.name == entry.key }) else {
      return diagnose(
        entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key,
        words: stored.attributes.map(\.name))
    }
    guard let section = section(entry.value, .syntheticAttribute) else { return }
    // Counts of lengths make it a profile, which can only have nulls and different values as well.
    if case .mapping? = section["lengths"]?.content {
      let others = section.values.keys.filter { !["nulls", "distinct", "lengths"].contains($0) }.sorted()
      if let other = others.first {
        return diagnose(
          section[other]?.place ?? section.place, found: "the key '\(other)' beside counts of lengths",
          expected: "lengths: [shortest, longest], or no such key")
      }
      if let profile = profile(section, at: entry.value.place, of: stored, attribute, rows: entity.rows) {
        entity.attributes.append(profile)
      }
    } else if let recipe = SyntheticRecipeSection(
      diagnostics: diagnostics, attribute: attribute, entity: stored, scale: scale,
      rowsElsewhere: rowsElsewhere[attribute.name] ?? 0
    ).read(section, at: entry.keyPlace, rows: entity.rows) {
      entity.recipes.append(recipe)
    }
  }

  private func profile(
    _ section: Section, at place: SourceLocation, of entity: StoredEntity, _ attribute: AttributeDescription, rows: Int
  ) -> DataProfile.Attribute? {
    guard let lengthsNode = section["lengths"],
      let lengths = distribution(lengthsNode, of: "lengths", in: 0...1_000_000_000),
      let distinctNode = required("distinct", in: section, example: "distinct: \(lengths.count)"),
      let distinct = count(distinctNode, of: .profileCount)
    else { return nil }
    var nulls = 0
    if let node = section["nulls"] {
      guard let part = amount(node, in: 0...mostRows) else { return nil }
      nulls = part.count(of: rows)
    }
    if let wrong = lengths.parts.first(where: { !SyntheticValues.allows($0.number, of: attribute.type) }) {
      let words = SyntheticValues.lengths(of: attribute.type).map(String.init).joined(separator: ", ")
      diagnose(
        lengthsNode.place, found: "the length \(wrong.number) of a value of type \(attribute.type.rawValue)",
        expected: words.isEmpty ? "lengths from 1" : "lengths among \(words)")
      return nil
    }
    if nulls + lengths.count != rows {
      diagnose(place, found: "\(nulls) nulls and \(lengths.count) values in \(rows) rows", expected: "\(rows) together")
    }
    if nulls > 0, attribute.needsValue { diagnose(place, missing: nulls, of: attribute) }
    let most = SyntheticValues.mostDistinct(of: attribute.type, lengths)
    if entity.uniquenessConstraints.contains([attribute.name]), distinct != lengths.count {
      diagnose(
        distinctNode.place, found: "\(distinct) different values of the unique attribute \(shown(attribute.name))",
        expected: "\(lengths.count), as many as there are values")
    } else if !(lengths.parts.count...max(most, lengths.parts.count)).contains(distinct) {
      diagnose(
        distinctNode.place, found: "\(distinct) different values of \(lengths.parts.count) lengths",
        expected: "from \(lengths.parts.count) to \(most)")
    }
    return DataProfile.Attribute(name: attribute.name, nulls: nulls, distinct: distinct, lengths: lengths)
  }

  /// Reports rows without a value for an attribute that needs one.
  func diagnose(_ place: SourceLocation, missing count: Int, of attribute: AttributeDescription) {
    let example = SyntheticRecipeSection.example(of: attribute)
    diagnose(
      place,
      found: "\(count) rows without \(shown(attribute.name)), which "
        + (attribute.isOptional ? "has a default" : "is required"),
      expected: "a value in every row, such as \(example), or {optional: true} without a default in the model")
  }
}

// The key `attributes` of a synthetic entity, by ranges, lengths and lists that values are drawn from.
import BatchmarkEngine
import CoreDataModel

/// Reads the recipe for the values of one attribute.
struct SyntheticRecipeSection: NodeReading {
  let diagnostics: Diagnostics
  let attribute: AttributeDescription
  let entity: StoredEntity
  /// How many rows are made for each row of the profile.
  let scale: Int
  /// How many rows of other entities in the same table draw values of the attribute.
  let rowsElsewhere: Int

  /// The decimal digits of real numbers, if the scenario does not set them.
  static let standardDecimals = 6
  /// The greatest length of a text or blob.
  static let longest = 1_000_000_000

  var type: AttributeType { attribute.type }
  var isUnique: Bool { entity.uniquenessConstraints.contains([attribute.name]) }

  /// Reads a recipe for a number of rows; `place` is the position of the attribute's name.
  func read(_ section: Section, at place: SourceLocation, rows: Int) -> AttributeRecipe? {
    guard checkKeys(section) else { return nil }
    let mistakes = diagnostics.count
    var nulls = RowShare.count(0)
    if let node = section["nulls"], let part = amount(node, in: 0...mostRows) { nulls = part }
    let count = rows - nulls.count(of: rows)
    if let node = section["nulls"], count < 0 {
      diagnose(node.place, found: "\(nulls.count(of: rows)) nulls in \(rows) rows", expected: "at most \(rows)")
    } else if let node = section["nulls"], count < rows, attribute.needsValue {
      SyntheticAttributeSection(diagnostics: diagnostics).diagnose(node.place, missing: rows - count, of: attribute)
    }
    guard diagnostics.count == mistakes, var values = values(section, at: place, count: wanted(count, of: rows))
    else { return nil }
    if let node = section["stretch"], isTrue(node) { values = stretched(values, for: count) }
    var recipe = AttributeRecipe(name: attribute.name, values: values)
    recipe.nulls = nulls
    if let node = section["distinct"] {
      recipe.distinct = distinct(node, of: count, among: values)
    } else if isUnique {
      recipe.distinct = count
    }
    guard diagnostics.count == mistakes else { return nil }
    if let distinct = recipe.distinct { checkPrecision(of: values, distinct, at: section["range"]?.place ?? place) }
    if isUnique {
      checkRoom(for: count, among: values, at: section["range"]?.place ?? section["lengths"]?.place ?? place)
    }
    recipe.distribution =
      DistributionSection(diagnostics: diagnostics, attribute: attribute, isUnique: isUnique).read(section, of: recipe)
    return diagnostics.count == mistakes ? recipe : nil
  }

  /// How many values a draw needs.
  ///
  /// Entities that share a table draw different values from the same range.
  private func wanted(_ count: Int, of rows: Int) -> Int { rowsElsewhere == 0 ? count : rows + rowsElsewhere }

  /// Makes the shortest texts longer if there are too few for rows that each need a different one.
  ///
  /// The model's own length limit still applies. If there are still too few texts, that is reported as it would be
  /// without `stretch`.
  private func stretched(_ values: AttributeRecipe.Values, for count: Int) -> AttributeRecipe.Values {
    guard isUnique, case .texts(let lengths, let characters) = values, characters.count > 1 else { return values }
    let (needed, isTooMany) = count.multipliedReportingOverflow(by: scale)
    if isTooMany { return values }
    let unit = type == .string ? characters.map { String(decoding: $0, as: UTF8.self).utf16.count }.max() ?? 1 : 1
    var most = Int.max
    for case .length(_, let maximum?) in attribute.validationRules { most = min(most, maximum / unit) }
    var shortest = lengths.lowerBound
    while AttributeRecipe.power(characters.count, shortest) < needed, shortest < most { shortest += 1 }
    return .texts(lengths: shortest...max(shortest, lengths.upperBound), characters: characters)
  }

  private func distinct(_ node: YAMLNode, of values: Int, among source: AttributeRecipe.Values) -> Int? {
    guard let distinct = count(node, of: .profileCount) else { return nil }
    if isUnique, distinct != values {
      diagnose(
        node.place, found: "\(distinct) different values of the unique attribute \(shown(attribute.name))",
        expected: "\(values), as many as there are values")
    } else if !(min(values, 1)...min(values, source.capacity)).contains(distinct) {
      diagnose(
        node.place, found: "\(distinct) different values",
        expected: "from \(min(values, 1)) to \(min(values, source.capacity)), "
          + (values < source.capacity ? "as many as rows with a value" : "as many as there are to draw from"))
    }
    return distinct
  }

  /// Reports too few values for an attribute that must be unique.
  private func checkRoom(for count: Int, among values: AttributeRecipe.Values, at place: SourceLocation) {
    guard values.capacity < count else { return }
    let more =
      switch values {
      case .texts: "longer texts, more characters, stretch: true"
      case .numbers: "a wider range"
      default: "more values"
      }
    diagnose(
      place,
      found: "\(values.capacity) different values for \(count) rows of the unique attribute \(shown(attribute.name))",
      expected: "\(more), or fewer rows")
  }

  /// Reports more decimals than numbers of the type can have: different numbers would be stored as the same one.
  private func checkPrecision(of values: AttributeRecipe.Values, _ distinct: Int, at place: SourceLocation) {
    guard case .numbers(let numbers) = values, numbers.stepsPerUnit > 1 else { return }
    // With this many bits, the rounding error is smaller than half a step.
    let most = 1 << (type == .float ? 22 : 51)
    guard max(abs(numbers.lowest), abs(numbers.highest)) > most else { return }
    diagnose(
      place,
      found:
        "\(distinct) different values of \(shown(attribute.name)) with more digits than the type \(type.rawValue) keeps",
      expected: "a range nearer to 0, or fewer decimals:")
  }

  /// Reports keys that do not apply to the attribute's type.
  private func checkKeys(_ section: Section) -> Bool {
    let known = keys(with: section["values"] != nil)
    let wrong = ScenarioKey.names(in: .syntheticAttribute).filter { section[$0] != nil && !known.contains($0) }
    for key in wrong {
      diagnose(
        section[key]?.place ?? section.place,
        found: "the key '\(key)' of \(shown(attribute.name)), which is of type \(type.rawValue)"
          + (section["values"] != nil ? " and has values" : ""),
        expected: "one of " + known.joined(separator: ", "))
    }
    return wrong.isEmpty
  }

  private func keys(with values: Bool) -> [String] {
    let distribution = ["distribution", "mean", "deviation", "exponent"]
    if values { return ["nulls", "values", "distribution", "exponent"] }
    switch type {
    case .int16, .int32, .int64, .date: return ["nulls", "distinct", "range", "values"] + distribution
    case .float, .double, .decimal: return ["nulls", "distinct", "range", "decimals", "values"] + distribution
    case .string:
      return ["nulls", "distinct", "lengths", "stretch", "alphabet", "characters", "values"] + distribution
    case .uri: return ["nulls", "distinct", "lengths", "stretch", "values"] + distribution
    case .binary, .transformable: return ["nulls", "distinct", "lengths", "stretch"] + distribution
    case .uuid: return ["nulls", "distinct", "values", "distribution", "exponent"]
    case .boolean: return ["nulls", "trues"]
    }
  }

  /// A source with rows of an entity, as an example in messages.
  static func exampleSource(of entity: EntityDescription, _ attribute: AttributeDescription) -> String {
    "{synthetic: {entities: {\(entity.name): {rows: 1_000, attributes: {\(example(of: attribute))}}}}}"
  }

  /// An attribute of the type, as an example in messages.
  static func example(of attribute: AttributeDescription) -> String {
    let recipe =
      switch attribute.type {
      case .string, .uri, .binary, .transformable: "{lengths: [8, 24]}"
      case .int16, .int32, .int64, .float, .double, .decimal: "{range: [1, 500]}"
      case .date: "{range: [2020-01-01, 2025-01-01]}"
      case .boolean: "{trues: 50%}"
      case .uuid: "{}"
      }
    return "\(attribute.name): \(recipe)"
  }
}

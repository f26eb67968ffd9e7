// What values are drawn from, by the type of their attribute: ranges and lists, within the model's rules.
import BatchmarkEngine
internal import Foundation
import CoreDataModel

extension SyntheticRecipeSection {
  /// Reads what the values are drawn from.
  func values(_ section: Section, at place: SourceLocation, count: Int) -> AttributeRecipe.Values? {
    if let node = section["values"] { return listed(node) }
    for rule in attribute.validationRules {
      guard case .pattern(let pattern) = rule else { continue }
      diagnose(
        place, found: "text made of characters for \(shown(attribute.name)), whose pattern is \(shown(pattern))",
        expected: "values: and a list of texts that match it")
      return nil
    }
    switch type {
    case .int16, .int32, .int64, .float, .double, .decimal, .date: return numbers(section, at: place, count: count)
    case .string, .uri, .binary, .transformable: return texts(section, at: place)
    case .uuid: return .uuids
    case .boolean: return section["trues"].map { share($0).map(AttributeRecipe.Values.flags) } ?? .flags(0.5)
    }
  }

  private func listed(_ node: YAMLNode) -> AttributeRecipe.Values? {
    let form = AttributeValue.textForm(of: type)
    guard let items = items(node, expected: "a list of values, each \(form)") else { return nil }
    var values: [AttributeValue] = []
    var earlier: Set<AttributeValue> = []
    let rules = compiledRules(of: attribute)
    for item in items {
      guard let value = value(item) else { continue }
      if let breach = breach(of: rules, by: value, type, at: item.place) {
        diagnose(item.place, found: breach.found, expected: breach.expected)
      } else if !earlier.insert(value).inserted {
        diagnose(item.place, found: "\(item.kind) again", expected: "each value once")
      } else {
        values.append(value)
      }
    }
    if items.isEmpty { diagnose(node.place, found: "an empty list", expected: "at least one value") }
    return values.count == items.count && !values.isEmpty ? .listed(values) : nil
  }

  /// A value of the attribute's type, with or without grouped digits.
  private func value(_ node: YAMLNode) -> AttributeValue? {
    let form = "a value that is " + AttributeValue.textForm(of: type)
    guard let text = node.text, type == .string || !node.isNothing else {
      diagnose(node.place, found: node.kind, expected: form)
      return nil
    }
    let isNumber = type.storageClass == .integer || type.storageClass == .real && type != .date
    let digits = isNumber && decimalNumber(text) != nil ? text.filter { $0 != "_" } : text
    guard let value = AttributeValue(text: digits, type: type) else {
      diagnose(node.place, found: node.kind, expected: form)
      return nil
    }
    return value
  }
}

// MARK: - Numbers and times

extension SyntheticRecipeSection {
  /// The largest numbers, far enough from the 64-bit limits for every step between them.
  private static let farthest = 1e12

  private func numbers(_ section: Section, at place: SourceLocation, count: Int) -> AttributeRecipe.Values? {
    var stepsPerUnit = 1
    if type.storageClass == .real {
      guard
        let decimals = section["decimals"].map({ self.count($0, of: .decimals) })
          ?? SyntheticRecipeSection.standardDecimals
      else { return nil }
      stepsPerUnit = type == .date ? 1_000 : AttributeRecipe.power(10, decimals)
    }
    let standard = standardRange(count: min(count, mostRows) * min(scale, mostRows))
    guard let node = section["range"] else {
      guard let low = steps(standard.low, stepsPerUnit), let high = steps(standard.high, stepsPerUnit), low <= high
      else {
        diagnose(
          place, found: "no range for \(shown(attribute.name))",
          expected: "one, such as \(SyntheticRecipeSection.example(of: attribute))")
        return nil
      }
      return .numbers(AttributeRecipe.Numbers(low, through: high, stepsPerUnit: stepsPerUnit))
    }
    let example = SyntheticRecipeSection.example(of: attribute)
    guard case .list(let items) = node.content, items.count == 2 else {
      diagnose(node.place, found: node.kind, expected: "the lowest and the highest value, such as \(example)")
      return nil
    }
    guard let low = bound(items[0], stepsPerUnit), let high = bound(items[1], stepsPerUnit) else { return nil }
    guard low <= high else {
      diagnose(node.place, found: "[\(items[0].text ?? ""), \(items[1].text ?? "")]", expected: "the lower value first")
      return nil
    }
    return .numbers(AttributeRecipe.Numbers(low, through: high, stepsPerUnit: stepsPerUnit))
  }

  /// One end of a range, in steps.
  private func bound(_ node: YAMLNode, _ stepsPerUnit: Int) -> Int? {
    guard let value = value(node) else { return nil }
    if let breach = breach(of: compiledRules(of: attribute), by: value, type, at: node.place) {
      diagnose(node.place, found: breach.found, expected: breach.expected)
      return nil
    }
    guard let number = value.number, abs(number) <= SyntheticRecipeSection.farthest else {
      diagnose(node.place, found: node.kind, expected: "a number from -1e12 to 1e12")
      return nil
    }
    guard let steps = steps(number, stepsPerUnit) else {
      let decimals = String(stepsPerUnit).count - 1
      diagnose(
        node.place, found: node.kind,
        expected: "a number with at most \(decimals) digits after its point, or more decimals:")
      return nil
    }
    return steps
  }

  /// A number in steps; `nil` if it lies between two steps.
  private func steps(_ number: Double, _ stepsPerUnit: Int) -> Int? {
    let steps = number * Double(stepsPerUnit)
    // A decimal is not exactly a double, but differs from one by less than a thousandth of a step.
    return abs(steps - steps.rounded()) < 0.001 * max(1, abs(steps) * 1e-12) ? Int(exactly: steps.rounded()) : nil
  }

  /// The default range for this many values, within the model's rules.
  private func standardRange(count: Int) -> (low: Double, high: Double) {
    var (low, high): (Double, Double) =
      switch type {
      case .int16: (0, Double(Int16.max))
      // A unique attribute needs as many numbers as there are values.
      case .int32, .int64: (0, Double(max(9_999, isUnique ? count - 1 : 0)))
      // The years 2020 to 2024, as seconds since 2001.
      case .date: (599_529_600, 757_382_400)
      default: (0, 1_000)
      }
    let width = high - low
    for case .range(let minimum, let maximum) in attribute.validationRules {
      let (least, most) = (minimum?.number ?? -.infinity, maximum?.number ?? .infinity)
      // Keep the default width if there is room for it.
      if high <= least { (low, high) = (least, least + width) }
      if low >= most { (low, high) = (most - width, most) }
      (low, high) = (max(low, least), min(high, most))
    }
    let (lowest, highest): (Double, Double) =
      switch type {
      case .int16: (Double(Int16.min), Double(Int16.max))
      case .int32: (Double(Int32.min), Double(Int32.max))
      default: (-SyntheticRecipeSection.farthest, SyntheticRecipeSection.farthest)
      }
    return (max(low, lowest), min(high, highest))
  }
}

extension AttributeValue {
  /// The value as a number; for a time, the seconds since 2001.
  ///
  /// `nil` for other types.
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .decimal(let number): Double(number.description)
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}

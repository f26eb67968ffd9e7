// The keys `distribution`, `mean`, `deviation` and `exponent` of synthetic values.
import BatchmarkEngine
internal import Foundation
import CoreDataModel

/// Reads how values are distributed.
struct DistributionSection: NodeReading {
  let diagnostics: Diagnostics
  let attribute: AttributeDescription
  let isUnique: Bool

  /// Reads the distribution of a recipe's values; uniform in case of a mistake.
  func read(_ section: Section, of recipe: AttributeRecipe) -> ValueDistribution {
    let shape = section["distribution"].flatMap { choice($0, of: DistributionShape.self) } ?? .uniform
    for (key, wanted) in [("mean", DistributionShape.normal), ("deviation", .normal), ("exponent", .zipf)] {
      guard let node = section[key], shape != wanted else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with a distribution that is \(shape.rawValue)",
        expected: "distribution: \(wanted.rawValue), or no such key")
    }
    guard let place = section["distribution"]?.place, shape != .uniform else { return .uniform }
    if isUnique {
      diagnose(
        place, found: "distribution: \(shape.rawValue) of the unique attribute \(shown(attribute.name))",
        expected: "uniform, since every value is there once")
      return .uniform
    }
    switch shape {
    case .uniform: return .uniform
    case .normal: return normal(section, of: recipe, at: place)
    case .zipf: return zipf(section, of: recipe, at: place)
    }
  }

  private func zipf(_ section: Section, of recipe: AttributeRecipe, at place: SourceLocation) -> ValueDistribution {
    if case .numbers(let numbers) = recipe.values, numbers.stepsPerUnit > 1, recipe.distinct == nil {
      diagnose(
        place, found: "distribution: zipf of \(shown(attribute.name)), which is of type \(attribute.type.rawValue)",
        expected: "distinct: and the number of values, of which the first is the most frequent")
    }
    return .zipf(exponent: section["exponent"].flatMap { exponent($0) } ?? 1)
  }

  private func normal(_ section: Section, of recipe: AttributeRecipe, at place: SourceLocation) -> ValueDistribution {
    if recipe.distinct != nil {
      diagnose(
        place, found: "distribution: normal beside distinct", expected: "uniform or zipf, or no key 'distinct'")
      return .uniform
    }
    let (first, count, stepsPerUnit): (Int, Int, Int)
    switch recipe.values {
    case .numbers(let numbers): (first, count, stepsPerUnit) = (numbers.lowest, numbers.count, numbers.stepsPerUnit)
    case .texts(let lengths, _): (first, count, stepsPerUnit) = (lengths.lowerBound, lengths.count, 1)
    case .listed, .uuids, .flags:
      diagnose(place, found: "distribution: normal of single values", expected: "uniform or zipf")
      return .uniform
    }
    let isTime = attribute.type == .date
    var mean = Double(count - 1) / 2
    var deviation = max(Double(count - 1) / 6, 0.25)
    if let node = section["mean"], let number = number(node, isTime: isTime) {
      mean = number * Double(stepsPerUnit) - Double(first)
      if !(0...Double(count - 1)).contains(mean) {
        diagnose(node.place, found: node.kind, expected: "a mean within the range")
      }
    }
    if let node = section["deviation"], let number = number(node, isTime: false) {
      deviation = number * Double(stepsPerUnit) * (isTime ? 86_400 : 1)
      if !(deviation > 0 && deviation <= max(Double(count - 1), 1)) {
        diagnose(node.place, found: node.kind, expected: "a deviation above 0, and no more than the range is wide")
      }
    }
    return .normal(mean: mean, deviation: deviation)
  }

  /// A number, or a time as seconds since 2001.
  private func number(_ node: YAMLNode, isTime: Bool) -> Double? {
    let form = isTime ? AttributeValue.textForm(of: .date) : "a number"
    guard let text = text(node, expected: form) else { return nil }
    if isTime, case .date(let date)? = AttributeValue(text: text, type: .date) {
      return date.timeIntervalSinceReferenceDate
    }
    if !isTime, let number = decimalNumber(text) { return number }
    diagnose(node.place, found: node.kind, expected: form)
    return nil
  }
}

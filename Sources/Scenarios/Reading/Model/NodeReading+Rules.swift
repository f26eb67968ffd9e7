// How values of a file keep the rules of their attributes, in a bounded time whatever the patterns are.
import CoreDataModel

extension NodeReading {
  /// The rules of an attribute made ready for many values; what is no rule was complained about where it stands.
  func compiledRules(of attribute: AttributeDescription) -> [CompiledRule] {
    attribute.validationRules.compactMap { try? CompiledRule($0, for: attribute.type) }
  }

  /// How a value breaks the first of the rules that it breaks.
  ///
  /// A match has its own bound. Where those of a file take too long together, that is complained about once, and no more
  /// values are tried with patterns.
  func breach(of rules: [CompiledRule], by value: AttributeValue, _ type: AttributeType, at place: SourceLocation)
    -> ValidationRule.Breach?
  {
    guard let value = value.conformed(to: type) else { return nil }
    for rule in rules {
      guard case .pattern(let pattern) = rule else {
        if let breach = rule.breach(by: value) { return breach }
        continue
      }
      guard diagnostics.patternTime < PatternLimit.time else { continue }
      let start = ContinuousClock.now
      let breach = rule.breach(by: value)
      diagnostics.patternTime += ContinuousClock.now - start
      if diagnostics.patternTime >= PatternLimit.time {
        diagnose(
          place,
          found: "values that take more than \(PatternLimit.time.components.seconds) s to be tried with patterns, the "
            + "last of them \(shown(pattern.source))",
          expected: "patterns without a repetition inside a repetition, or fewer values")
      }
      if let breach { return breach }
    }
    return nil
  }
}

private enum PatternLimit {
  static let time = Duration.seconds(2)
}

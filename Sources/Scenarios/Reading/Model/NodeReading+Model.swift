// Helpers for several parts of a model: names of tables and columns, and values of an attribute's type.
import CoreDataModel

extension NodeReading {
  /// Reports a name that cannot be a table's or a column's, by the model's rules.
  func check(name: String, of what: String, at place: SourceLocation) {
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
    let isValid =
      name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    if !isValid {
      diagnose(
        place, found: "the \(what) name \(shown(name))",
        expected: "ASCII letters, digits and underscores, a letter first")
    }
  }

  /// Reports a name that is the same as another one in the store, where case does not matter.
  func diagnose(
    clashOf name: String, with other: String, at place: SourceLocation, what: String, shared: String
  ) {
    diagnose(
      place, found: "the \(what) \(shown(name)), which would share a \(shared) with \(shown(other))",
      expected: "names that differ in more than case")
  }

  /// Reads a value of the type; null after a mistake.
  func value(_ node: YAMLNode, of type: AttributeType, what: String) -> AttributeValue {
    if node.isNothing { return .null }
    if let text = node.text, let value = AttributeValue(text: text, type: type) { return value }
    diagnose(node.place, found: node.kind, expected: "\(what) that is \(AttributeValue.textForm(of: type))")
    return .null
  }
}

extension NodeReading {
  /// The rules of an attribute, compiled for many values.
  ///
  /// Invalid rules have been reported already.
  func compiledRules(of attribute: AttributeDescription) -> [CompiledRule] {
    attribute.validationRules.compactMap { try? CompiledRule($0, for: attribute.type) }
  }

  /// How a value breaks a rule: the first one that it breaks.
  ///
  /// Each match has its own limit. If the matches of a file together take too long, that is reported once, and no more
  /// patterns are matched.
  func breach(of rules: [CompiledRule], by value: AttributeValue, _ type: AttributeType, at place: SourceLocation)
    -> ValidationRule.Breach?
  {
    guard let value = value.conformed(to: type) else { return nil }
    for rule in rules {
      guard case .pattern(let pattern) = rule else {
        if let breach = rule.breach(by: value) { return breach }
        continue
      }
      guard diagnostics.patternTime < patternTimeLimit else { continue }
      let start = ContinuousClock.now
      let breach = rule.breach(by: value)
      diagnostics.patternTime += ContinuousClock.now - start
      if diagnostics.patternTime >= patternTimeLimit {
        diagnose(
          place,
          found: "values that take more than \(patternTimeLimit.components.seconds) s to be tried with patterns, the "
            + "last of them \(shown(pattern.source))",
          expected: "patterns without a repetition inside a repetition, or fewer values")
      }
      if let breach { return breach }
    }
    return nil
  }
}

/// The time limit for matching all values of a file against patterns.
private let patternTimeLimit = Duration.seconds(2)

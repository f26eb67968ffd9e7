// Shared by the readers of model caches and model files: rules checked against defaults, older indexes, external
// storage.
internal import CoreDataModel

extension ModelDraft {
  mutating func remarkTransientRelationship(_ position: String) {
    remark("\(position) is a transient relationship, of which nothing is stored: it is left out.")
  }

  mutating func remarkExternalStorage(of position: String) {
    remark("\(position) may be stored in files beside the store: values that are cannot be read.")
  }

  /// The rules that fit the attribute's type and default; each of the others becomes a remark.
  mutating func kept(
    _ rules: [ValidationRule], of type: AttributeType, defaultValue: AttributeValue, _ position: String
  ) throws(MalformedContent) -> [ValidationRule] {
    var kept: [ValidationRule] = []
    for rule in rules {
      if case .pattern(let pattern) = rule {
        try count(parts: ModelDraft.patternParts)
        if let reason = reasonAgainst(pattern, beside: defaultValue) {
          remark("The pattern of \(position) is left out: \(reason).")
          continue
        }
      }
      if let problem = rule.problem(for: type) {
        remark("A validation rule of \(position) is left out: found \(problem.found); expected \(problem.expected).")
      } else if let breach = rule.breach(by: defaultValue, type: type) {
        if breach.isGivenUp {
          remark("The pattern of \(position) is left out: trying it on the default takes too long.")
          continue
        }
        remark(
          "A validation rule of \(position) is left out, since the default breaks it: found \(breach.found); "
            + "expected \(breach.expected).")
      } else {
        kept.append(rule)
      }
    }
    return kept
  }

  /// Patterns cost more to check than names.
  private static let patternParts = 20
  private static let longestPattern = 1_000
  private static let mostGroups = 100
  private static let mostTriedDefaults = 20

  /// Why a pattern from a file is not checked.
  private mutating func reasonAgainst(_ pattern: String, beside defaultValue: AttributeValue) -> String? {
    if pattern.utf8.count > ModelDraft.longestPattern {
      return "it has more than \(ModelDraft.longestPattern) characters"
    }
    if pattern.utf8.count(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) > ModelDraft.mostGroups {
      return "it has more than \(ModelDraft.mostGroups) groups"
    }
    guard case .string(let text) = defaultValue, !text.isEmpty else { return nil }
    // Some patterns take a fifth of a second before their match is stopped.
    triedDefaults += 1
    if triedDefaults <= ModelDraft.mostTriedDefaults { return nil }
    return "more than \(ModelDraft.mostTriedDefaults) patterns are beside defaults, which they are tried on"
  }
}

extension EntityDescription {
  /// Adds the index of an attribute that is marked as indexed, as in models before iOS 11; it had no name.
  mutating func addIndex(onAttribute name: String) {
    addIndex("by\(name.prefix(1).uppercased())\(name.dropFirst())Index", on: [name])
  }

  /// Adds a compound index, which had no name before iOS 11.
  mutating func addCompoundIndex(on names: [String]) { addIndex(names.joined(separator: "_"), on: names) }

  private mutating func addIndex(_ name: String, on names: [String]) {
    let index = FetchIndexDescription(name, on: names)
    if fetchIndexes.contains(where: { $0.name == name || $0.elements == index.elements }) { return }
    fetchIndexes.append(index)
  }
}

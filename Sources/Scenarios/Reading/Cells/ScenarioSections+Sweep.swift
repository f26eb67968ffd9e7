// The key `sweep`: values that multiply the cells.
import BatchmarkEngine

extension ScenarioSections {
  /// Reads the sweep of a scenario; `section` has the scenario's keys.
  func readSweep(_ node: YAMLNode, over section: Section, operation: Operation.Kind) -> [SweepAxis] {
    let expected = "a mapping of keys and their values, such as {rows: [1_000, 10_000]}"
    guard let entries = entries(node, expected: expected) else { return [] }
    if entries.isEmpty { diagnose(node.place, found: "nothing to sweep", expected: expected) }
    let keys = ScenarioKey.conditions + schema.parameterKeys(for: operation)
    return entries.compactMap { entry in
      guard let key = ScenarioKey.key(named: entry.key, among: keys, source: section["source"]) else {
        let own = keys.filter { !$0.isOfSource || section["source"]?[$0.location.rawValue] != nil }
        diagnose(
          entry.keyPlace, found: "the key \(shown(entry.key)) in the sweep", word: entry.key, words: own.map(\.name))
        return nil
      }
      guard let values = values(of: entry, key) else { return nil }
      let axis = SweepAxis(key: key, place: entry.keyPlace, values: values)
      return isFree(axis, in: section) ? axis : nil
    }
  }

  private func values(
    of entry: YAMLNode.Entry, _ key: ScenarioKey
  ) -> [(node: YAMLNode, meaning: ParameterValue?)]? {
    guard let domain = key.domain else { return nil }
    let expected = "a list of values for \(shown(entry.key)), such as \(domain.example)"
    guard let items = items(entry.value, expected: expected) else { return nil }
    if items.isEmpty { diagnose(entry.value.place, found: "an empty list", expected: expected) }
    // The meaning of a strategy's parameter depends on the cells that have it.
    if key.location == .cell { return items.isEmpty ? nil : items.map { (node: $0, meaning: nil) } }
    var values: [(node: YAMLNode, meaning: ParameterValue?)] = []
    var known: Set<ParameterValue> = []
    for item in items {
      guard let meaning = meaning(of: item, in: domain) else { continue }
      if !known.insert(meaning).inserted {
        diagnose(item.place, found: "the value \(meaning) of \(shown(entry.key)) again", expected: "each value once")
      } else {
        values.append((node: item, meaning: meaning))
      }
    }
    return values.isEmpty ? nil : values
  }

  /// The meaning of a value of the source, the store or the scenario: equal for two spellings of one value.
  private func meaning(of node: YAMLNode, in domain: ValueDomain) -> ParameterValue? {
    let value = value(node, of: domain)
    // A worker finds its variant, and a report its cells, by values that were read back.
    if case .word(let word)? = value { return ParameterValue(readBack: word) }
    return value
  }

  /// Whether nothing else in the scenario sets the axis's key; reports conflicts.
  private func isFree(_ axis: SweepAxis, in section: Section) -> Bool {
    if let owner = ScenarioKey.kindsOfSource.first(where: { $0.location == axis.key.location }),
      let kind = SourceSection.other(than: owner.location.rawValue, in: section["source"])
    {
      diagnose(
        axis.place,
        found: "the key '\(axis.name)' of \(owner.name) in the sweep, while the source is \(kind)",
        expected: "\(owner.owner), or no such key")
      return false
    }
    let path = axis.subject == .condition ? axis.path : [axis.name]
    var other = path.first.flatMap { section[$0] }
    for key in path.dropFirst() { other = other?[key] }
    if axis.subject == .reader { other = other ?? section["beside"]?[axis.name] }
    guard let other else { return true }
    diagnose(
      other.place, found: "a value of '\(path.joined(separator: "."))', which is swept as well",
      expected: "it here or in the sweep")
    return false
  }
}

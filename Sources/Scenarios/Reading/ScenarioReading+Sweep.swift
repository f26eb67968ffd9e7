// The key `sweep`: values that multiply the cells.
import ObjectGraph

extension ScenarioReading {
  /// Reads what is swept; `section` is the scenario that it is swept over.
  mutating func sweep(_ node: YAMLNode, over section: Section, operation: ScenarioOperation) -> [SweepAxis] {
    let expected = "a mapping of keys and their values, such as {rows: [1_000, 10_000]}"
    guard let entries = entries(node, expected: expected) else { return [] }
    if entries.isEmpty { complain(node.place, found: "nothing to sweep", expected: expected) }
    let parameters = Set(
      schema.engines.flatMap { $0.strategies(for: operation).flatMap(\.parameters.keys) }
    ).sorted()
    return entries.compactMap { entry in
      let subject: SweepAxis.Subject
      if SweepAxis.conditionKeys.contains(entry.key) {
        subject = .condition
      } else if parameters.contains(entry.key) {
        subject = entry.key == ParameterKey.reader.name ? .reader : .parameter
      } else {
        complain(
          entry.keyPlace, found: "the key \(shown(entry.key)) in the sweep", word: entry.key,
          words: SweepAxis.conditionKeys + parameters)
        return nil
      }
      guard let values = values(of: entry, subject) else { return nil }
      let axis = SweepAxis(key: entry.key, keyPlace: entry.keyPlace, subject: subject, values: values)
      return isFree(axis, in: section) ? axis : nil
    }
  }

  private mutating func values(
    of entry: YAMLNode.Entry, _ subject: SweepAxis.Subject
  ) -> [(node: YAMLNode, meaning: ParameterValue?)]? {
    let expected = "a list of values for \(shown(entry.key)), such as \(example(of: entry.key))"
    guard let items = items(entry.value, expected: expected) else { return nil }
    if items.isEmpty { complain(entry.value.place, found: "an empty list", expected: expected) }
    // What a strategy's parameter means is seen with the cells that know it.
    if subject != .condition { return items.isEmpty ? nil : items.map { (node: $0, meaning: nil) } }
    var values: [(node: YAMLNode, meaning: ParameterValue?)] = []
    for item in items {
      guard let meaning = condition(entry.key, item) else { continue }
      if values.contains(where: { $0.meaning == meaning }) {
        complain(item.place, found: "the value \(meaning) of \(shown(entry.key)) again", expected: "each value once")
      } else {
        values.append((node: item, meaning: meaning))
      }
    }
    return values.isEmpty ? nil : values
  }

  private func example(of key: String) -> String {
    switch key {
    case "rows": return "[1_000, 10_000]"
    case "seed", "repeat": return "[1, 2]"
    case "duplicates": return "[0%, 10%]"
    case "merge_policy": return "[store_trump, object_trump]"
    case "indexes": return "[none, all]"
    default: break
    }
    let known = schema.engines.flatMap { $0.strategies.compactMap { $0.parameters[key]?.domain } }.first
    switch known ?? PragmaSchema.all.first(where: { $0.name == key })?.parameterDomain {
    case .rows: return "[100, all]"
    case .bytes: return "[4 MiB, none]"
    case .words(let words): return "[\(words.prefix(2).joined(separator: ", "))]"
    case nil: return "[4096, 8192]"
    }
  }

  /// What a value of source, store or scenario means: the same for two spellings of one value.
  private mutating func condition(_ key: String, _ node: YAMLNode) -> ParameterValue? {
    switch key {
    case "rows": wholeNumber(node, in: 1...mostRows, of: " of rows").map(ParameterValue.count)
    case "seed":
      wholeNumber(node, in: UInt64.min...UInt64.max).map { seed in
        Int(exactly: seed).map(ParameterValue.count) ?? .word("\(seed)")
      }
    case "duplicates": share(node).map { .word(percentText($0)) }
    case "repeat": repeats(node).map(ParameterValue.count)
    case "merge_policy": mergePolicy(node).map { .word($0.rawValue) }
    // Read back from results, the word is that of all rows.
    case "indexes": indexes(node).map { $0 == .all ? .all : .word($0.rawValue) }
    default:
      PragmaSchema.all.first { $0.name == key }.flatMap { pragma in
        value(node, of: pragma).map { text in Int(text).map(ParameterValue.count) ?? .word(text) }
      }
    }
  }

  /// Whether nothing else of the scenario says what the axis says; what does is noted.
  private mutating func isFree(_ axis: SweepAxis, in section: Section) -> Bool {
    let others = ["feed", "store", "synthetic"]
    if GeneratorSettings.keys.contains(axis.key), let kind = others.first(where: { section["source"]?[$0] != nil }) {
      complain(
        axis.keyPlace,
        found:
          "the generator's key '\(axis.key)' in the sweep, while the source is \(kind == "synthetic" ? "synthetic data" : "a \(kind)")",
        expected: "a source that generates its rows, or no such key")
      return false
    }
    let path = axis.subject == .condition ? axis.path : [axis.key]
    var other = path.first.flatMap { section[$0] }
    for key in path.dropFirst() { other = other?[key] }
    guard let other else { return true }
    complain(
      other.place, found: "a value of '\(path.joined(separator: "."))', which is swept as well",
      expected: "it here or in the sweep")
    return false
  }
}

extension PragmaSchema {
  /// The values as a parameter's; nil for numbers.
  fileprivate var parameterDomain: Parameter.Domain? {
    switch domain {
    case .words(let words): .words(words)
    case .switch: .words(["off", "on"])
    case .number, .powerOfTwo: nil
    }
  }
}

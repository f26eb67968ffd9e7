// Settings of the command line. Each one replaces a value in the file, which it finds by name.
import BatchmarkEngine

/// Applies settings to the tree of a file, where they are checked like any other value.
struct CommandLineSettings: NodeReading {
  let diagnostics: Diagnostics
  let schema: ScenarioSchema
  private(set) var effects: CellChanges

  init(diagnostics: Diagnostics, schema: ScenarioSchema, leavesOutCells: Bool) {
    effects = CellChanges(leavesOutCells: leavesOutCells)
    self.diagnostics = diagnostics
    self.schema = schema
  }

  /// Applies every setting to the tree.
  ///
  /// The last one with a name wins.
  mutating func apply(_ overrides: [ScenarioOverride], to root: inout YAMLNode) {
    guard case .mapping = root.content else { return }
    // Apply these first, because they decide whether settings of the generator are valid.
    for override in overrides where override.key == "feed" { replaceSource(by: override, in: &root) }
    for override in overrides where override.key == "store" {
      replaceSource(by: override, in: &root)
      // A store has its own model.
      for key in ["model", "entity"] { _ = root.remove(key) }
    }
    for override in overrides where override.key != "feed" && override.key != "store" { apply(override, to: &root) }
  }

  private mutating func apply(_ override: ScenarioOverride, to root: inout YAMLNode) {
    let node = YAMLNode(override)
    if override.key.hasPrefix(ScenarioOverride.mapped) {
      root.set(["map", String(override.key.dropFirst(ScenarioOverride.mapped.count))], to: node)
      return
    }
    stopSweeping(override.key, in: &root)
    let key = ScenarioKey.key(named: override.key, among: ScenarioKey.settable, source: root["source"])
    if let key, let path = key.path {
      if let problem = problem(of: key, in: root) {
        diagnose(node.place, found: "the setting '\(key.name)' of " + problem.found, expected: problem.expected)
      } else {
        root.set(path[...], to: node)
      }
    } else if schema.parameterKeys().contains(where: { $0.name == override.key }) {
      applyToCells(override, node, to: &root)
    } else {
      let names = (ScenarioKey.settable + schema.parameterKeys()).map(\.name)
      let words = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
      diagnose(node.place, found: "the setting \(shown(override.key))", word: override.key, words: words)
    }
  }

  /// Why a setting of one kind of source is invalid here; `nil` if it is valid.
  private func problem(of key: ScenarioKey, in root: YAMLNode) -> (found: String, expected: String)? {
    guard let kind = ScenarioKey.kindsOfSource.first(where: { $0.location == key.location }) else { return nil }
    return SourceSection.other(than: key.location.rawValue, in: root["source"]).map { other in
      let settings = ScenarioKey.settings(ofSource: root["source"]).joined(separator: ", ")
      let instead = settings.isEmpty ? "no such setting" : "one of this source: \(settings)"
      return ("\(kind.name), while the source is \(other)", "\(kind.owner), or \(instead)")
    }
  }

  /// Replaces the rows of the source with those of a feed or a store.
  private mutating func replaceSource(by override: ScenarioOverride, in root: inout YAMLNode) {
    let node = YAMLNode(override)
    root.set(
      ["source"],
      to: YAMLNode(.mapping([YAMLNode.Entry(key: override.key, keyPlace: node.place, value: node)]), at: node.place))
    for key in ScenarioKey.conditions where key.isOfSource { stopSweeping(key.name, in: &root) }
  }

  /// Removes a key from the sweep: one value replaces several.
  private mutating func stopSweeping(_ key: String, in root: inout YAMLNode) {
    guard var sweep = root["sweep"], sweep.remove(key) else { return }
    // Its values were parts of the cells' names.
    (effects.hasRenamedCells, effects.hasReplacedSweep) = (true, true)
    if case .mapping(let entries) = sweep.content, entries.isEmpty {
      _ = root.remove("sweep")
    } else {
      root.set(["sweep"], to: sweep)
    }
  }

  private mutating func applyToCells(_ override: ScenarioOverride, _ node: YAMLNode, to root: inout YAMLNode) {
    guard let cells = root["cells"], case .list(var items) = cells.content else { return }
    let operation = root["operation"]?.text.flatMap(Operation.Kind.init(rawValue:)) ?? .insert
    var isKnown = false
    for index in items.indices {
      let strategy = schema.strategy(in: items[index], for: operation)
      guard strategy?.parametersByName[override.key] != nil else { continue }
      items[index].set([override.key], to: node)
      isKnown = true
    }
    guard isKnown || effects.leavesOutCells else {
      diagnose(
        node.place, found: "the setting '\(override.key)', which no cell of the scenario has",
        expected: "a parameter of one of its strategies")
      return
    }
    root.set(["cells"], to: YAMLNode(.list(items), at: cells.place))
    effects.hasRenamedCells = true
  }
}

extension YAMLNode {
  /// The node for a setting.
  fileprivate init(_ override: ScenarioOverride) {
    self.init(.scalar(override.value, isQuoted: false), at: .setting(override.origin))
  }
}

/// One `--set key=value` (or `--feed`, `--rounds`), which sets a parameter of the source, cell, store or measurement by
/// name.
package struct ScenarioOverride: Codable, Sendable, Hashable {
  package var key: String
  package var value: String
  /// The setting as the user wrote it, for messages: `--set rows=10`.
  package var origin: String

  package init(key: String, value: String, origin: String) {
    self.key = key
    self.value = value
    self.origin = origin
  }

  /// The prefix of keys that map a field to an attribute: `map.title` names the field for `title`.
  package static let mapped = "map."
}

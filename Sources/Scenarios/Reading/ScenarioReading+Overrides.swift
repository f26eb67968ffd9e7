// Settings of the command line: each takes the place of a value in the file, found by its name.

extension ScenarioReading {
  /// Settings by the path of the value they replace; the generator's, the pragmas and the cells' come beside them.
  private static let paths: [String: [String]] = [
    "repeat": ["repeat"], "where": ["where"], "merge_policy": ["merge_policy"], "indexes": ["indexes"],
    "rounds": ["measure", "rounds"], "sample_limit": ["measure", "sample_limit"],
    "cell_limit": ["measure", "cell_limit"],
    "warm_up": ["measure", "warm_up"],
  ]

  /// Puts every setting into the tree, where reading checks it like any other value.
  ///
  /// The last of one name wins.
  mutating func apply(_ overrides: [ScenarioOverride], to root: inout YAMLNode) {
    guard case .mapping = root.content else { return }
    // First, because it decides whether the generator's settings have a place.
    for override in overrides where override.key == "feed" {
      let node = YAMLNode(override)
      let source = YAMLNode(.mapping([YAMLNode.Entry(key: "feed", keyPlace: node.place, value: node)]), at: node.place)
      root.set(["source"], to: source)
      for key in GeneratorSettings.keys { stopSweeping(key, in: &root) }
    }
    for override in overrides where override.key == "store" { replaceSource(byStore: override, in: &root) }
    for override in overrides where override.key != "feed" && override.key != "store" {
      let node = YAMLNode(override)
      stopSweeping(override.key, in: &root)
      if SyntheticSource.settings.contains(override.key), root["source"]?["synthetic"] != nil {
        root.set(["source", "synthetic", override.key], to: node)
      } else if GeneratorSettings.keys.contains(override.key) {
        applyToGenerator(override, node, to: &root)
      } else if let path = ScenarioReading.paths[override.key] {
        root.set(path[...], to: node)
      } else if PragmaSchema.all.contains(where: { $0.name == override.key }) {
        root.set(["store", override.key], to: node)
      } else if parameterNames.contains(override.key) {
        applyToCells(override, node, to: &root)
      } else {
        complain(node.place, found: "the setting \(shown(override.key))", word: override.key, words: settingNames)
      }
    }
  }

  /// Has the rows of a store take the place of the source's, and its model that of the scenario's.
  private mutating func replaceSource(byStore override: ScenarioOverride, in root: inout YAMLNode) {
    let node = YAMLNode(override)
    root.set(
      ["source"],
      to: YAMLNode(.mapping([YAMLNode.Entry(key: "store", keyPlace: node.place, value: node)]), at: node.place))
    for key in ["model", "entity"] { _ = root.remove(key) }
    for key in GeneratorSettings.keys { stopSweeping(key, in: &root) }
  }

  /// Takes a key out of the sweep: one value takes the place of many.
  private mutating func stopSweeping(_ key: String, in root: inout YAMLNode) {
    guard var sweep = root["sweep"], sweep.remove(key) else { return }
    hasReplacedSweep = true
    // Its values were parts of the cells' names.
    hasRenamedCells = true
    if case .mapping(let entries) = sweep.content, entries.isEmpty {
      _ = root.remove("sweep")
    } else {
      root.set(["sweep"], to: sweep)
    }
  }

  /// The parameters of every strategy, sorted.
  private var parameterNames: [String] {
    Set(schema.engines.flatMap { $0.strategies.flatMap(\.parameters.keys) }).sorted()
  }

  private var settingNames: [String] {
    GeneratorSettings.keys + ["scale", "feed", "store"] + ScenarioReading.paths.keys.sorted() + parameterNames
      + PragmaSchema.all.map(\.name)
  }

  private mutating func applyToGenerator(_ override: ScenarioOverride, _ node: YAMLNode, to root: inout YAMLNode) {
    let others = ["feed": "a feed", "store": "a store", "synthetic": "synthetic data"]
    if let other = others.sorted(by: { $0.key < $1.key }).first(where: { root["source"]?[$0.key] != nil }) {
      complain(
        node.place,
        found: "the setting '\(override.key)' of the generator, while the source is \(other.value)",
        expected: "a scenario that generates its rows, or no such setting")
    } else {
      root.set(["source", "generate", override.key], to: node)
    }
  }

  private mutating func applyToCells(_ override: ScenarioOverride, _ node: YAMLNode, to root: inout YAMLNode) {
    guard let cells = root["cells"], case .list(var items) = cells.content else { return }
    let operation = root["operation"]?.text.flatMap(ScenarioOperation.init(rawValue:)) ?? .insert
    var isKnown = false
    for index in items.indices {
      let strategy = words(ofStrategyIn: items[index], operation: operation)
      guard strategy?.parameters[override.key] != nil else { continue }
      items[index].set([override.key], to: node)
      isKnown = true
    }
    guard isKnown else {
      complain(
        node.place, found: "the setting '\(override.key)', which no cell of the scenario has",
        expected: "a parameter of one of its strategies")
      return
    }
    root.set(["cells"], to: YAMLNode(.list(items), at: cells.place))
    hasRenamedCells = true
  }
}

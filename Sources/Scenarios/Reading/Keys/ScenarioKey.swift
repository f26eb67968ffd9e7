// The table of keys: what a scenario file may contain. Sections, sweeps, settings and the reference all use it.
internal import BatchmarkEngine

/// A key of scenario files.
package struct ScenarioKey: Sendable, Hashable {
  /// The mapping that contains a key.
  package enum Location: String, Sendable, CaseIterable {
    /// The top of the file.
    case scenario
    /// An entity of the model, an attribute or a relationship, by name.
    case entity, attribute, relationship
    /// An entity in another version of the model.
    case changedEntity = "changed entity"
    /// The source, and the kinds of source with settings.
    case source, generate, trees, synthetic
    case syntheticEntity = "synthetic entity"
    case syntheticAttribute = "synthetic attribute"
    case syntheticRelationship = "synthetic relationship"
    case store, list, cell, measure
    /// What else uses the store, and the queries of readers.
    case beside, query

    /// The path of keys to the mapping; `nil` if a file can have several such mappings.
    var path: [String]? {
      switch self {
      case .scenario: []
      case .source, .store, .list, .measure, .beside: [rawValue]
      case .query: [Location.beside.rawValue, rawValue]
      case .generate, .trees, .synthetic: [Location.source.rawValue, rawValue]
      case .entity, .changedEntity, .attribute, .relationship, .cell: nil
      case .syntheticEntity, .syntheticAttribute, .syntheticRelationship: nil
      }
    }
  }

  /// The kind of a key's value.
  package enum Kind: Sendable, Hashable {
    /// Text; the phrase describes it.
    case text(String)
    /// A mapping or a list; the phrase describes it, and the contents are what it may contain.
    case mapping(String, KeyContents)
    case list(String, KeyContents)
    /// True or false.
    case flag
    case duration
    /// A value that can be swept or set.
    case value(ValueDomain)

    /// A description of the value, for the reference.
    package var description: String {
      switch self {
      case .text(let what): what
      case .mapping(let what, _): "mapping of " + what
      case .list(let what, _): "list of " + what
      case .flag: "true, false"
      case .duration: "duration such as 600 s"
      case .value(let domain): domain.description
      }
    }
  }

  /// Other places where a key is allowed.
  package struct Uses: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// In `sweep`, with a list of values.
    package static let sweep = Uses(rawValue: 1)
    /// On the command line, `--set key=value`.
    package static let setting = Uses(rawValue: 2)
  }

  package let name: String
  package let kind: Kind
  /// The mapping that contains it.
  package let location: Location
  package let uses: Uses
  /// The default; `nil` if there is none, or if SQLite or the engine decides it.
  package let standard: String?
  /// One line about its meaning.
  package let help: String

  init(
    _ name: String, _ kind: Kind, in location: Location, _ uses: Uses = [], default standard: String? = nil,
    help: String
  ) {
    self.name = name
    self.kind = kind
    self.location = location
    self.uses = uses
    self.standard = standard
    self.help = help
  }

  package var isSweepable: Bool { uses.contains(.sweep) }
  /// Whether `--set` takes it.
  package var isSettable: Bool { uses.contains(.setting) }

  /// The values of a key that takes one of some values; `nil` for other kinds.
  var domain: ValueDomain? { if case .value(let domain) = kind { domain } else { nil } }

  /// The path of keys to the value; `nil` if a file can have several such mappings.
  var path: [String]? { location.path.map { $0 + [name] } }
}

extension ScenarioKey {
  /// Every key that does not depend on the engines, mapping by mapping, in the order people write them.
  static let fixed: [ScenarioKey] =
    scenarioKeys + modelKeys + sourceKeys + storeKeys + listKeys + cellKeys + measureKeys + besideKeys + queryKeys

  /// The keys of a mapping.
  static func all(in location: Location) -> [ScenarioKey] { fixed.filter { $0.location == location } }

  /// The names of a mapping's keys.
  static func names(in location: Location) -> [String] { all(in: location).map(\.name) }

  /// The keys of the source, the store and the scenario that a sweep may vary, the source's first.
  static let conditions = [.generate, .trees, .synthetic, .scenario, .beside, .store].flatMap {
    all(in: $0).filter(\.isSweepable)
  }

  /// The keys that `--set` takes in addition to parameters of strategies, the source's first.
  static let settable = [.generate, .trees, .synthetic, .source, .scenario, .measure, .beside, .store, .list].flatMap {
    all(in: $0).filter(\.isSettable)
  }

  /// The kinds of source with settings, with their names in messages.
  static let kindsOfSource: [(location: Location, name: String, owner: String)] = [
    (.generate, "the generator", "a scenario that generates its rows"),
    (.trees, "trees", "a scenario of trees"),
    (.synthetic, "synthetic data", "a scenario of synthetic data"),
  ]

  /// The settings that `--set` takes for the scenario's kind of source; empty if it has none.
  static func settings(ofSource source: YAMLNode?) -> [String] {
    let kind = kindsOfSource.first { source?[$0.location.rawValue] != nil }
    return kind.map { all(in: $0.location).filter(\.isSettable).map(\.name) } ?? []
  }

  /// The key with this name for the scenario's source, or else the first key with the name.
  static func key(named name: String, among keys: [ScenarioKey], source: YAMLNode?) -> ScenarioKey? {
    let named = keys.filter { $0.name == name }
    return named.first { key in key.isOfSource && source?[key.location.rawValue] != nil } ?? named.first
  }

  /// Whether it is a setting of one kind of source.
  var isOfSource: Bool { ScenarioKey.kindsOfSource.contains { $0.location == location } }

  /// Parameters of strategies that are also allowed at the top, where they apply to every cell that has them.
  static let commonParameters = all(in: .scenario).filter { $0.kind == .cellParameter }.map(\.name)
}

extension ScenarioSchema {
  /// Every key of a scenario file: those that every executable knows, and the parameters of its engines' strategies.
  package var keys: [ScenarioKey] {
    ScenarioKey.Location.allCases.flatMap { location in
      ScenarioKey.all(in: location) + (location == .cell ? parameterKeys() : [])
    }
  }

  /// Whether a command-line setting is a parameter of cells, which only some strategies have.
  package func isOfCells(_ setting: ScenarioOverride) -> Bool {
    !ScenarioKey.settable.contains { $0.name == setting.key } && parameterKeys().contains { $0.name == setting.key }
  }

  /// The parameters of every strategy, or of those for an operation, by name.
  ///
  /// If strategies offer different words, the longest list applies to all.
  func parameterKeys(for operation: Operation.Kind? = nil) -> [ScenarioKey] {
    var found: [String: [Parameter]] = [:]
    for strategy in engines.flatMap(\.strategies) where operation == nil || strategy.operation == operation {
      for (name, parameter) in strategy.parametersByName { found[name, default: []].append(parameter) }
    }
    return found.sorted { $0.key < $1.key }.compactMap { name, parameters in
      guard let first = parameters.first else { return nil }
      let widest = parameters.max { $0.domain.wordCount < $1.domain.wordCount } ?? first
      return ScenarioKey(
        name, .value(ValueDomain(widest.domain)), in: .cell, [.sweep, .setting], default: first.standard.description,
        help: first.help)
    }
  }
}

extension Parameter.Domain {
  /// The number of words to choose from; 0 for numbers.
  fileprivate var wordCount: Int { if case .words(let words) = self { words.count } else { 0 } }
}

extension NodeReading {
  /// Reads a mapping with the keys of the table.
  func section(_ node: YAMLNode, _ location: ScenarioKey.Location, unsupported: [String: String] = [:]) -> Section? {
    section(node, keys: ScenarioKey.names(in: location), unsupported: unsupported)
  }
}

/// The contents of a key's mapping or list.
package indirect enum KeyContents: Sendable, Hashable {
  /// The keys of a location in the file.
  case keys(ScenarioKey.Location)
  /// Any number of names with the same contents each.
  case named(KeyContents)
  /// Any number of whole numbers as keys, each with a count.
  case counts
  case list(KeyContents)
  /// A whole number.
  case wholeNumber(ClosedRange<Int>)
  /// A word, number or Boolean, or nothing.
  case scalar
  case text
  /// A cell: an engine's strategy with its parameters.
  case cell
  /// Keys that a sweep varies, each with its values.
  case sweep
  /// Keys of cells, each with one or several values.
  case exclusion
  /// Metrics, optionally with a cell and a phase before them, each with how far it may change.
  case limits
  case either(KeyContents, KeyContents)
}

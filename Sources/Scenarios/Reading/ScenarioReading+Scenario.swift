// The scenario as a whole: its top-level keys, and the checks that no single key can make.
import ObjectGraph

extension ScenarioReading {
  /// The keys of a scenario, in the order people write them.
  static let keys = [
    "scenario", "description", "model", "entity", "indexes", "source", "link", "operation", "where", "set",
    "merge_policy", "repeat", "merge", "history", "reader", "store", "cells", "sweep", "exclude", "measure", "budgets",
  ]
  /// Keys whose meaning is settled and whose time has not come.
  static let reservedKeys = ["map"]
  /// The keys of `measure`.
  static let measureKeys = ["rounds", "warm_up", "sample_limit", "cell_limit"]

  /// Reads the whole scenario; nil when there is a mistake, which then is among the errors.
  ///
  /// Where source, store or scenario are swept, everything but the cells is read for each combination that a cell has.
  mutating func scenario(_ root: YAMLNode) -> Scenario? {
    guard let section = section(root, keys: ScenarioReading.keys, reserved: ScenarioReading.reservedKeys) else {
      return nil
    }
    let name = required("scenario", in: section, example: "scenario: earthquakes").flatMap { self.name($0) }
    let operation = self.operation(section["operation"])
    var mistakes = errors.count
    let sweep = section["sweep"].map { self.sweep($0, over: section, operation: operation) } ?? []
    let isSweepWhole = errors.count == mistakes
    mistakes = errors.count
    var cells = required("cells", in: section, example: "cells: [{strategy: save}]").map {
      self.cells($0, in: section, scenario: name ?? "scenario", operation: operation, sweep: sweep)
    }
    // Where a cell is wrong, nobody can tell whether an exclusion or a budget names it.
    if let node = section["exclude"], let found = cells, isSweepWhole, errors.count == mistakes {
      cells = excluding(node, from: found, isSwept: section["sweep"] != nil)
    }
    let budgets = section["budgets"].map {
      self.budgets($0, of: isSweepWhole && errors.count == mistakes ? cells?.map(\.cell) : nil, operation: operation)
    }
    // Without a value for each key of the sweep others would seem to be missing; they are looked for when it has one.
    guard isSweepWhole else { return nil }

    let conditions = sweep.filter { $0.subject == .condition }
    var combinations = cells?.map(\.cell).distinctConditions ?? []
    // Not one of all combinations: a sweep that was refused for its size makes more than there is memory for.
    if combinations.isEmpty { combinations = [SweepCombination.first(of: conditions).conditions] }
    var variants: [(conditions: [String: ParameterValue], scenario: Scenario)] = []
    for combination in combinations {
      var variant = section
      for axis in conditions {
        guard let node = axis.node(meaning: combination[axis.key]) else { continue }
        variant = variant.setting(axis.path, to: node)
      }
      let own = (cells ?? []).filter { $0.cell.conditions == combination }
      if let scenario = self.variant(variant, name: name, operation: operation, cells: own) {
        variants.append((combination, scenario))
      }
    }
    guard errors.isEmpty, var scenario = variants.first?.scenario, let cells else { return nil }
    scenario.cells = cells.map(\.cell)
    scenario.budgets = budgets ?? []
    if sweep.contains(where: { $0.subject != .parameter }) {
      scenario.variants = Dictionary(variants.map { ($0.conditions, $0.scenario) }) { first, _ in first }
      scenario.fingerprint = Scenario.fingerprint(of: scenario.variants)
    }
    return scenario
  }

  /// Reads all but the cells: the scenario with one source, one store and one policy.
  private mutating func variant(
    _ section: Section, name: String?, operation: ScenarioOperation, cells: [(cell: Cell, place: Place)]
  ) -> Scenario? {
    let description = section["description"].flatMap { text($0, expected: "a sentence") } ?? ""
    var source = required("source", in: section, example: "source: {generate: {rows: 1_000}}").flatMap {
      self.source($0)
    }
    if source?.isStore != true {
      _ = required("model", in: section, example: "model: {Quake: {attributes: {code: {type: string}}}}")
    }
    let mistakes = errors.count
    let modelReading = self.modelReading(section["model"], source: source)
    var entities = modelReading?.entities ?? []
    let ingested = modelReading.map { ingestedEntities(in: section, source: source, model: $0) } ?? []
    var entity = ingested.first
    if let node = section["indexes"], let choice = indexes(node), let found = entity {
      let chosen = choosing(choice, at: node.place, of: found)
      for index in entities.indices where entities[index].description.name == found.description.name {
        entities[index] = chosen
      }
      entity = chosen
    }
    // Only a model without a mistake tells whether a profile has one.
    if let node = source?.synthetic, errors.count == mistakes,
      let model = try? ManagedObjectModel(entities: entities.map(\.description)),
      let read = syntheticSource(node, of: model)
    {
      let name = source?.entity?.text
      source?.description = .synthetic(read, entity: name)
    }
    var links: [Link] = []
    if let node = section["link"], let entity { links = self.links(node, of: entity, among: entities) }
    let change = entity.flatMap { self.change(in: section, operation: operation, of: $0) }
    let policy = section["merge_policy"].flatMap { mergePolicy($0) }
    let repeats = section["repeat"].flatMap { self.repeats($0) } ?? 1
    let pragmas = section["store"].map { self.pragmas($0) } ?? []
    let measure = self.measure(section["measure"])

    if let source, source.description.isGraph {
      checkReplay(of: ingested, in: section, source: source, operation: operation, cells: cells)
    } else if let entity {
      checkIngestion(into: entity, at: section["entity"]?.place ?? entity.place)
    }
    if let source, let entity {
      checkFields(of: source, for: entity)
      checkConflicts(in: section, source: source, entity: entity, policy: policy, repeats: repeats, cells: cells)
    }
    if let source { checkLinking(in: section, source: source, repeats: repeats, operation: operation, cells: cells) }
    guard errors.isEmpty, let name, let entity, let source, let modelReading,
      let model = model(of: entities, at: modelReading.place)
    else { return nil }
    var scenario = Scenario(
      name: name, description: description, file: file, fingerprint: "", model: model,
      entityName: entity.description.name, source: source.description, change: change, repeats: repeats,
      mergePolicy: policy.map(MergePolicy.init(mergeType:)), pragmas: pragmas, cells: cells.map(\.cell),
      rounds: measure.rounds, warmUpRows: measure.warmUpRows, sampleLimit: measure.sampleLimit)
    if ingested.count > 1 { scenario.entityNames = ingested.map(\.description.name) }
    scenario.modelRemarks = modelReading.remarks
    scenario.links = links
    scenario.cellLimit = measure.cellLimit
    scenario.fingerprint = scenario.computedFingerprint
    return scenario
  }

  /// A name that can be a part of a cell's id.
  private mutating func name(_ node: YAMLNode) -> String? {
    let expected = "a name of ASCII letters, digits, '-', '_' and '.'"
    guard let name = text(node, expected: expected) else { return nil }
    let isValid = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-_.".utf8.contains(byte)
    }
    guard isValid else {
      complain(node.place, found: "the name \(shown(name))", expected: expected)
      return nil
    }
    return name
  }

  mutating func mergePolicy(_ node: YAMLNode) -> MergePolicy.MergeType? {
    word(node, among: MergePolicy.MergeType.allCases.map(\.rawValue)).flatMap(MergePolicy.MergeType.init(rawValue:))
  }

  mutating func repeats(_ node: YAMLNode) -> Int? { wholeNumber(node, in: 1...1_000, of: " of times") }

  private mutating func measure(
    _ node: YAMLNode?
  ) -> (rounds: Int, warmUpRows: Int, sampleLimit: Double, cellLimit: Double?) {
    let section = node.flatMap { self.section($0, keys: ScenarioReading.measureKeys) }
    let rounds = section?["rounds"].flatMap { wholeNumber($0, in: 1...10_000, of: " of rounds") }
    let limit = section?["sample_limit"].flatMap { seconds($0) }
    let warmUp = section?["warm_up"].flatMap { node in
      node.text == "all" ? .max : wholeNumber(node, in: 0...mostRows, of: " of rows")
    }
    let cellLimit = section?["cell_limit"].flatMap { seconds($0) }
    return (rounds ?? 10, warmUp ?? Scenario.standardWarmUpRows, limit ?? 600, cellLimit)
  }

  /// Checks that rows with one unique value are possible and what becomes of them is said, or that there are none.
  private mutating func checkConflicts(
    in section: Section, source: SourceReading, entity: EntityReading, policy: MergePolicy.MergeType?, repeats: Int,
    cells: [(cell: Cell, place: Place)]
  ) {
    let (cause, place): (String, Place)
    if source.duplicates > 0 {
      (cause, place) = ("duplicates of \(percentText(source.duplicates))", source.duplicatesPlace ?? source.place)
    } else if repeats > 1 {
      (cause, place) = ("a repeat of \(repeats)", section["repeat"]?.place ?? section.place)
    } else {
      return
    }
    let name = entity.description.name
    if entity.description.uniquenessConstraints.isEmpty && !entity.hasWrongConstraints {
      complain(
        place, found: "\(cause), while no attribute of \(name) is unique",
        expected: "unique: [[code]] in \(name), so that a row can meet its like")
    }
    let policies = MergePolicy.MergeType.allCases.filter { $0 != .error }.map(\.rawValue).joined(separator: ", ")
    if section["merge_policy"] == nil {
      complain(
        place, found: "\(cause) and no key 'merge_policy'", expected: "merge_policy: and one of \(policies)")
    } else if policy == .error,
      let save = cells.first(where: {
        $0.cell.operation == .insert && $0.cell.role == .objectByObject
      })
    {
      complain(
        section["merge_policy"]?.place ?? save.place,
        found: "the policy 'error' with \(cause), with which the cell \(save.cell.id) would fail",
        expected: "another policy: \(policies)")
    }
  }
}

// The scenario as a whole: its top-level keys, and the checks that no single key can make.
import ObjectGraph

extension ScenarioReading {
  /// The keys of a scenario, in the order people write them.
  static let keys = [
    "scenario", "description", "model", "entity", "source", "operation", "where", "set", "merge_policy", "repeat",
    "merge", "history", "reader", "store", "cells", "measure", "budgets",
  ]
  /// Keys whose meaning is settled and whose time has not come.
  static let reservedKeys = ["map", "sweep", "exclude"]
  /// The keys of `measure`.
  static let measureKeys = ["rounds", "warm_up", "sample_limit"]

  /// Reads the whole scenario; nil when there is a mistake, which then is among the errors.
  mutating func scenario(_ root: YAMLNode) -> Scenario? {
    guard let section = section(root, keys: ScenarioReading.keys, reserved: ScenarioReading.reservedKeys) else {
      return nil
    }
    let name = required("scenario", in: section, example: "scenario: earthquakes").flatMap { self.name($0) }
    let description = section["description"].flatMap { text($0, expected: "a sentence") } ?? ""
    let modelNode = required("model", in: section, example: "model: {Quake: {attributes: {code: {type: string}}}}")
    let entities = modelNode.flatMap { self.entities($0) } ?? []
    let entity = modelNode.flatMap { ingestedEntity(section["entity"], among: entities, model: $0.place) }
    let source = required("source", in: section, example: "source: {generate: {rows: 1_000}}").flatMap {
      self.source($0)
    }
    let operation = self.operation(section["operation"])
    let change = entity.flatMap { self.change(in: section, operation: operation, of: $0) }
    let policy = section["merge_policy"].flatMap { mergePolicy($0) }
    let repeats = section["repeat"].flatMap { wholeNumber($0, in: 1...1_000, of: " of times") } ?? 1
    let pragmas = section["store"].map { self.pragmas($0) } ?? []
    let mistakes = errors.count
    let cells = required("cells", in: section, example: "cells: [{strategy: save}]").map {
      self.cells($0, in: section, scenario: name ?? "scenario", operation: operation)
    }
    let budgets = section["budgets"].map {
      // Where a cell is wrong, nobody can tell whether a budget names it.
      self.budgets($0, of: errors.count == mistakes ? cells?.map(\.cell) : nil, operation: operation)
    }
    let (rounds, warmUp, limit) = measure(section["measure"])

    if let entity {
      checkIngestion(into: entity, at: section["entity"]?.place ?? entity.place)
    }
    if let source, let entity {
      checkFields(of: source, for: entity)
      checkConflicts(in: section, source: source, entity: entity, policy: policy, repeats: repeats, cells: cells ?? [])
    }
    guard errors.isEmpty, let name, let entity, let source, let cells, let modelNode,
      let model = model(of: entities, at: modelNode.place)
    else { return nil }
    var scenario = Scenario(
      name: name, description: description, file: file, fingerprint: "", model: model,
      entityName: entity.description.name, source: source.description, change: change, repeats: repeats,
      mergePolicy: policy.map(MergePolicy.init(mergeType:)), pragmas: pragmas, cells: cells.map(\.cell),
      rounds: rounds, warmUpRows: warmUp, sampleLimit: limit, budgets: budgets ?? [])
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

  private mutating func mergePolicy(_ node: YAMLNode) -> MergePolicy.MergeType? {
    word(node, among: MergePolicy.MergeType.allCases.map(\.rawValue)).flatMap(MergePolicy.MergeType.init(rawValue:))
  }

  private mutating func measure(_ node: YAMLNode?) -> (rounds: Int, warmUpRows: Int, sampleLimit: Double) {
    let section = node.flatMap { self.section($0, keys: ScenarioReading.measureKeys) }
    let rounds = section?["rounds"].flatMap { wholeNumber($0, in: 1...10_000, of: " of rounds") }
    let limit = section?["sample_limit"].flatMap { seconds($0) }
    let warmUp = section?["warm_up"].flatMap { node in
      node.text == "all" ? .max : wholeNumber(node, in: 0...mostRows, of: " of rows")
    }
    return (rounds ?? 10, warmUp ?? Scenario.standardWarmUpRows, limit ?? 600)
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
        $0.cell.operation == .insert && $0.cell.strategy == "save"
      })
    {
      complain(
        section["merge_policy"]?.place ?? save.place,
        found: "the policy 'error' with \(cause), with which the cell \(save.cell.id) would fail",
        expected: "another policy: \(policies)")
    }
  }
}

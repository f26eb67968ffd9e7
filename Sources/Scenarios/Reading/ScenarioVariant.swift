// Everything in a scenario except its cells, with one source, one store and one policy.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

/// Reads a scenario for one combination of a sweep, or a scenario without a sweep.
struct ScenarioVariant: NodeReading {
  let diagnostics: Diagnostics
  let schema: ScenarioSchema

  /// The source and the model of its rows.
  private struct Data {
    var source: SourceReading?
    var model: ModelReading?
    /// The model's entities, with the chosen indexes.
    var entities: [EntityReading] = []
    /// The entities of the rows.
    var ingested: [EntityReading] = []

    /// The entity of the rows as written in the model, with all indexes and constraints.
    var written: EntityReading?

    var entity: EntityReading? { ingested.first }

    /// Replaces the entity of the rows with another one that has the same name.
    mutating func replaceEntity(with other: EntityReading) {
      for index in entities.indices where entities[index].description.name == other.description.name {
        entities[index] = other
      }
      ingested[0] = other
    }
  }

  /// Reads everything except the cells, which are those of this combination; `nil` if there is any mistake.
  func read(_ section: Section, name: String?, operation: Operation.Kind, cells: [PlacedCell]) -> Scenario? {
    let description = section["description"].flatMap { text($0, expected: "a sentence") } ?? ""
    let data = data(in: section)
    var links: [Link] = []
    if let node = section["link"], let entity = data.entity {
      links = readLinks(node, of: entity, among: data.entities)
    }
    let list = data.entity.flatMap {
      readList(section["list"], of: $0, cells: cells)
    }
    // Values that are unique by the model remain so without the index.
    let stored = try? ManagedObjectModel(entities: data.entities.map(\.description))
    let whole = data.written.flatMap {
      OperationSection(diagnostics: diagnostics).read(section, operation, of: $0, in: stored)
    }
    let policy = section["merge_policy"].flatMap { choice($0, of: MergePolicy.MergeType.self) }
    let repeats = section["repeat"].flatMap { count($0, of: .repeats) } ?? 1
    let pragmas = section["store"].map { readPragmas($0) } ?? []
    let beside =
      section["beside"].map { readBeside($0, of: data.entity, pragmas: pragmas) }
      ?? ConcurrentWork()
    let measure = readMeasure(section["measure"])
    check(section, data, operation: operation, cells: cells)
    if let query = whole?.query, operation == .fetch, let source = data.source {
      checkFollow(section, query, source: source, entities: data.ingested, cells: cells)
    }
    if let source = data.source {
      if let entity = data.entity {
        checkConflicts(section, source: source, entity: entity, policy: policy, repeats: repeats, cells: cells)
      }
      checkLinking(section, source: source, repeats: repeats, operation: operation, cells: cells)
    }
    guard diagnostics.count == 0, let name, let whole, let entity = data.entity, let source = data.source,
      let read = data.model,
      let model = ModelSection(diagnostics: diagnostics).model(of: data.entities, at: read.place)
    else { return nil }
    var scenario = Scenario(
      name: name, description: description, file: diagnostics.file, fingerprint: "", model: model,
      entityName: entity.description.name, source: source.description, operation: whole, repeats: repeats,
      mergePolicy: policy.map(MergePolicy.init(mergeType:)), pragmas: pragmas,
      cells: differing(cells.map(\.cell), in: data), measure: measure)
    if data.ingested.count > 1 { scenario.entityNames = data.ingested.map(\.description.name) }
    scenario.modelRemarks = read.remarks
    scenario.modelFile = read.file
    scenario.links = links
    scenario.list = list
    scenario.pageCache = section["page_cache"].flatMap { choice($0, of: PageCacheState.self) } ?? .warm
    scenario.beside = beside
    scenario.fingerprint = scenario.computedFingerprint
    return scenario
  }

  /// The cells without duplicates: if no row is related, leaving out relationships makes no difference.
  private func differing(_ cells: [Cell], in data: Data) -> [Cell] {
    if case .trees? = data.source?.description { return cells }
    let isRelated =
      data.source?.description.isGraph == true && data.ingested.contains { !$0.description.relationships.isEmpty }
    if isRelated { return cells }
    let key = ParameterKey<RelationshipChoice>.relationships.name
    return cells.filter { cell in
      guard cell[.relationships] == .none, cell.parameters[key] != nil else { return true }
      return !cells.contains { other in
        var same = cell
        same.parameters[key] = nil
        return other.id == same.id
      }
    }
  }

  /// Reads the source and the model, which may depend on each other.
  private func data(in section: Section) -> Data {
    var data = Data()
    data.source = required("source", in: section, example: "source: {generate: {rows: 1_000}}").flatMap {
      SourceSection(diagnostics: diagnostics).read($0)
    }
    if data.source?.isStore != true {
      _ = required("model", in: section, example: "model: {Quake: {attributes: {code: {type: string}}}}")
    }
    let mistakes = diagnostics.count
    data.model = ModelSection(diagnostics: diagnostics).read(section["model"], source: data.source)
    data.entities = data.model?.entities ?? []
    data.ingested =
      data.model.map {
        readIngestedEntities(section["entity"], source: data.source, model: $0, isFollowed: section["follow"] != nil)
      } ?? []
    data.written = data.entity
    if let node = section["indexes"], let found = data.entity,
      let chosen = readIndexes(node, of: found)
    {
      data.replaceEntity(with: chosen)
    }
    if let node = section["delete_rule"], let found = data.entity,
      let ruled = readDeleteRule(node, of: found, source: data.source)
    {
      data.replaceEntity(with: ruled)
    }
    if let node = section["map"], let source = data.source, let entity = data.entity {
      let map = readFieldMap(node, source: source, entity: entity)
      if case .feed(let path, _) = source.description { data.source?.description = .feed(path: path, map: map) }
    }
    // A profile can only be checked against a model without mistakes.
    if let node = data.source?.synthetic, diagnostics.count == mistakes,
      let model = try? ManagedObjectModel(entities: data.entities.map(\.description)),
      let read = SyntheticSection(diagnostics: diagnostics).read(node, of: model)
    {
      let name = data.source?.entity?.text
      data.source?.description = .synthetic(read, entity: name)
    }
    return data
  }

  /// Checks that the rows fit into their entities.
  private func check(_ section: Section, _ data: Data, operation: Operation.Kind, cells: [PlacedCell]) {
    if let source = data.source, source.description.isGraph {
      checkReplay(section, entities: data.ingested, source: source, operation: operation, cells: cells)
    } else if let entity = data.entity {
      checkIngestible(entity, at: section["entity"]?.place ?? entity.place)
    }
    guard let source = data.source, let entity = data.entity else { return }
    checkFields(of: source, for: entity)
    if case .trees(let settings) = source.description {
      checkTrees(section, settings, source: source, entity: entity, operation: operation, cells: cells)
    }
  }

  /// The pragmas that SQLite accepts only for an empty file.
  ///
  /// Switching to WAL already writes to the file.
  private static let early: Set = ["page_size", "auto_vacuum"]

  /// Reads the pragmas in the file's order, except that those that only work on an empty file come first.
  private func readPragmas(_ node: YAMLNode) -> [StorePragma] {
    let keys = ScenarioKey.all(in: .store)
    guard let entries = entries(node, expected: "a mapping of pragmas, such as {journal_mode: wal}") else { return [] }
    let pragmas = entries.compactMap { entry -> StorePragma? in
      guard let key = keys.first(where: { $0.name == entry.key }), let domain = key.domain else {
        diagnose(
          entry.keyPlace, found: "the pragma \(shown(entry.key))", word: entry.key, words: keys.map(\.name))
        return nil
      }
      return value(entry.value, of: domain).map { StorePragma(key.name, $0.description) }
    }
    return pragmas.filter { ScenarioVariant.early.contains($0.name) }
      + pragmas.filter { !ScenarioVariant.early.contains($0.name) }
  }

  /// Reads the settings.
  ///
  /// Missing or invalid settings keep their defaults.
  private func readMeasure(_ node: YAMLNode?) -> MeasureSettings {
    var settings = MeasureSettings()
    guard let section = node.flatMap({ section($0, .measure) }) else { return settings }
    if let rounds = section["rounds"].flatMap({ count($0, of: .rounds) }) { settings.rounds = rounds }
    if let limit = section["sample_limit"].flatMap({ seconds($0) }) { settings.sampleLimit = limit }
    if let node = section["warm_up"], let rows = node.text == "all" ? .max : count(node, of: .warmUpRows) {
      settings.warmUpRows = rows
    }
    settings.cellLimit = section["cell_limit"].flatMap { seconds($0) }
    return settings
  }
}

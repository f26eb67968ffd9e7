// The text of a first scenario: a model, a source, cells that answer "save or batch?", and two budgets.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import Reports
internal import Scenarios
internal import Support

/// A first scenario file, with comments that say what to change.
struct FirstScenario {
  /// The scenario's name, a single word.
  let name: String
  /// What is stored, for the scenario's question.
  let subject: String
  /// Lines of `model` and `source`, and related ones.
  let contents: [String]
  /// Whether the source has several related entities, which not every strategy can store.
  let isGraph: Bool
  let rows: Int?

  /// For the rows of a feed, with a model that can hold all of its values.
  init(_ shape: FeedShape, feed: String) {
    name = shape.name
    subject = "the rows of \(FileName.last(of: feed))"
    isGraph = false
    rows = shape.rows
    let width = (shape.fields.map { FirstScenario.word($0.attribute).count }.max() ?? 0) + 1
    let attributes = shape.fields.map { field in
      let key = (FirstScenario.word(field.attribute) + ":").padding(to: width)
      let optional = field.nulls > 0 ? ", optional: true" : ""
      return "      \(key) {type: \(field.type.rawValue)\(optional)}"
    }
    let unique =
      shape.key.map { ["    unique: [[\($0.attribute)]]             # no value is there twice"] }
      ?? ["    # unique: [[attribute]]      no field was seen to be a key"]
    let others =
      shape.otherFields.isEmpty
      ? []
      : [
        "      # no attribute holds the values of: "
          + shape.otherFields.map { FirstScenario.quoted($0).onOneLine }.joined(separator: ", ")
      ]
    let map = shape.fields.filter { $0.attribute != $0.name }
    contents =
      [
        "model:", "  \(shape.entity):",
        "    attributes:                    # types that hold all \(Digits.grouped(shape.rows)) rows; leave out what you do not store",
      ] + attributes + others + unique + ["source: {feed: \(FirstScenario.quoted(feed))}"]
      + (map.isEmpty
        ? [] : ["map: {\(map.map { "\($0.attribute): \(FirstScenario.quoted($0.name))" }.joined(separator: ", "))}"])
      + ["merge_policy: object_trump         # a row whose unique value is stored already updates it"]
  }

  /// For the rows of a store, with the store's model.
  init(storeAt path: String, rows: Int) {
    name = FeedShape.scenarioName(forFile: path, kind: "store")
    subject = "the rows of \(FileName.last(of: path)) again"
    isGraph = true
    self.rows = rows
    contents =
      ["source: {store: \(FirstScenario.quoted(path))}     # the model is in the store; neither is touched"]
      + (rows < FirstScenario.fewRows
        ? [
          "# \(rows == 1 ? "One row is" : "\(Digits.grouped(rows)) rows are") few to measure. 'batchmark anonymize \(FileName.last(of: path).onOneLine) --out many.yml' writes",
          "# a scenario with rows like these, and 'batchmark run many.yml --set scale=1_000' makes more of them.",
        ] : [])
  }

  /// For generated rows, if there is no data yet.
  init() {
    name = "contacts"
    subject = "contacts"
    isGraph = false
    rows = 20_000
    contents = [
      "model:", "  Contact:", "    attributes:", "      email: {type: string}", "      name:  {type: string}",
      "      born:  {type: date, optional: true}", "    unique: [[email]]",
      "source:                             # or  feed: contacts.csv  or  store: MyApp.sqlite", "  synthetic:",
      "    entities:", "      Contact:", "        rows: 20_000", "        attributes:",
      "          email: {lengths: [10, 40]}", "          name:  {lengths: [5, 30], alphabet: letters}",
      "          born:  {range: [1940-01-01, 2010-01-01], nulls: 10%}",
    ]
  }

  /// With fewer rows, opening and committing would take most of the time.
  static let fewRows = 1_000

  /// The file's text.
  func text(_ schema: ScenarioSchema) -> String {
    let lines =
      [
        "# Made by 'batchmark init'. 'batchmark help scenarios' explains it; 'batchmark list --keys' has every key.",
        "scenario: \(name)", "description: \(FirstScenario.sentence("Save or batch, to store \(subject)?"))",
      ] + contents + cellLines(schema)
    return lines.joined(separator: "\n") + "\n"
  }

  private func cellLines(_ schema: ScenarioSchema) -> [String] {
    var cells: [(text: String, gloss: String)] = []
    for engine in schema.engines {
      for strategy in engine.strategies(for: .insert) where isAsked(strategy) {
        let name = engine.name == schema.defaultEngine?.name ? "" : "engine: \(engine.name), "
        cells.append(("{\(name)strategy: \(strategy.name)\(piece(of: strategy))}", strategy.gloss ?? ""))
      }
    }
    let width = (cells.map(\.text.count).max() ?? 0) + 2
    let own = schema.defaultEngine?.strategies(for: .insert) ?? []
    let object = own.first { $0.role == .objectByObject && isAsked($0) }
    let batch = own.first { $0.role.isBatch && isAsked($0) }
    var budgets: [String] = []
    if let object, let batch {
      let isEnough = rows.map { $0 >= FirstScenario.fewRows } ?? true
      budgets = [
        "budgets:                            # a run that breaks one ends with status 1",
        isEnough
          ? "  - \(batch.name).wall <= \(object.name).wall" : "  - \(batch.name).wall <= 1 s",
        "  - \(object.name).heap_peak <= 256 MiB",
      ]
    }
    return ["cells:                              # 'batchmark list' has every strategy and its parameters"]
      + cells.map { "  - " + ($0.gloss.isEmpty ? $0.text : $0.text.padding(to: width) + "# \($0.gloss)") } + budgets
  }

  /// Whether the strategy is needed for the question or to compare the answer with.
  private func isAsked(_ strategy: Strategy) -> Bool {
    if isGraph && !strategy.storesSeveralEntities { return false }
    switch strategy.role {
    case .objectByObject, .batch, .reference: return true
    case .peer, .harnessCost: return false
    }
  }

  /// Saves in pieces, as an import does, if the rows can be divided.
  private func piece(of strategy: Strategy) -> String {
    let key = ParameterKey.saveEvery.name
    let isDivided = !isGraph && strategy.role == .objectByObject && strategy.parameters.contains { $0.name == key }
    return isDivided ? ", \(key): 1_000" : ""
  }

  /// Quotes a name that YAML would read as something else.
  private static func word(_ name: String) -> String {
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(name.lowercased()) ? "'\(name)'" : name
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "._-/".utf8.contains(byte)
    }
    if isPlain, let first = text.utf8.first, first != 0x2D, Double(text) == nil, word(text) == text { return text }
    // A line end in single quotes becomes a space. In double quotes, YAML has JSON's escapes.
    guard text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
      return "'\(text.replacing("'", with: "''"))'"
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "''"
  }

  /// A sentence, quoted if a file name in it has a special meaning in YAML.
  private static func sentence(_ text: String) -> String {
    text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !":#".utf8.contains($0) }) ? text : quoted(text)
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}

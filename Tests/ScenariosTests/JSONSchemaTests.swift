// The JSON Schema of scenario files: what it accepts and refuses, according to the tests' own validator. `scripts/test
// --oracles` also uses a third-party validator.
import Foundation
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A1 A8 · the JSON Schema of scenarios", .tags(.a1, .a8))
struct JSONSchemaTests {
  private func accepts(_ text: String) throws -> Bool {
    let document = YAMLDocument(text: text, diagnostics: Diagnostics(file: "x.yml"))
    return schema.jsonSchema.accepts(try #require(document.root))
  }

  @Test("A scenario with every kind of section is accepted, also with words that YAML 1.1 reads as booleans")
  func accepted() throws {
    for text in [validScenario, sweptScenario, treeScenario, validScenario.replacing("1_000", with: "1000")] {
      #expect(try accepts(text), "\(text)")
      #expect(complaints(text).isEmpty)
    }
    #expect(try accepts(scenario("journal_mode: wal", "journal_mode: off")))
    #expect(try accepts(scenario("journal_mode: wal", "journal_mode: false")))
    #expect(try accepts(scenario("journal_mode: wal", "cache_spill: on")))
    for rows in ["all", "0", "1_000"] {
      let text = scenario("rounds: 3", "rounds: 3, warm_up: \(rows)")
      #expect(try accepts(text), "\(rows)")
      #expect(complaints(text).isEmpty, "\(complaints(text))")
    }
    for beside in [
      "readers: 2, rate: 200/s, query: {where: magnitude >= 5, limit: 50}", "writers: 1, transaction: deferred",
      "reader: pinned, timeout: 0, rate: 1_000 /s", "readers: 1, in: threads",
    ] {
      let text = scenario("measure:", "beside: {\(beside)}\nmeasure:")
      #expect(try accepts(text), "\(beside)")
      #expect(complaints(text).isEmpty, "\(complaints(text))")
    }
    for limits in [
      "time: 3%", "time: ±10%", "time: none", "exact: 1%, syncs: 0, heap_peak: 64 KiB", "heap_peak: ±1.5%",
      "insert.syncs: 100", "insert.ingest.heap_peak: none", "merge.syncs: 1_000", "save.time: 5%",
    ] {
      let text = scenario("measure:", "gate: {\(limits)}\nmeasure:")
      #expect(try accepts(text), "\(limits)")
      #expect(complaints(text).isEmpty, "\(complaints(text))")
    }
  }

  @Test(
    "Keys, words and numbers that the reader refuses are also refused by the schema",
    arguments: [
      ("scenario: quakes", "xyzzy: 1\nscenario: quakes"), ("scenario: quakes", "scenario: a b"),
      ("code: {type: string}", "code: {type: strng}"), ("code: {type: string}", "code: {optional: true}"),
      ("code: {type: string}", "code: {type: string, xyzzy: 1}"), ("code: {type: string}", "code: string"),
      ("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "generate: {rows: 0}"),
      ("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "generate: {rows: 1, duplicates: 5}"),
      ("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "generate: {rows: 1}\n  feed: a.csv"),
      ("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "xyzzy: {rows: 1}"),
      ("journal_mode: wal", "journal_mode: wall"), ("journal_mode: wal", "xyzzy: 1"),
      ("journal_mode: wal", "page_size: 1000"), ("rounds: 3", "rounds: many"), ("rounds: 3", "runds: 3"),
      ("save, save_every: 100", "batch-objects, wal_limit: 1.5 MiB"),
      ("strategy: insert", "strategy: insert, save_every: 5"), ("strategy: insert", "strategy: insrt"),
      ("measure:", "gate: {time: 5}\nmeasure:"), ("measure:", "gate: {time: 0.5%}\nmeasure:"),
      ("measure:", "gate: {heap_peak: 64}\nmeasure:"), ("measure:", "gate: {syncs: -5}\nmeasure:"),
      ("measure:", "gate: {heap_peak: 64 s}\nmeasure:"), ("measure:", "gate: {syncs: some}\nmeasure:"),
      ("engine: sqlite", "engine: none"),
      ("save, save_every: 100", "save, relationships: none"),
      ("save, save_every: 100", "batch-objects, link_every: 10"),
      ("measure:", "beside: {readers: -1}\nmeasure:"), ("measure:", "beside: {rate: 200}\nmeasure:"),
      ("measure:", "beside: {transaction: exclusive}\nmeasure:"), ("measure:", "beside: {query: {limit: 0}}\nmeasure:"),
      ("measure:", "budgets: [save.wall = 1 s]\nmeasure:"), ("measure:", "budgets: [save.wall <= 1]\nmeasure:"),
      ("measure:", "budgets: [save.walls <= 1 s]\nmeasure:"), ("measure:", "budgets: [save.wall <= 1 MiB]\nmeasure:"),
      ("measure:", "budgets: [save.syncs <= 1 or so]\nmeasure:"), ("measure:", "budgets: []\nmeasure:"),
      ("measure:", "budgets: [save.wall <= insert.syncs]\nmeasure:"), ("measure:", "gate: {wall: 5%}\nmeasure:"),
      ("measure:", "gate: {save.heap_peak: 64}\nmeasure:"), ("measure:", "gate: {}\nmeasure:"),
      ("sample_limit: 90 s", "sample_limit: 25 h"), ("sample_limit: 90 s", "sample_limit: 0 s"),
      ("merge_policy: object_trump\n", ""), ("unique: [[code]]", "unique: [[code], [code]]"),
      ("unique: [[code]]", "unique: [[code, code]]"), ("unique: [[code]]", "unique: [[]]"),
      ("code: {type: string}", "code: {type: string, min: 1}"),
      ("code: {type: string}", "code: {type: int32, pattern: a}"),
      ("code: {type: string}", "code: {type: int16, default: 40_000_0}"),
      ("code: {type: string}", "code: {type: double, max_length: 3}"),
      ("code: {type: string}", "code: {type: date, default: yesterday}"),
      ("measure:", "map: {code: Code}\nmeasure:"), ("measure:", "set: {magnitude: 1}\nmeasure:"),
      ("measure:", "where: magnitude > 1\nmeasure:"), ("measure:", "exclude: [{strategy: save}]\nmeasure:"),
      ("measure:", "delete_rule: cascade\nmeasure:"), ("measure:", "sweep: {levels: [1, 2]}\nmeasure:"),
      ("measure:", "sweep: {rows: [1, 2]}\nmeasure:"), ("measure:", "sweep: {merge_policy: [rollback]}\nmeasure:"),
      ("measure:", "sweep: {save_every: [1, 2]}\nmeasure:"), ("measure:", "sweep: {}\nmeasure:"),
      ("measure:", "sweep: {synchronous: [off]}\nmeasure:"), ("rows: 1_000, seed: 7", "seed: 7"),
      ("entity: Quake\n", "tags: [a, a]\nentity: Quake\n"),
    ])
  func refused(old: String, new: String) throws {
    let text = scenario(old, new)
    #expect(text != validScenario && !complaints(text).isEmpty)
    #expect(try !accepts(text), "\(text)")
  }

  @Test(
    "Predicates and versions may have any name that the keys that choose them accept",
    arguments: ["1st", "strong-ones", "v1.5"])
  func names(name: String) throws {
    let plain = scenario(", duplicates: 5%", "").replacing("save, save_every: 100", with: "STRATEGY")
    let selected = plain.replacing(
      "merge_policy: object_trump",
      with: "operation: update\nset: {magnitude: 1}\npredicates: {\(name): magnitude >= 6}\npredicate: \(name)"
    ).replacing("STRATEGY", with: "save").replacing("insert", with: "update")
    let migrated = plain.replacing(
      "merge_policy: object_trump",
      with: "operation: migrate\nversions: {\(name): {Quake: {without: [magnitude]}}}\nversion: \(name)"
    ).replacing("STRATEGY", with: "infer").replacing("insert", with: "copy-table")
    for text in [selected, migrated] {
      #expect(try accepts(text), "\(text)")
      #expect(complaints(text).isEmpty, "\(complaints(text))")
    }
  }

  @Test("Rows of several entities may be related in pieces without being linked")
  func relatedRows() throws {
    let text = """
      scenario: albums
      model:
        Album: {attributes: {title: {type: string}}, relationships: {tracks: {to: Track, inverse: album, many: true}}}
        Track: {attributes: {name: {type: string}}, relationships: {album: {to: Album, inverse: tracks}}}
      source:
        synthetic:
          entities:
            Album: {rows: 2, attributes: {title: {lengths: [4, 9]}}}
            Track: {rows: 9, attributes: {name: {lengths: [4, 9]}}, relationships: {album: {Album: {}}}}
      cells:
        - {strategy: save}
        - {strategy: batch-dictionary, link_every: 10}

      """
    #expect(try accepts(text))
    let ofOne = text.replacing("  synthetic:", with: "  entity: Track\n  synthetic:")
    #expect(try !accepts(ofOne))
  }

  @Test("The schema accepts only the operation's strategies, and valid values for swept keys")
  func conditions() throws {
    #expect(try !accepts(treeScenario.replacing("operation: delete", with: "operation: insert")))
    #expect(try !accepts(treeScenario.replacing("operation: delete\n", with: "")))
    #expect(try accepts(sweptScenario.replacing("rows: [10, 20]", with: "rows: [10]")))
    #expect(try !accepts(sweptScenario.replacing("rows: [10, 20]", with: "rows: []")))
    #expect(try !accepts(sweptScenario.replacing("rows: [10, 20]", with: "rows: 10")))
    #expect(try !accepts(sweptScenario.replacing("rows: [10, 20]", with: "rounds: [10]")))
    #expect(try !accepts(sweptScenario.replacing("rows: [10, 20]", with: "rows: [ten]")))
  }
}

extension JSONSchema {
  /// Whether the schema accepts a node, with scalars read by the rules of YAML 1.1.
  fileprivate func accepts(_ node: YAMLNode) -> Bool {
    (types.isEmpty || node.types.contains { types.contains($0) })
      && (words.isEmpty || node.types.contains(.string) && words.contains(node.text ?? ""))
      && (numbers.isEmpty || node.integer.map(numbers.contains) == true)
      && (pattern.map { node.matches($0) } ?? true)
      && (minimum.map { (node.integer ?? $0) >= $0 } ?? true) && (maximum.map { (node.integer ?? $0) <= $0 } ?? true)
      && (lowerLimit.map { limit in node.number.map { $0 > Double(limit) } ?? true } ?? true)
      && (constant.map { node.types.contains(.boolean) && ["true", "yes", "on"].contains(node.text) == $0 } ?? true)
      && acceptsKeys(of: node) && acceptsItems(of: node)
      && (anyOf.isEmpty || anyOf.contains { $0.accepts(node) })
      && (oneOf.isEmpty || oneOf.count { $0.accepts(node) } == 1)
      && !noneOf.contains { $0.accepts(node) } && allOf.allSatisfy { $0.accepts(node) }
      && conditions.allSatisfy { !$0.condition.accepts(node) || $0.consequence.accepts(node) }
  }

  private func acceptsKeys(of node: YAMLNode) -> Bool {
    guard case .mapping(let entries) = node.content else { return true }
    let keys = entries.map(\.key)
    return entries.count >= leastKeys ?? 0 && entries.count <= mostKeys ?? .max
      && needs.allSatisfy { key, others in !keys.contains(key) || others.allSatisfy(keys.contains) }
      && required.allSatisfy { key in entries.contains { $0.key == key } }
      && entries.allSatisfy { entry in
        if let keyPattern, entry.key.firstMatch(of: keyPattern) == nil { return false }
        let patterns = keyPatterns.filter { entry.key.firstMatch(of: $0.key) != nil }.map(\.value)
        guard patterns.allSatisfy({ $0.accepts(entry.value) }) else { return false }
        if let own = properties[entry.key] { return own.accepts(entry.value) }
        if !patterns.isEmpty { return true }
        return switch others {
        case Others.none?: false
        case .all(let schema)?: schema.accepts(entry.value)
        case nil: true
        }
      }
  }

  private func acceptsItems(of node: YAMLNode) -> Bool {
    guard case .list(let nodes) = node.content else { return true }
    let texts = nodes.map(\.shape)
    return nodes.count >= leastItems ?? 0 && nodes.count <= mostItems ?? .max
      && (!isUnique || Set(texts).count == texts.count)
      && (items.first.map { item in nodes.allSatisfy(item.accepts) } ?? true)
  }
}

extension String {
  fileprivate func firstMatch(of pattern: String) -> Range<Index>? { range(of: pattern, options: .regularExpression) }
}

extension YAMLNode {
  fileprivate var integer: Int? {
    if case .scalar(let text, isQuoted: false) = content { Int(text.filter { $0 != "_" }) } else { nil }
  }

  /// The node without its positions.
  fileprivate var shape: String {
    switch content {
    case .scalar(let text, let isQuoted): "\(text.debugDescription) \(isQuoted)"
    case .list(let nodes): "[\(nodes.map(\.shape).joined(separator: ","))]"
    case .mapping(let entries): "{\(entries.map { $0.key.debugDescription + $0.value.shape }.joined(separator: ","))}"
    }
  }

  fileprivate var number: Double? {
    if case .scalar(let text, isQuoted: false) = content { Double(text.filter { $0 != "_" }) } else { nil }
  }

  fileprivate func matches(_ pattern: String) -> Bool {
    !types.contains(.string) || (text ?? "").firstMatch(of: pattern) != nil
  }

  /// The types of the node in either reading of YAML.
  fileprivate var types: [JSONSchema.ValueType] {
    switch content {
    case .mapping: [.object]
    case .list: [.array]
    case .scalar(_, isQuoted: true): [.string]
    case .scalar where isNothing: [.null]
    case .scalar(let text, _) where ["true", "false"].contains(text): [.boolean]
    case .scalar(let text, _) where ["on", "off", "yes", "no"].contains(text): [.boolean, .string]
    case .scalar where integer != nil: [.integer, .number]
    case .scalar(let text, _): Double(text) != nil ? [.number] : [.string]
    }
  }
}

// The schemas of stored files agree with the reader of the files.
@testable import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Scenarios
import Support
import Testing

@Suite("A5 A7 · schemas of stored files", .tags(.a5, .a7))
struct StoredSchemaTests {
  private static let schema = StoredSchemas.results

  /// Everything that stored results can contain: findings, groups, failures, early stops, budgets, sweeps.
  private func results() throws -> [String] {
    var stopped = Fixture.troubled.results
    stopped.scenarios[0].cells[0].stop = .slow
    stopped.scenarios[0].cells[1].stop = .limit(seconds: 1.5)
    let mixed = LatencyFixture.results
    return try [Fixture.standard.results, Fixture.update.results, stopped, mixed].map {
      try ResultsFile.render(small($0))
    }
  }

  /// The same with as few samples as their form needs, because the file is read a hundred times.
  private func small(_ results: Report) -> Report {
    var results = results
    results.scenarios[0].cells = results.scenarios[0].cells.prefix(3).map { cell in
      var cell = cell
      cell.samples = Pass.allCases.compactMap { pass in cell.samples.first { $0.pass == pass } }
      for index in cell.samples.indices {
        cell.samples[index].growth.removeLast(max(cell.samples[index].growth.count - 1, 0))
      }
      return cell
    }
    return results
  }

  @Test("Written results follow the schema of results")
  func written() throws {
    let results = try results()
    try #require(!results.isEmpty)
    for text in results {
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(mistakes(in: json, StoredSchemaTests.schema) == [])
    }
  }

  @Test("The schema refuses a file without a required key, as the reader does, and accepts one without any other key")
  func missingKeys() throws {
    var tried: Set<String> = []
    for text in try results() {
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      for path in keyPaths(of: json) where tried.insert(generalized(path)).inserted {
        let damaged = removing(path[...], from: json)
        let data = try JSONSerialization.data(withJSONObject: damaged)
        let isRead = try withTemporaryDirectory { folder in
          let file = folder + "/results.json"
          try data.write(to: URL(filePath: file))
          return (try? ResultsFile.read(file)) != nil
        }
        let isAccepted = mistakes(in: damaged, StoredSchemaTests.schema).isEmpty
        // The details of a kind of finding are not part of its form.
        if !path.contains(.key("details")) { #expect(isAccepted == isRead, "without \(generalized(path))") }
        keep(data, of: "results", isRead: isRead, path)
      }
    }
    #expect(tried.count > 100)
  }

  @Test(
    "A history's files follow its schema; without a required key, schema and reader refuse them", .tags(.a11))
  func history() throws {
    let record = HistoryRecord(
      runID: "a", commit: "0123456789ab", finished: "2026-11-23T00:00:00Z", batchmarkVersion: "1",
      conditions: HistoryConditions(machine: "one", processor: nil, compiler: "Swift", sqlite: "3.40.1"),
      scenarios: [
        HistoryScenario(
          name: "quakes", file: "quakes.yml", settings: ["rows=5"], fingerprint: "f",
          cells: [
            HistoryCell(
              id: "quakes/objectgraph/save",
              phases: [
                HistoryPhase(
                  phase: .ingest, isMain: true, wall: Estimate(median: 2, low: 1, high: 3), counters: ["syncs": 1])
              ])
          ])
      ])
    let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(record))
    #expect(mistakes(in: json, StoredSchemas.history) == [])
    var refused = 0
    for path in keyPaths(of: json) {
      let damaged = removing(path[...], from: json)
      let data = try JSONSerialization.data(withJSONObject: damaged)
      let isRead = (try? JSONDecoder().decode(HistoryRecord.self, from: data)) != nil
      #expect(mistakes(in: damaged, StoredSchemas.history).isEmpty == isRead, "without \(generalized(path))")
      keep(data, of: "history", isRead: isRead, path)
      if !isRead { refused += 1 }
    }
    #expect(refused > 10)
  }
}

extension StoredSchemaTests {
  /// An explanation with everything that it can contain.
  private var explanation: ExplanationFile.File {
    var finding = CauseFinding(
      .queryPlan, subject: "SELECT a", [CauseFinding.Evidence("full_scan_steps", base: 0, head: 9)],
      part: CauseFinding.Part(share: 0.9, low: 0.8, high: 1))
    (finding.baseSubject, finding.basePlan, finding.headPlan) = ("SELECT b", "SEARCH a", "SCAN a")
    var explanation = PairExplanation(
      of: PairExplanation.Change(metric: "wall_median_s", share: 0.2), base: SideFigures(), head: SideFigures(),
      gaps: ["stacks are not known: no timer"])
    explanation.findings = [finding, CauseFinding(.wait, [])]
    return ExplanationFile.File(
      schemaVersion: ExplanationFile.schemaVersion, runID: "a",
      comparisons: [
        ExplanationFile.Entry(
          cell: "quakes/sqlite/insert", baseCell: "quakes/sqlite/insert", verdict: .regression,
          sentence: "ingest: …", explanation: explanation)
      ])
  }

  @Test(
    "An explanation's files follow its schema; without a required key, schema and reader refuse them", .tags(.a16))
  func explanations() throws {
    let json = try JSONSerialization.jsonObject(with: Data(ExplanationFile.render(explanation).utf8))
    #expect(mistakes(in: json, StoredSchemas.explanation) == [])
    var refused = 0
    for path in keyPaths(of: json) {
      let damaged = removing(path[...], from: json)
      let data = try JSONSerialization.data(withJSONObject: damaged)
      let isRead = (try? JSONDecoder().decode(ExplanationFile.File.self, from: data)) != nil
      #expect(mistakes(in: damaged, StoredSchemas.explanation).isEmpty == isRead, "without \(generalized(path))")
      if !isRead { refused += 1 }
    }
    #expect(refused > 10)
  }

  @Test("A comparison of stored results follows its schema", .tags(.a7))
  func comparisons() throws {
    let (base, head) = (Fixture.standard.results, Fixture.standard.results)
    var other = head
    other.environment = [EnvironmentFact("SQLite", "4.0")]
    let named = [("one", head), ("two", other)].map {
      (base: $0.0, comparison: StoredComparison(base: base, head: $0.1))
    }
    let file = ComparisonJSON.file(named, head: "mine")
    let figures = try #require(file.comparisons.first).cells.flatMap(\.figures)
    #expect(figures.count > 10 && figures.allSatisfy { $0.base == $0.head && $0.verdict == .pass })
    #expect(file.comparisons[1].verdict == nil && !file.comparisons[1].obstacles.isEmpty)
    #expect(file.comparisons[1].environment.contains { $0.name == "SQLite" && $0.head == "4.0" })
    let json = try JSONSerialization.jsonObject(with: Data(ComparisonJSON.render(named, head: "mine").utf8))
    #expect(mistakes(in: json, StoredSchemas.comparison) == [])
  }
}

extension StoredSchemaTests {
  @Test("Repeated parts are described once, and expanding them gives the same schema")
  func definitions() throws {
    for schema in [StoredSchemas.results, StoredSchemas.pair, StoredSchemas.history] {
      let short = schema.withDefinitions()
      #expect(!short.definitions.isEmpty)
      #expect(resolved(short, short.definitions) == schema)
      #expect(try JSONEncoder().encode(short).count < 34_816)
    }
  }

  /// The schema with definitions in place of their names.
  private func resolved(_ schema: JSONSchema, _ definitions: [String: JSONSchema]) -> JSONSchema {
    var schema = schema.reference.flatMap { definitions[$0] } ?? schema
    schema.definitions = [:]
    schema.properties = schema.properties.mapValues { resolved($0, definitions) }
    schema.items = schema.items.map { resolved($0, definitions) }
    schema.anyOf = schema.anyOf.map { resolved($0, definitions) }
    schema.oneOf = schema.oneOf.map { resolved($0, definitions) }
    if case .all(let others)? = schema.others { schema.others = .all(resolved(others, definitions)) }
    return schema
  }

  @Test("The schema refuses a key or a type that no reader knows")
  func unknownKeys() throws {
    let text = try #require(try results().first)
    var json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    json["extra"] = 1
    #expect(mistakes(in: json, StoredSchemaTests.schema) == [": extra"])
    json["extra"] = nil
    json["schemaVersion"] = 9
    #expect(mistakes(in: json, StoredSchemaTests.schema) == [".schemaVersion: 9"])
    json["schemaVersion"] = 3
    json["scenarios"] = "none"
    #expect(mistakes(in: json, StoredSchemaTests.schema) == [".scenarios: no array"])
  }

  @Test("A changed form of a job or a sample needs a new format number, so that incompatible builds say so")
  func formats() throws {
    var fingerprint = Fingerprint()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // The set of metrics is not part of the form: an answer may have others.
    let metrics = MetricID.allCases.map(\.rawValue).joined(separator: "|")
    let texts = try [JSONSchema.decoded(by: SampleJob.self), .decoded(by: Sample.self)].map {
      String(decoding: try encoder.encode($0), as: UTF8.self)
    }
    #expect(texts[1].contains(metrics))
    for text in texts { fingerprint.add(text.replacing(metrics, with: "metrics")) }
    // If the form changes, both change: raise SampleJob.currentFormat. The following are not another form: a fault of
    // the self-test, which is only sent to this build; an optional field of a job or an answer; programs, which no job
    // of a pair has; and an operation that only scenarios of this build use.
    #expect(SampleJob.currentFormat == 5 && fingerprint.text == "4b6be04ad2dc8553", "\(fingerprint.text)")
  }

  /// Keeps a file for `scripts/test --oracles`, which checks it with other programs.
  private func keep(_ data: Data, of kind: String, isRead: Bool, _ path: [Step]) {
    guard let folder = ProcessInfo.processInfo.environment["BATCHMARK_STORED_FILES"] else { return }
    guard !path.contains(.key("details")) else { return }
    let name = "\(kind)-\(UUID().uuidString)-\(isRead ? "accepted" : "refused").json"
    #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: data))
  }

  // MARK: - Paths in JSON

  private enum Step: Hashable {
    case key(String)
    case item(Int)
  }

  private func keyPaths(of json: Any) -> [[Step]] {
    switch json {
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.flatMap { key, value in
        [[.key(key)]] + keyPaths(of: value).map { [.key(key)] + $0 }
      }
    case let list as [Any]:
      list.enumerated().flatMap { index, value in keyPaths(of: value).map { [.item(index)] + $0 } }
    default: []
    }
  }

  /// The path with a wildcard in place of each index.
  private func generalized(_ path: [Step]) -> String {
    path.map { if case .key(let key) = $0 { "." + key } else { "[]" } }.joined()
  }

  private func removing(_ path: ArraySlice<Step>, from json: Any) -> Any {
    switch (path.first, json) {
    case (.key(let key)?, var object as [String: Any]):
      object[key] = path.count == 1 ? nil : object[key].map { removing(path.dropFirst(), from: $0) }
      return object
    case (.item(let index)?, var list as [Any]):
      list[index] = removing(path.dropFirst(), from: list[index])
      return list
    default: return json
    }
  }

  // MARK: - A validator for the few words of these schemas

  private func mistakes(in json: Any, _ schema: JSONSchema, at path: String = "") -> [String] {
    for choices in [schema.anyOf, schema.oneOf] where !choices.isEmpty {
      return choices.contains { mistakes(in: json, $0).isEmpty } ? [] : ["\(path): no choice"]
    }
    if let type = schema.types.first, !isOf(type, json) { return ["\(path): no \(type.rawValue)"] }
    if !schema.words.isEmpty, !schema.words.contains(json as? String ?? "") { return ["\(path): \(json)"] }
    if let number = (json as? NSNumber)?.intValue, schema.types == [.integer],
      number < schema.minimum ?? .min || number > schema.maximum ?? .max
    {
      return ["\(path): \(number)"]
    }
    if let list = json as? [Any], let items = schema.items.first {
      return list.enumerated().flatMap { mistakes(in: $1, items, at: "\(path)[\($0)]") }
    }
    guard let object = json as? [String: Any] else { return [] }
    var found = schema.required.filter { object[$0] == nil }.map { "\(path): no \($0)" }
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      found += mistakes(inKey: key, value, schema, at: path)
    }
    return found
  }

  private func mistakes(inKey key: String, _ value: Any, _ schema: JSONSchema, at path: String) -> [String] {
    if let property = schema.properties[key] { return mistakes(in: value, property, at: "\(path).\(key)") }
    guard case .all(let others)? = schema.others else { return ["\(path): \(key)"] }
    if let pattern = schema.keyPattern, !allows(key, pattern) { return ["\(path): the key \(key)"] }
    return mistakes(in: value, others, at: "\(path).\(key)")
  }

  /// The patterns of these schemas are whole numbers, or words to choose from.
  private func allows(_ key: String, _ pattern: String) -> Bool {
    guard pattern.hasPrefix("^("), pattern.hasSuffix(")$") else { return pattern.isEmpty || Int(key) != nil }
    return pattern.dropFirst(2).dropLast(2).split(separator: "|").contains { $0 == key }
  }

  private func isOf(_ type: JSONSchema.ValueType, _ json: Any) -> Bool {
    switch type {
    case .object: json is [String: Any]
    case .array: json is [Any]
    case .string: json is String
    case .integer: (json as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case .number: json is NSNumber
    case .boolean: json is Bool
    case .null: json is NSNull
    }
  }
}

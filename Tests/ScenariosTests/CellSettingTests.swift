// C1, C2, A1: a scenario's settings for merging, history and readers, for all cells or single ones.
import MissionTags
import BatchmarkEngine
import Foundation
import Scenarios
import Testing

@Suite("A1 · settings of cells", .tags(.a1))
struct CellSettingTests {
  private func cells(_ lines: String, _ settings: String...) throws -> [String] {
    let text = validScenario.replacing(
      "cells:\n  - {strategy: save, save_every: 100}\n  - {engine: sqlite, strategy: insert}", with: lines)
    #expect(text != validScenario)
    let overrides = settings.map { setting in
      let parts = setting.split(separator: "=").map(String.init)
      return ScenarioOverride(key: parts[0], value: parts[1], origin: "--set \(setting)")
    }
    return try ScenarioReader(schema: schema).read(text: text, file: "x.yml", overrides: overrides).cells
      .map { String($0.id.dropFirst("quakes/".count)) }
  }

  @Test("A cell's own settings are part of its name, unless they are the defaults", .tags(.c1, .c2))
  func ofCells() throws {
    let cells = try cells(
      """
      cells:
        - {strategy: save, merge: automatic, history: on}
        - {strategy: save, merge: none, history: off, reader: none}
        - {strategy: batch-dictionary, merge: Changes, wal_limit: 16 MiB}
        - {strategy: batch-dictionary, wal_limit: 1000 KiB, reader: pinned}
        - {engine: sqlite, strategy: insert, reader: pinned}
      """)
    #expect(
      cells == [
        "objectgraph/save[history=on,merge=automatic]", "objectgraph/save",
        "objectgraph/batch-dictionary[merge=changes,wal_limit=16MiB]",
        "objectgraph/batch-dictionary[reader=pinned,wal_limit=1000KiB]", "sqlite/insert[reader=pinned]",
      ])
  }

  /// How a user's engine compresses what it stores.
  private enum Packing: String, WordParameter { case none, LZ4, lz4 }

  @Test("A word of a user's engine may have capital letters")
  func capitals() throws {
    let engine = NamedEngine(
      name: "own",
      strategies: [
        strategy("insert", parameters: [ParameterKey("packing", default: Packing.none, help: "how rows are packed")])
      ])
    func ids(_ words: String) throws -> [String] {
      let text = validScenario.replacing(
        "cells:\n  - {strategy: save, save_every: 100}\n  - {engine: sqlite, strategy: insert}",
        with: "cells: [{strategy: insert}]\nsweep: {packing: [\(words)]}")
      let scenario = try ScenarioReader(schema: ScenarioSchema(engines: [engine])).read(text: text, file: "x.yml")
      return scenario.cells.map(\.id)
    }
    #expect(
      try ids("LZ4, lz4, None") == [
        "quakes/own/insert[packing=LZ4]", "quakes/own/insert[packing=lz4]", "quakes/own/insert",
      ])
    #expect(try ids("Lz4") == ["quakes/own/insert[packing=LZ4]"])
  }

  /// How much a user's engine reads at once.
  private enum Loading: String, WordParameter {
    case one, all
    case little = "2B"
  }

  @Test("A word that looks like 'all rows' or a size stays a word in a worker")
  func wordsLikeOtherValues() throws {
    let loading = ParameterKey("loading", default: Loading.one, help: "what is read at a time")
    let engine = NamedEngine(name: "own", strategies: [strategy("insert", parameters: [loading])])
    let text = validScenario.replacing(
      "cells:\n  - {strategy: save, save_every: 100}\n  - {engine: sqlite, strategy: insert}",
      with: "cells: [{strategy: insert}, {strategy: insert, loading: all}, {strategy: insert, loading: 2B}]")
    let scenario = try ScenarioReader(schema: ScenarioSchema(engines: [engine])).read(text: text, file: "x.yml")
    let told = try JSONDecoder().decode([Cell].self, from: JSONEncoder().encode(scenario.cells))
    #expect(told.map { $0[loading] } == [.one, .all, .little])
    #expect(told.map(\.id) == scenario.cells.map(\.id))
  }

  @Test("An instrument attached in the timing pass is part of the cell's name", .tags(.a2))
  func attached() throws {
    let lines = """
      cells:
        - {strategy: save, attached: none}
        - {strategy: save, attached: metering_vfs}
        - {engine: sqlite, strategy: insert, attached: sampler, reader: pinned}
      """
    #expect(
      try cells(lines) == [
        "objectgraph/save", "objectgraph/save[attached=metering_vfs]",
        "sqlite/insert[attached=sampler,reader=pinned]",
      ])
    #expect(
      try cells("cells:\n  - {strategy: save}\n", "attached=allocation_meter") == [
        "objectgraph/save[attached=allocation_meter]"
      ])
  }

  @Test("A scenario's settings apply to every cell that knows them and does not set them", .tags(.c1, .c2))
  func ofScenarios() throws {
    let lines = """
      merge: changes
      history: true
      cells:
        - {strategy: save}
        - {strategy: save, merge: none}
        - {strategy: batch-dictionary, history: off}
        - {engine: sqlite, strategy: insert}
      """
    #expect(
      try cells(lines) == [
        "objectgraph/save[history=on,merge=changes]", "objectgraph/save[history=on]",
        "objectgraph/batch-dictionary[merge=changes]", "sqlite/insert",
      ])
    #expect(
      try cells(lines.replacing("\n  - {strategy: save, merge: none}", with: ""), "merge=history", "reader=pinned") == [
        "objectgraph/save[history=on,merge=history,reader=pinned]",
        "objectgraph/batch-dictionary[merge=history,reader=pinned]", "sqlite/insert[reader=pinned]",
      ])
  }
}

extension CellSettingTests {
  @Test("Two cells that a scenario's setting makes alike are a mistake")
  func alike() {
    let found = complaints(
      scenario("cells:", "history: on\ncells:\n  - {strategy: save, save_every: 100, history: on}"))
    #expect(found.count == 1 && found[0].contains("found the cell quakes/objectgraph/save[history=on,save_every=100]"))
  }

  @Test(
    "An invalid value of a setting is reported with its place and with what is valid",
    arguments: [
      (
        "{strategy: save, merge: automatc}",
        "16:29: found 'automatc'; expected one of none, automatic, changes, history; did you mean 'automatic'?"
      ),
      (
        "{strategy: batch-dictionary, merge: automatic}",
        "16:41: found 'automatic'; expected one of none, changes, history"
      ),
      ("{strategy: save, history: 3}", "16:31: found '3'; expected one of on, off"),
      (
        "{strategy: save, attached: meter}",
        "16:32: found 'meter'; expected one of none, metering_vfs, sampler, allocation_meter, speed_probe"
      ),
      ("{strategy: save, reader: many}", "16:30: found 'many'; expected one of none, pinned"),
      (
        "{strategy: batch-dictionary, wal_limit: 16}",
        "16:45: found '16'; expected a size such as 16 MiB (B, KiB, MiB and GiB are units), or none; "
          + "did you mean '16 B'?"
      ),
      (
        "{strategy: batch-dictionary, wal_limit: 0 MiB}",
        "16:45: found '0 MiB'; expected a size such as 16 MiB (B, KiB, MiB and GiB are units), or none"
      ),
      (
        "{strategy: batch-dictionary, wal_limit: 99999999999999 GiB}",
        "16:45: found '99999999999999 GiB'; expected a size such as 16 MiB (B, KiB, MiB and GiB are units), or none"
      ),
      (
        "{engine: sqlite, strategy: insert, history: on, reader: pinned}",
        "16:40: found the key 'history' for the strategy insert; expected one of engine, strategy, tags, attached, reader"
      ),
    ])
  func mistakes(cell: String, complaint: String) {
    let found = complaints(scenario("{strategy: save, save_every: 100}", cell))
    #expect(found == ["Scenarios/x.yml:" + complaint])
  }

  @Test("A scenario's setting that no cell has is a mistake, and so is one with a word that a cell rejects")
  func unused() {
    let referenceAlone = validScenario.replacing("  - {strategy: save, save_every: 100}\n", with: "")
    #expect(
      complaints(referenceAlone.replacing("cells:", with: "merge: changes\ncells:")) == [
        "Scenarios/x.yml:15:8: found the key 'merge', which no cell of the scenario has; expected a cell of the engine "
          + "objectgraph, or no such key"
      ])
    let batch = scenario("{strategy: save, save_every: 100}", "{strategy: batch-dictionary}")
    #expect(
      complaints(batch.replacing("cells:", with: "merge: automatic\ncells:")) == [
        "Scenarios/x.yml:15:8: found 'automatic'; expected one of none, changes, history"
      ])
  }

  @Test("A cell knows whether its engine is the default one")
  func defaultEngine() throws {
    let unnamed = try ScenarioReader(schema: schema).read(text: validScenario, file: "x.yml").cells
    #expect(unnamed.map(\.isOfDefaultEngine) == [true, false])
    let sqliteFirst = ScenarioSchema(
      engines: schema.engines.filter { $0.name == "sqlite" } + schema.engines.filter { $0.name != "sqlite" },
      metrics: schema.metrics)
    let named = validScenario.replacing("{strategy: save", with: "{engine: objectgraph, strategy: save")
    let cells = try ScenarioReader(schema: sqliteFirst).read(text: named, file: "x.yml").cells
    #expect(cells.map(\.isOfDefaultEngine) == [false, true])
  }
}

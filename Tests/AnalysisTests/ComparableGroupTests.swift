// Cells are only ranked and put into ratios with cells that did the same work: attributes, relationships, indexes,
// durability.
import Analysis
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A2 A5 · equal work", .tags(.a2, .a5))
struct ComparableGroupTests {
  private let links = [StoredLinks(relationship: "network", linkedRows: 2_000, hash: "1", objects: 9, objectsHash: "2")]

  private func cells(_ change: (inout SyntheticCell) -> Void) -> [SyntheticCell] {
    [
      SyntheticCell("save", seconds: 0.1).with(change),
      SyntheticCell("batch-objects", .batch(.array), seconds: 0.3),
      SyntheticCell("batch-dictionary", .batch(.dictionaryHandler), seconds: 0.2),
      SyntheticCell("insert", of: "sqlite", .reference, seconds: 0.15),
    ]
  }

  @Test("A save that stores relationships is not ranked with batches that store none, though it is the fastest")
  func relationships() throws {
    let cells = cells { $0.links = links }
    let scenario = try SyntheticRun(cells: cells).analysis().scenario
    #expect(scenario.groups.map(\.cells) == [[cells[0].id], cells.dropFirst().map(\.id)])
    let difference = try #require(scenario.mainFindings.first)
    guard case .unequalWork(let work) = difference.kind else { return #expect(Bool(false), "\(difference)") }
    #expect(work.linkedRows == 2_000 && work.rows == 0 && !work.hasOtherAttributes && work.durability.isEmpty)
    #expect(difference.cells == [cells[0].id] && difference.certainty == .exact)
    #expect(scenario.mainFindings.first { $0.kind == .fastest }?.cells == [cells[3].id, cells[2].id])
    // There is no ratio either, neither to the reference nor to a batch.
    #expect(scenario.cells[0].summary(of: .ingest)?.timesReference.figure == nil)
    #expect(!scenario.findings.contains { $0.kind == .objectByObjectAgainstBatch })
    #expect(scenario.reference(of: scenario.cells[0]) == nil)
  }

  @Test("With linking cells every style is ranked among those that store relationships")
  func linked() throws {
    var cells = cells { $0.links = links }
    cells.append(SyntheticCell("batch-link", .batch(.array), seconds: 0.4).with { $0.links = links })
    let answer = try SyntheticRun(cells: cells).analysis().scenario.mainFindings
    let fastest = answer.filter { $0.kind == .fastest }
    #expect(fastest.map(\.cells) == [[cells[0].id, cells[4].id], [cells[3].id, cells[2].id]])
    #expect(Set(fastest.map(\.group)) == [0, 1])
  }

  @Test("Fetches of different rows are different work: another predicate, another page", .tags(.a15))
  func queries() throws {
    for (key, values) in [
      ("predicate", [ParameterValue.word("one"), .word("strong")]), ("offset", [.count(0), .count(900)]),
      ("limit", [.count(5), .count(50)]),
    ] {
      let cells = values.flatMap { value in
        ["save", "batch-objects"].map { strategy in
          SyntheticCell(strategy, strategy == "save" ? .objectByObject : .batch(.array), seconds: 0.1)
            .with { $0.cell.parameters[key] = value }
        }
      }
      let scenario = try SyntheticRun(cells: cells).analysis().scenario
      #expect(scenario.groups.map(\.cells) == [cells.prefix(2).map(\.id), cells.suffix(2).map(\.id)], "\(key)")
    }
  }

  @Test("Reading rows while they are stored is different work from having them ready", .tags(.a13))
  func streamed() throws {
    let cells = cells { $0.cell.isStreamed = true }
    let scenario = try SyntheticRun(cells: cells).analysis().scenario
    #expect(scenario.groups.map(\.cells) == [[cells[0].id], cells.dropFirst().map(\.id)])
    #expect(scenario.groups.map(\.name) == ["source_rows=streamed", "source_rows=held"])
    #expect(scenario.reference(of: scenario.cells[0]) == nil && scenario.reference(of: scenario.cells[1]) != nil)
    #expect(try SyntheticRun(cells: self.cells { _ in }).analysis().scenario.groups.map(\.name) == [""])
  }

  @Test("Empty links do not count; links to other objects are different work")
  func otherLinks() throws {
    let none = [StoredLinks(relationship: "network", linkedRows: 0, hash: "0", objects: 0, objectsHash: "0")]
    #expect(try SyntheticRun(cells: cells { $0.links = none }).analysis().scenario.groups.count == 1)
    var other = cells { $0.links = links }
    for index in other.indices.dropFirst() {
      other[index].links = links
      other[index].links?[0].hash = "other"
    }
    #expect(try SyntheticRun(cells: other).analysis().scenario.groups.count == 2)
  }
}

extension ComparableGroupTests {
  @Test("A cell with less durable commits is ranked by itself, with the pragma that causes it")
  func durability() throws {
    let off = StorePragma("synchronous", "0")
    let cells = cells { $0.pragmas = [StorePragma("journal_mode", "wal"), off] }
    let answer = try SyntheticRun(cells: cells).analysis().scenario.mainFindings
    guard case .unequalWork(let work)? = answer.first?.kind else { return #expect(Bool(false), "\(answer)") }
    #expect(work.durability == [off] && work.linkedRows == 0)
    #expect(answer.first { $0.kind == .fastest }?.cells.first == cells[3].id)
    // Without an answer, pragmas are not known to be the same.
    let silent = try SyntheticRun(cells: self.cells { $0.pragmas = [] }).analysis().scenario.mainFindings
    guard case .unequalWork(let unknown)? = silent.first?.kind else { return #expect(Bool(false), "\(silent)") }
    #expect(unknown.unansweredPragmas == ["journal_mode", "synchronous"] && unknown.durability.isEmpty)
    // Pragmas that do not affect durability do not matter.
    let cache = self.cells { $0.pragmas.append(StorePragma("cache_size", "-2000")) }
    #expect(try SyntheticRun(cells: cache).analysis().scenario.groups.count == 1)
  }

  @Test("A cell that ended without an index that the others have did less work, and is not ranked with them")
  func indexes() throws {
    var cells = cells { _ in }
    for index in cells.indices.dropFirst() { cells[index].indexes = [SyntheticCell.index] }
    let scenario = try SyntheticRun(cells: cells).analysis().scenario
    #expect(scenario.groups.map(\.cells) == [[cells[0].id], cells.dropFirst().map(\.id)])
    guard case .unequalWork(let work)? = scenario.mainFindings.first?.kind else {
      return #expect(Bool(false), "\(scenario.mainFindings)")
    }
    #expect(work.indexes == -1 && !work.hasOtherIndexes && work.linkedRows == 0 && !work.hasOtherAttributes)
    #expect(scenario.mainFindings.first { $0.kind == .fastest }?.cells.first == cells[3].id)
    // The same number of indexes, but a different one.
    let other = "Z_Quake_by_time: an index of ZQUAKE (ZTIME)"
    cells[0].indexes = [other]
    let answer = try SyntheticRun(cells: cells).analysis().scenario.mainFindings
    guard case .unequalWork(let work)? = answer.first?.kind else { return #expect(Bool(false), "\(answer)") }
    #expect(work.indexes == 0 && work.hasOtherIndexes)
  }

  @Test("Different numbers of rows or of indexes are different work")
  func conditions() throws {
    let cells = ["none", "all"].flatMap { indexes in
      [("save", StrategyRole.objectByObject), ("insert", .reference)].map { strategy, role in
        SyntheticCell(strategy, role, ["indexes": .word(indexes)], seconds: indexes == "none" ? 0.1 : 0.2)
      }
    }
    #expect(try SyntheticRun(cells: cells).analysis().scenario.groups.map(\.name) == ["indexes=none", "indexes=all"])
    // The stores decide, not the parameter.
    let alike = cells.map { $0.with { $0.indexes = [SyntheticCell.index] } }
    let group = try #require(try SyntheticRun(cells: alike).analysis().scenario.groups.first)
    #expect(group.cells == alike.map(\.id) && group.name.isEmpty && group.ending?.indexes == [SyntheticCell.index])
    let sizes = [100, 1_000].flatMap { rows in
      ["a", "b"].map { SyntheticCell($0, of: "acme", .peer, ["rows": .count(rows)], seconds: 1e-5 * Double(rows)) }
    }
    #expect(try SyntheticRun(cells: sizes).analysis().scenario.groups.map(\.name) == ["rows=100", "rows=1000"])
    // Rows deleted along with a row are work, even if the stores end alike.
    let trees: [[String: ParameterValue]] = [
      ["levels": .count(1), "fan_out": .count(2), "delete_rule": .word("cascade")],
      ["levels": .count(2), "fan_out": .count(2), "delete_rule": .word("cascade")],
      ["levels": .count(2), "fan_out": .count(4), "delete_rule": .word("cascade")],
      ["levels": .count(2), "fan_out": .count(4), "delete_rule": .word("nullify")],
    ]
    let deletions = trees.flatMap { parameters in
      ["a", "b"].map { SyntheticCell($0, of: "acme", .peer, parameters, seconds: 1) }
    }
    #expect(
      try SyntheticRun(cells: deletions).analysis().scenario.groups.map(\.name) == [
        "levels=1,fan_out=2,delete_rule=cascade", "levels=2,fan_out=2,delete_rule=cascade",
        "levels=2,fan_out=4,delete_rule=cascade", "levels=2,fan_out=4,delete_rule=nullify",
      ])
  }
}

// Trees as a source: their shape, and which settings a scenario may have for them.
import CoreDataModel
import Foundation
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

/// A valid scenario with trees.
let treeScenario = """
  scenario: folders
  model:
    Folder:
      attributes:
        name: {type: string}
        level: {type: int16}
        half: {type: int16}
      relationships:
        parent: {to: Folder, inverse: children}
        children: {to: Folder, inverse: parent, many: true, delete: cascade}
  source: {trees: {rows: 20, levels: 2, fan_out: 2}}
  operation: delete
  where: level = 0
  cells:
    - {strategy: save}
    - {strategy: batch-delete, request_size: 10}
  """

private func trees(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  #expect(treeScenario.contains(old), "the scenario of trees has no \(old)", sourceLocation: sourceLocation)
  return treeScenario.replacing(old, with: new)
}

/// The rows of `{trees: …}`.
private func rows(_ settings: String) throws -> SourceRows {
  try read(
    trees("{rows: 20, levels: 2, fan_out: 2}", settings)
      .replacing(
        "half: {type: int16}", with: "half: {type: int16}\n      tree: {type: int32}\n      weight: {type: double}")
  ).sourceRows()
}

extension SourceRows {
  /// The row above each row.
  fileprivate var parents: [Int?] {
    var parents = [Int?](repeating: nil, count: count)
    for pair in relationships.flatMap(\.pairs) { parents[pair.row] = pair.destinationRow }
    return parents
  }

  fileprivate func numbers(_ name: String) throws -> [Int64?] {
    guard case .integers(let column) = try tables[0].column(name) else { throw WrongColumn() }
    return (0..<count).map { column[$0] }
  }
}

@Suite("A8 E · trees as a source", .tags(.a8))
struct TreesTests {
  @Test("A tree is a root and its levels, one tree after the other; the last tree may be incomplete")
  func shape() throws {
    let rows = try rows("{rows: 20, levels: 2, fan_out: 2}")
    #expect(rows.count == 20 && rows.tables.count == 1)
    #expect(
      rows.parents == [nil, 0, 0, 1, 1, 2, 2, nil, 7, 7, 8, 8, 9, 9, nil, 14, 14, 15, 15, 16])
    #expect(try rows.numbers("level") == [0, 1, 1, 2, 2, 2, 2, 0, 1, 1, 2, 2, 2, 2, 0, 1, 1, 2, 2, 2])
    #expect(
      try rows.numbers("tree") == Array(repeating: 0, count: 7) + Array(repeating: 1, count: 7) + [2, 2, 2, 2, 2, 2])
    #expect(
      try rows.numbers("half") == Array(repeating: 0, count: 7) + Array(repeating: 1, count: 7) + [0, 0, 0, 0, 0, 0])
    #expect(rows.relationships[0].relationship.name == "parent" && rows.relationships[0].inverse?.name == "children")
  }

  @Test(
    "Each level of a tree has a power of the fan-out",
    arguments: [(1, 4, [1, 4]), (5, 1, [1, 1, 1, 1, 1, 1]), (3, 3, [1, 3, 9, 27]), (2, 16, [1, 16, 256])])
  func levels(levels: Int, fanOut: Int, counts: [Int]) throws {
    let size = counts.reduce(0, +)
    #expect(TreeSettings(rows: 1, levels: levels, fanOut: fanOut).rowsPerTree == size)
    let rows = try rows("{rows: \(size * 2), levels: \(levels), fan_out: \(fanOut)}")
    let found = try rows.numbers("level")
    #expect(counts.indices.map { level in found.count { $0 == Int64(level) } } == counts.map { $0 * 2 })
    for (row, parent) in rows.parents.enumerated() {
      let level = try #require(found[row])
      #expect(parent.flatMap { found[$0] } == (level == 0 ? nil : level - 1))
      #expect(parent ?? -1 < row)
    }
    let children = Dictionary(grouping: rows.parents.compactMap(\.self)) { $0 }
    #expect(children.values.allSatisfy { $0.count == fanOut })
  }

  @Test("Names are unique, and another seed gives other names with the same shape")
  func names() throws {
    let one = try rows("{rows: 500, levels: 2, fan_out: 2}")
    let other = try rows("{rows: 500, levels: 2, fan_out: 2, seed: 7}")
    let names = try one.tables[0].texts("name")
    #expect(Set(names).count == 500 && names.allSatisfy { $0?.count == 16 })
    #expect(try other.tables[0].texts("name") != names && other.parents == one.parents)
    #expect(try rows("{rows: 500, levels: 2, fan_out: 2, seed: 42}").tables[0].texts("name") == names)
  }
}

extension TreesTests {
  @Test("The first rows do not refer to later ones")
  func prefix() throws {
    let part = try rows("{rows: 20, levels: 2, fan_out: 2}").prefix(10)
    #expect(part.count == 10 && part.parents == [nil, 0, 0, 1, 1, 2, 2, nil, 7, 7])
  }

  @Test("Levels, fan-out and delete rule can be swept; each cell's model has its rule")
  func sweep() throws {
    let text = trees("{trees: {rows: 20, levels: 2, fan_out: 2}}", "{trees: {rows: 100}}")
    let scenario = try read(
      text + "\nsweep: {levels: [1, 3], fan_out: [2, 3], delete_rule: [cascade, nullify]}"
        + "\nexclude: [{levels: 3, fan_out: 3}]\n")
    #expect(scenario.cells.count == 12)
    let cell = try #require(
      scenario.cells.first { $0.id == "folders/objectgraph/save[delete_rule=nullify,fan_out=2,levels=3]" })
    let variant = scenario.variant(for: cell)
    #expect(variant.source == .trees(TreeSettings(rows: 100, levels: 3, fanOut: 2)))
    #expect(variant.tree?.rule == .nullify)
    #expect(Set(scenario.variants.values.map(\.fingerprint)).count == 6)
    #expect(variant.source.summary == "trees, 3 levels below a root, fan-out 2, seed 42")
  }

  @Test("A setting replaces a value of trees, and needs a source of trees")
  func settings() throws {
    let scenario = try read(treeScenario, "rows=40", "levels=3", "fan_out=3", "seed=5", "delete_rule=no_action")
    #expect(scenario.source == .trees(TreeSettings(rows: 40, levels: 3, fanOut: 3, seed: 5)))
    #expect(scenario.tree?.rule == .noAction)
    #expect(
      complaints(validScenario, "levels=3") == [
        "--set levels=3, for Scenarios/x.yml: found the setting 'levels' of trees, while the source is generated; "
          + "expected a scenario of trees, or one of this source: rows, seed, duplicates"
      ])
    #expect(
      complaints(treeScenario, "duplicates=5%").first?.contains(
        "found the setting 'duplicates' of the generator, while the source is trees") == true)
  }

  /// A part of the scenario, its replacement, and the message.
  private static let mistakes: [(String, String, String)] = [
    ("levels: 2", "levels: 0", "11:36: found 0; expected a whole number of levels from 1 to 20"),
    ("levels: 2, ", "", "11:17: found no key 'levels'"),
    (
      "levels: 2", "level: 2",
      "11:28: found the key 'level'; expected one of rows, levels, fan_out, seed; did you mean 'levels'?"
    ),
    (
      "rows: 20", "rows: 6",
      "11:17: found 6 rows for trees of 7 rows; expected those of one tree at least, fewer levels or a smaller fan_out"
    ),
    (
      "operation: delete\nwhere: level = 0", "operation: fetch",
      "12:12: found trees with the operation fetch; expected operation: delete, which trees are made for"
    ),
    (
      "  parent: {to: Folder, inverse: children}\n      children: {to: Folder, inverse: parent, many: true, delete: cascade}",
      "  parent: {to: Folder, inverse: null}",
      "3:3: found no to-one relationship of Folder to itself for the source trees; expected one, such as parent: {to: "
        + "Folder, inverse: children} with children: {to: Folder, inverse: parent, many: true}"
    ),
    (
      "inverse: children}", "inverse: children, delete: cascade}",
      "9:7: found the delete rule cascade of the relationship 'parent'; expected nullify or no_action, since a row above "
        + "others stays when they are deleted"
    ),
    (
      "delete: cascade", "delete: deny",
      "10:7: found the delete rule deny of the relationship 'children'; expected one of no_action, nullify, cascade"
    ),
    (
      "many: true", "many: true, ordered: true",
      "10:7: found the ordered relationship 'children' in the entity of trees; expected one without an order, which trees "
        + "have none for"
    ),
    (
      "    half: {type: int16}", "    half: {type: int16}\n      size: {type: int16}",
      "8:7: found the attribute 'size', for which the source has no field; expected one of name, level, tree, half, weight"
    ),
    (
      "level: {type: int16}", "level: {type: string}",
      "6:21: found the type 'string' for the source's field level; expected one of int16, int32, int64, double, float, decimal"
    ),
    (
      "    relationships:", "    unique: [[level]]\n    relationships:",
      "8:13: found a constraint without the attribute 'name'; expected constraints that 'name' has a part in, since no "
        + "other field of trees is unique"
    ),
    (
      "{strategy: save}", "{engine: grdb, strategy: delete}",
      "15:5: found the strategy 'delete' of the engine grdb, which does not follow the delete rule cascade of 'children'; "
        + "expected one of objectgraph/save, objectgraph/batch-delete, objectgraph/batch-delete-ids, sqlite/delete, "
        + "sqlite/delete-many"
    ),
    (
      "operation: delete", "operation: delete\ndelete_rule: deny",
      "13:14: found 'deny'; expected one of no_action, nullify, cascade"
    ),
  ]
}

extension TreesTests {
  @Test("Each mistake is reported at its location", arguments: TreesTests.mistakes.indices)
  func mistake(index: Int) {
    let (old, new, complaint) = TreesTests.mistakes[index]
    let found = complaints(trees(old, new))
    // Other mistakes may follow from it: strategies of another operation, or a condition on an attribute of another
    // type.
    #expect(found.first?.hasPrefix("Scenarios/x.yml:" + complaint) == true, "\(found)")
    #expect(found.count { $0.hasPrefix("Scenarios/x.yml:" + complaint) } == 1)
  }

  @Test("With a rule of no action, every strategy may delete rows that have others below")
  func noAction() {
    let text = trees("{strategy: save}", "{engine: grdb, strategy: delete}")
    #expect(complaints(text, "delete_rule=no_action").isEmpty)
  }

  @Test("The scenario's delete rule applies to trees, and to no other source")
  func otherSource() {
    #expect(
      complaints(scenario("store: {journal", "delete_rule: cascade\nstore: {journal")) == [
        "Scenarios/x.yml:14:14: found the key 'delete_rule' without trees; expected the source trees, or delete: in a "
          + "relationship of the model"
      ])
    let swept = scenario("measure:", "sweep: {levels: [1, 2]}\nmeasure:")
    #expect(
      complaints(swept).first?.contains(
        "found the key 'levels' of trees in the sweep, while the source is generated; expected a scenario of trees, or "
          + "no such key") == true, "\(complaints(swept))")
  }
}

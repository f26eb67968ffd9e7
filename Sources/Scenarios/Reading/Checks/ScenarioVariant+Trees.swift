// Whether an entity's rows can form trees, with which delete rule, and whether every cell follows the rule.
import BatchmarkEngine
import CoreDataModel

extension ScenarioVariant {
  /// The delete rules allowed for child rows.
  ///
  /// With `deny`, no row with children could be deleted.
  static let treeRules: [DeleteRule] = [.noAction, .nullify, .cascade]

  func checkTrees(
    _ section: Section, _ settings: TreeSettings, source: SourceReading, entity: EntityReading,
    operation: Operation.Kind, cells: [PlacedCell]
  ) {
    if operation != .delete {
      diagnose(
        section["operation"]?.place ?? source.place, found: "trees with the operation \(operation.rawValue)",
        expected: "operation: delete, which trees are made for")
    }
    if settings.rows < settings.rowsPerTree {
      diagnose(
        source.place, found: "\(settings.rows) rows for trees of \(settings.rowsPerTree) rows",
        expected: "those of one tree at least, fewer levels or a smaller fan_out")
    }
    if entity.description.uniquenessConstraints.contains(where: { !$0.contains("name") }) {
      diagnose(
        entity.unique?.place ?? entity.place, found: "a constraint without the attribute 'name'",
        expected: "constraints that 'name' has a part in, since no other field of trees is unique")
    }
    guard let tree = relationship(of: entity) else { return }
    check(tree, of: entity)
    if tree.rule != .noAction { check(cells, follow: tree) }
  }

  /// The relationship that makes the entity's rows trees.
  ///
  /// If there is not exactly one, this reports it and returns `nil`.
  private func relationship(of entity: EntityReading) -> TreeRelationship? {
    let found = entity.description.treeRelationships
    if found.count == 1 { return found[0] }
    let name = entity.description.name
    let what = "to-one relationship\(found.isEmpty ? "" : "s") of \(name) to itself"
    diagnose(
      entity.place, found: "\(found.isEmpty ? "no" : "\(found.count)") \(what) for the source trees",
      expected: "one, such as parent: {to: \(name), inverse: children} with children: {to: \(name), inverse: parent, "
        + "many: true}")
    return nil
  }

  private func check(_ tree: TreeRelationship, of entity: EntityReading) {
    func place(_ relationship: RelationshipDescription) -> SourceLocation {
      entity.place(of: .relationship(relationship.name))
    }
    let (parent, children) = (tree.parent, tree.children)
    if parent.deleteRule == .cascade || parent.deleteRule == .deny {
      diagnose(
        place(parent), found: "the delete rule \(parent.deleteRule.rawValue) of the relationship \(shown(parent.name))",
        expected: "nullify or no_action, since a row above others stays when they are deleted")
    }
    if !ScenarioVariant.treeRules.contains(children.deleteRule) {
      diagnose(
        place(children),
        found: "the delete rule \(children.deleteRule.rawValue) of the relationship \(shown(children.name))",
        expected: "one of " + ScenarioVariant.treeRules.map(\.rawValue).joined(separator: ", "))
    }
    if children.isOrdered {
      diagnose(
        place(children), found: "the ordered relationship \(shown(children.name)) in the entity of trees",
        expected: "one without an order, which trees have none for")
    }
  }

  /// Reports the first cell with a strategy that ignores the children of deleted rows.
  private func check(_ cells: [PlacedCell], follow tree: TreeRelationship) {
    guard
      let placed = cells.first(where: {
        $0.cell.operation == .delete && schema.strategy(of: $0.cell)?.followsDeleteRules == false
      })
    else { return }
    let followers = schema.engines.flatMap { engine in
      engine.strategies(for: .delete).filter(\.followsDeleteRules).map { "\(engine.name)/\($0.name)" }
    }
    diagnose(
      placed.place,
      found:
        "the strategy \(shown(placed.cell.strategy)) of the engine \(placed.cell.engine), which does not follow the "
        + "delete rule \(tree.rule.rawValue) of \(shown(tree.children.name))",
      expected: followers.isEmpty ? "delete_rule: no_action" : "one of " + followers.joined(separator: ", "))
  }

  /// Reads the rule and returns the entity with it; `nil` if the rule is invalid, or if there are no trees.
  func readDeleteRule(_ node: YAMLNode, of entity: EntityReading, source: SourceReading?) -> EntityReading? {
    let words = ScenarioVariant.treeRules.map(\.rawValue)
    guard let rule = word(node, among: words).flatMap(DeleteRule.init(rawValue:)), let source else { return nil }
    guard case .trees = source.description else {
      diagnose(
        node.place, found: "the key 'delete_rule' without trees",
        expected: "the source trees, or delete: in a relationship of the model")
      return nil
    }
    // If there is not exactly one, another check reports it.
    guard let children = entity.description.treeRelationships.first?.children.name else { return nil }
    var ruled = entity
    for index in ruled.description.relationships.indices
    where ruled.description.relationships[index].name == children {
      ruled.description.relationships[index].deleteRule = rule
    }
    return ruled
  }
}

// The key `delete_rule`: what deleting a row of trees does to the rows below it, so that it can be swept.
import BatchmarkEngine
import CoreDataModel

/// Reads which delete rule trees have, in place of the model's.
struct DeleteRuleSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the rule and gives the entity with it; nil for an invalid rule, or where there are no trees.
  func read(_ node: YAMLNode, of entity: EntityReading, source: SourceReading?) -> EntityReading? {
    let words = TreesCheck.rules.map(\.rawValue)
    guard let rule = word(node, among: words).flatMap(DeleteRule.init(rawValue:)), let source else { return nil }
    guard case .trees = source.description else {
      diagnose(
        node.place, found: "the key 'delete_rule' without trees",
        expected: "the source trees, or delete: in a relationship of the model")
      return nil
    }
    // Another number of them is noted elsewhere.
    guard let children = entity.description.treeRelationships.first?.children.name else { return nil }
    var ruled = entity
    for index in ruled.description.relationships.indices
    where ruled.description.relationships[index].name == children {
      ruled.description.relationships[index].deleteRule = rule
    }
    return ruled
  }
}

// The message `open` as a JSON Schema: its keys for every operation, and those of single operations.
internal import BatchmarkEngine
internal import ObjectGraph
internal import Scenarios

extension ProgramProtocol {
  /// The contents of `open` for an operation.
  static func opening(_ operation: Operation.Kind) -> JSONSchema {
    let text = JSONSchema(.string)
    let whole = JSONSchema(.integer)
    let always: [String: JSONSchema] = [
      "strategy": text, "operation": .words([operation.rawValue]),
      "parameters": .mapping(to: JSONSchema(.integer, .string), keys: "."), "store": text,
      "entities": .list(of: entity, least: 1), "key": all(["column": text, "given_by": .words(["engine"])]),
      "pragmas": .list(of: all(["name": text, "value": text])), "answered_pragmas": .list(of: text),
    ]
    let (own, optional) = work(operation)
    let warmUp = ["warm_up": all(["stores": .list(of: text, least: 1), "rows": whole])]
    let required = always.merging(own) { $1 }
    return .mapping(required.merging(optional) { $1 }.merging(warmUp) { $1 }, required: required.keys.sorted())
  }

  /// The keys of one operation: required ones and optional ones.
  private static func work(_ operation: Operation.Kind) -> (
    always: [String: JSONSchema], optional: [String: JSONSchema]
  ) {
    let text = JSONSchema(.string)
    let whole = JSONSchema(.integer)
    var condition = JSONSchema()
    condition.reference = "condition"
    let values = JSONSchema.list(of: value)
    let change = ["find": text, "values": values, "change_one": text, "change_all": text, "set_values": values]
    switch operation {
    case .insert, .migrate:
      return (
        [
          "source": text, "constants": .mapping(to: whole, keys: "."), "merge_policy": text, "insert": text,
          "first_write": text,
        ], [:]
      )
    case .fetch:
      let order = all(["column": text, "descending": JSONSchema(.boolean)])
      return (
        ["order": order, "offset": whole, "select": text, "values": values], ["where": condition, "limit": whole]
      )
    case .update: return (change.merging(["set": .mapping(to: value, keys: ".")]) { $1 }, ["where": condition])
    case .delete: return (change, ["where": condition])
    }
  }

  /// The condition on rows, as a tree.
  static var condition: JSONSchema {
    var term = JSONSchema()
    term.reference = "condition"
    let comparison = all([
      "column": JSONSchema(.string), "comparison": .words(RowCondition.operators.map(\.rawValue)),
      "values": .list(of: value),
    ])
    return .anyOf([
      comparison, all(["constant": JSONSchema(.boolean)]), all(["all": .list(of: term)]), all(["any": .list(of: term)]),
      all(["not": term]),
    ])
  }

  /// A value in a condition or an update.
  private static var value: JSONSchema {
    .anyOf([
      JSONSchema(.number, .string, .null), all(["blob": .text(matching: "^([0-9a-f]{2})*$")]),
    ])
  }

  private static var entity: JSONSchema {
    let text = JSONSchema(.string)
    let truth = JSONSchema(.boolean)
    let column = all([
      "attribute": text, "column": text, "type": text, "storage": .words(["INTEGER", "REAL", "TEXT", "BLOB"]),
      "optional": truth, "unique": truth,
    ])
    return .mapping(
      [
        "name": text, "table": text, "source_table": text, "rows": JSONSchema(.integer), "columns": .list(of: column),
        "unique_together": .list(of: .list(of: text)),
      ], required: ["name", "table", "rows", "columns", "unique_together"])
  }

  /// An object with all of the keys.
  private static func all(_ properties: [String: JSONSchema]) -> JSONSchema {
    .mapping(properties, required: properties.keys.sorted())
  }
}

// The protocol as a JSON Schema: each line that Batchmark and a program say to each other.
internal import BatchmarkEngine
package import Scenarios

extension ProgramProtocol {
  /// One line of either side; requests and answers are objects with the key of their name.
  package static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.isRoot = true
    schema.title = "A line of the protocol between Batchmark and an engine that is a program, version \(version)"
    schema.oneOf = messages.map { message in
      message.schema.described("\(message.isAnswer ? "To Batchmark" : "To the program"): \(message.meaning)")
    }
    return schema
  }

  private struct Message {
    let schema: JSONSchema
    let isAnswer: Bool
    let meaning: String

    /// A message with one key.
    init(_ key: String, _ contents: JSONSchema, isAnswer: Bool = false, _ meaning: String) {
      self.init(.mapping([key: contents], required: [key]), isAnswer: isAnswer, meaning)
    }

    init(_ schema: JSONSchema, isAnswer: Bool, _ meaning: String) {
      (self.schema, self.isAnswer, self.meaning) = (schema, isAnswer, meaning)
    }
  }

  private static var messages: [Message] {
    let text = JSONSchema(.string)
    let one = JSONSchema.integers(1...1)
    return [
      Message("hello", .integers(version...version), "say what you are"),
      Message(hello, isAnswer: true, "what the program is, and its strategies"),
      Message("open", opening, "open the store, set the pragmas, run the first write, and read held rows"),
      Message(
        "ready", .mapping(to: text, keys: "."), isAnswer: true, "the pragmas in force; no row is stored yet"),
      Message(
        "go", .mapping(["first_key": JSONSchema(.integer)], required: ["first_key"]), "store every row, and commit"),
      Message(
        "done",
        .mapping(
          ["rows": JSONSchema(.integer), "seconds": JSONSchema(.number)], required: ["rows"]), isAnswer: true,
        "how many rows were stored, and how long it took by the program's own clock"),
      Message("checkpoint", one, "move the whole WAL into the database"),
      Message("checkpointed", JSONSchema(), isAnswer: true, "the WAL is empty"),
      Message("close", one, "close the store"),
      Message("closed", JSONSchema(), isAnswer: true, "the store is closed, and the program ends"),
      Message("error", text, isAnswer: true, "what went wrong, in one sentence"),
    ]
  }

  private static var hello: JSONSchema {
    let text = JSONSchema(.string)
    let sqlite = JSONSchema.mapping(["version": text, "source_id": text], required: ["version"])
    var warmUp = JSONSchema.mapping(
      [
        "rows": .integers(1...ProgramStrategy.WarmUp.mostRows),
        "repeats": .integers(1...ProgramStrategy.WarmUp.mostRepeats),
      ], required: ["rows", "repeats"])
    warmUp.description = "what is stored first, in stores of its own, where the runtime compiles while it runs"
    let parameters = JSONSchema.mapping(
      Dictionary(
        uniqueKeysWithValues: ProgramEngine.parameters.map { ($0.name, JSONSchema(.integer, .string)) }))
    let strategy = JSONSchema.mapping(
      [
        "name": .text(matching: "^[A-Za-z0-9_.-]+$"), "operation": .words([Operation.Kind.insert.rawValue]),
        "role": .words(ProgramEngine.roles.map(\.rawValue)), "summary": text,
        "gives_up": .list(of: text), "rows": .words(ProgramStrategy.Rows.allCases.map(\.rawValue)),
        "parameters": parameters, "warm_up": warmUp, "upserts": JSONSchema(.boolean), "entities": .list(of: text),
      ], required: ["name", "operation", "summary", "rows"])
    return .mapping(
      [
        "hello": .integers(version...version), "engine": text, "version": text, "runtime": text, "sqlite": sqlite,
        "strategies": .list(of: strategy, least: 1),
      ], required: ["hello", "engine", "version", "runtime", "strategies"])
  }

  private static var opening: JSONSchema {
    let text = JSONSchema(.string)
    let whole = JSONSchema(.integer)
    let truth = JSONSchema(.boolean)
    let column = all([
      "attribute": text, "column": text, "type": text, "storage": .words(["INTEGER", "REAL", "TEXT", "BLOB"]),
      "optional": truth, "unique": truth,
    ])
    let entity = all([
      "name": text, "table": text, "source_table": text, "rows": whole, "columns": .list(of: column),
      "unique_together": .list(of: .list(of: text)),
    ])
    return .mapping(
      [
        "strategy": text, "parameters": .mapping(to: JSONSchema(.integer, .string), keys: "."), "store": text,
        "source": text, "entities": .list(of: entity, least: 1),
        "key": all(["column": text, "given_by": .words(["engine"])]), "constants": .mapping(to: whole, keys: "."),
        "pragmas": .list(of: all(["name": text, "value": text])), "answered_pragmas": .list(of: text),
        "merge_policy": text, "insert": text, "first_write": text,
        "warm_up": all(["stores": .list(of: text, least: 1), "rows": whole]),
      ],
      required: [
        "strategy", "parameters", "store", "source", "entities", "key", "constants", "pragmas", "answered_pragmas",
        "merge_policy", "insert", "first_write",
      ])
  }

  /// An object that has each of the keys.
  private static func all(_ properties: [String: JSONSchema]) -> JSONSchema {
    .mapping(properties, required: properties.keys.sorted())
  }
}

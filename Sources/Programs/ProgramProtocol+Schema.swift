// The protocol as a JSON Schema: each line that Batchmark and a program exchange.
internal import BatchmarkEngine
package import Scenarios

extension ProgramProtocol {
  /// One line of either side.
  ///
  /// Requests and answers are objects with their name as the only key.
  package static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.isRoot = true
    schema.title = "A line of the protocol between Batchmark and an engine that is a program, version \(version)"
    schema.definitions = ["condition": condition]
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
    ]
      + ProgramEngine.operations.map { operation in
        Message("open", opening(operation), "open the store, set the pragmas, and get ready for: \(operation.rawValue)")
      } + [
        Message(
          "ready", .mapping(to: text, keys: "."), isAnswer: true,
          "the pragmas in force; nothing is stored, changed or read yet"),
        Message(
          "go", .mapping(["first_key": JSONSchema(.integer)], required: []),
          "store every row, and commit; change the rows, and commit; or read the rows"),
        Message(
          "done",
          .mapping(
            ["rows": JSONSchema(.integer), "seconds": JSONSchema(.number)], required: ["rows"]), isAnswer: true,
          "how many rows were stored, changed or read, and how long it took by the program's own clock"),
        Message("hash", one, "say what a fetch has read"),
        Message(
          "hashed", .integers(0...Int(UInt32.max)), isAnswer: true,
          "CRC-32 of all values that were read, in their order"),
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
        "name": .text(matching: "^[A-Za-z0-9_.-]+$"), "operation": .words(ProgramEngine.operations.map(\.rawValue)),
        "role": .words(ProgramEngine.roles.map(\.rawValue)), "summary": text,
        "gives_up": .list(of: text), "rows": .words(ProgramStrategy.Rows.allCases.map(\.rawValue)),
        "parameters": parameters, "warm_up": warmUp, "upserts": JSONSchema(.boolean), "entities": .list(of: text),
      ], required: ["name", "operation", "summary"])
    return .mapping(
      [
        "hello": .integers(version...version), "engine": text, "version": text, "runtime": text,
        "heap": .words(ProgramHello.Heap.allCases.map(\.rawValue)), "sqlite": sqlite,
        "strategies": .list(of: strategy, least: 1),
      ], required: ["hello", "engine", "version", "runtime", "strategies"])
  }
}

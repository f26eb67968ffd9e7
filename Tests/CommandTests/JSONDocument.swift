// The output of a command with `--format json`, checked with the schema that `schema` prints.
import Foundation
import Testing

/// A document as a program reads it.
struct JSONDocument {
  let status: Int32
  let errors: String
  private let object: [String: Any]

  /// Runs the command with `--format json`.
  ///
  /// Standard output must be one document that matches the schema.
  ///
  /// - Parameters:
  ///   - words: The command without the option.
  ///   - schema: The word for `schema`.
  ///   - folder: The folder to run it in.
  ///   - program: The program of the command.
  /// - Throws: An error if the command does not start or its output is not JSON.
  init(of words: [String], as schema: String, in folder: String, by program: Program = .batchmark) async throws {
    // Words after `--` belong to another program.
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let result = try await program.run(
      words[..<end] + ["--format", "json"] + words[end...], in: folder)
    (status, errors) = (result.status, result.errors)
    let name = words.joined(separator: " ")
    #expect(result.output.hasSuffix("}\n"), "\(name): \(result.output.prefix(200)) \(errors)")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    object = try #require(json as? [String: Any], "\(name)")
    let printed = try await Program.batchmark.run(["schema", schema], in: folder)
    let form = try #require(
      try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any], "\(printed.errors)")
    let definitions = form["$defs"] as? [String: [String: Any]] ?? [:]
    #expect(JSONForm(definitions: definitions).mistakes(in: json, form) == [], "\(name)")
  }

  /// The value for a key; nil if there is none.
  subscript(key: String) -> Any? { object[key] }

  /// A list of objects.
  func list(_ key: String) -> [[String: Any]] { object[key] as? [[String: Any]] ?? [] }

  /// The texts for a key in a list of objects.
  func texts(_ key: String, _ inner: String) -> [String] { list(key).compactMap { $0[inner] as? String } }
}

/// The part of JSON Schema that the schemas of documents use.
private struct JSONForm {
  let definitions: [String: [String: Any]]

  func mistakes(in json: Any, _ form: [String: Any], at path: String = "") -> [String] {
    if let reference = form["$ref"] as? String, let name = reference.split(separator: "/").last {
      guard let found = definitions[String(name)] else { return ["\(path): \(reference) is not defined"] }
      return mistakes(in: json, found, at: path)
    }
    for key in ["anyOf", "oneOf"] {
      guard let choices = form[key] as? [[String: Any]] else { continue }
      return choices.contains { mistakes(in: json, $0, at: path).isEmpty } ? [] : ["\(path): no choice"]
    }
    if let words = form["enum"] as? [String], !words.contains(json as? String ?? "") { return ["\(path): \(json)"] }
    switch form["type"] as? String {
    case "object": return ofObject(json, form, at: path)
    case "array":
      guard let list = json as? [Any], let items = form["items"] as? [String: Any] else { return ["\(path): no list"] }
      return list.enumerated().flatMap { mistakes(in: $1, items, at: "\(path)[\($0)]") }
    case "string": return json is String ? [] : ["\(path): no text"]
    case "integer", "number", "boolean": return json is NSNumber ? [] : ["\(path): no number"]
    default: return []
    }
  }

  private func ofObject(_ json: Any, _ form: [String: Any], at path: String) -> [String] {
    guard let object = json as? [String: Any] else { return ["\(path): no object"] }
    let properties = form["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (form["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path): no \($0)" }
    let isClosed = form["additionalProperties"] as? Bool == false
    return missing
      + object.flatMap { key, value -> [String] in
        guard let property = properties[key] else { return isClosed ? ["\(path): the key \(key)"] : [] }
        return mistakes(in: value, property, at: "\(path).\(key)")
      }
  }
}

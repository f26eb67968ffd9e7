// The output of commands for programs: their values, with the schema version and the exit status.
package import Analysis

/// What a command prints with `--format json`.
///
/// The JSON schema of a document is derived from what its type decodes.
package protocol CommandDocument: Codable {
  /// The title of its schema.
  static var title: String { get }
}

extension CommandDocument {
  /// The document's text.
  ///
  /// - Parameter status: The exit status of the command.
  /// - Returns: The text with sorted keys, ending with a line feed.
  /// - Throws: ``ReportError`` if the values cannot be encoded.
  package func json(_ status: CommandStatus) throws(ReportError) -> String {
    try StoredJSON.render(PrintedDocument(status: Int(status.rawValue), content: self), file: "the JSON document")
  }

  /// The schema of its text.
  package static var schema: JSONSchema {
    StoredSchemas.root(
      .decoded(by: PrintedDocument<Self>.self), title, version: PrintedDocument<Self>.currentSchemaVersion)
  }
}

/// A command's values and the fields of every document, in one object.
private struct PrintedDocument<Content: CommandDocument>: Codable {
  /// Increment this when a reader of the old layout would misread the new one.
  static var currentSchemaVersion: Int { 1 }

  /// The exit status of the command.
  let status: Int
  let content: Content

  private enum CodingKeys: String, CodingKey { case schemaVersion, status }

  init(status: Int, content: Content) {
    self.status = status
    self.content = content
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.decode(Int.self, forKey: .schemaVersion)
    status = try container.decode(Int.self, forKey: .status)
    content = try Content(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.currentSchemaVersion, forKey: .schemaVersion)
    try container.encode(status, forKey: .status)
    try content.encode(to: encoder)
  }
}

// What commands print for programs: their own values, after the version of the layout and the exit status.
package import Analysis
package import Harness

/// What a command prints with `--format json`.
///
/// The JSON schema of a document is made from what its type decodes.
package protocol CommandDocument: Codable {
  /// What it is, as the title of its schema.
  static var title: String { get }
}

extension CommandDocument {
  /// The document's text.
  ///
  /// - Parameter status: What the command ends with.
  /// - Returns: Keys sorted, ended by a line feed.
  /// - Throws: ``ReportError`` when the values cannot be encoded.
  package func json(_ status: CommandStatus) throws(ReportError) -> String {
    try StoredJSON.render(PrintedDocument(status: Int(status.rawValue), content: self), file: "the JSON document")
  }

  /// The form of its text.
  package static var schema: JSONSchema {
    StoredSchemas.root(
      .decoded(by: PrintedDocument<Self>.self), title, version: PrintedDocument<Self>.currentSchemaVersion)
  }
}

/// A command's values with what every document has, all under one brace.
private struct PrintedDocument<Content: CommandDocument>: Codable {
  /// Rises when a reader of the old layout would misread the new one.
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

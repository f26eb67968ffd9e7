// The key `map`: which fields of a feed fill attributes that have another name.
import BatchmarkEngine
import CoreDataModel

/// Reads the fields of attributes.
struct FieldMapSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the fields of an entity's attributes; a field fills one attribute.
  func read(_ node: YAMLNode, source: SourceReading, entity: EntityReading) -> [String: String] {
    guard case .feed = source.description else {
      diagnose(
        node.place, found: "the key 'map' with a source that is no feed",
        expected: "source: {feed: path/to/rows.csv}, or no such key")
      return [:]
    }
    let expected = "a mapping of attributes and the fields that fill them, such as {title: Title}"
    guard let entries = entries(node, expected: expected) else { return [:] }
    let attributes = entity.description.attributes.map(\.name)
    var map: [String: String] = [:]
    var fields = Dictionary(attributes.map { ($0, $0) }) { first, _ in first }
    for entry in entries where attributes.contains(entry.key) { fields[entry.key] = nil }
    for entry in entries {
      guard entity.attributeNames.contains(entry.key) else {
        diagnose(entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key, words: attributes)
        continue
      }
      guard let field = text(entry.value, expected: "the name of a field") else { continue }
      if let other = fields.updateValue(entry.key, forKey: field) {
        diagnose(
          entry.value.place, found: "the field \(shown(field)), which fills the attribute \(shown(other)) too",
          expected: "a field of its own for each attribute")
      }
      map[entry.key] = field
    }
    return map
  }
}

// The text of a profile in scenario files.
package import BatchmarkEngine

extension DataProfile {
  /// The lines of the key `entities` under `synthetic`, with entities not indented.
  package var lines: [String] {
    entities.flatMap { entity -> [String] in
      var lines = ["\(entity.name):", "  rows: \(entity.rows)"]
      if !entity.attributes.isEmpty { lines.append("  attributes:") }
      for attribute in entity.attributes {
        let nulls = attribute.nulls > 0 ? "nulls: \(attribute.nulls), " : ""
        lines.append(
          "    \(attribute.name): {\(nulls)distinct: \(attribute.distinct), lengths: \(attribute.lengths.text)}")
      }
      if !entity.relationships.isEmpty { lines.append("  relationships:") }
      var last: String?
      for relationship in entity.relationships {
        if relationship.name != last { lines.append("    \(relationship.name):") }
        last = relationship.name
        lines.append(
          "      \(relationship.destination): {per_row: \(relationship.perRow.text), "
            + "per_destination: \(relationship.perDestination.text)}")
      }
      return lines
    }
  }
}

extension Distribution {
  fileprivate var text: String { "{" + parts.map { "\($0.number): \($0.count)" }.joined(separator: ", ") + "}" }
}

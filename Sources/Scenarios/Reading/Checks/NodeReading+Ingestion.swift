// Checks that every engine can store the rows of a flat source: there is one table, and a field for every column.
import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

extension NodeReading {
  /// Checks that every engine can insert into the entity: an engine writes one table, column by column.
  func checkIngestible(_ entity: EntityReading, at place: SourceLocation) {
    let name = shown(entity.description.name)
    if entity.description.isAbstract {
      diagnose(place, found: "the abstract entity \(name)", expected: "an entity that has rows of its own")
    }
    if let parent = entity.description.superentityName {
      diagnose(
        place, found: "the entity \(name), whose parent is \(shown(parent))",
        expected: "an entity without parent, whose table every engine knows")
    }
    var names: [String: String] = [:]
    for attribute in entity.description.attributes {
      let place = entity.place(of: .attribute(attribute.name))
      if attribute.isTransient {
        diagnose(
          place, found: "the transient attribute \(shown(attribute.name)) in the entity that the source fills",
          expected: "attributes that are stored")
      }
      if let other = names.updateValue(attribute.name, forKey: attribute.name.uppercased()) {
        diagnose(clashOf: attribute.name, with: other, at: place, what: "attribute", shared: "column")
      }
    }
    for relationship in entity.relationships where !relationship.description.isOptional {
      diagnose(
        relationship.place,
        found: "the required relationship \(shown(relationship.description.name)) in the entity that the source fills",
        expected: "optional: true, because a source has no objects for it")
    }
  }

  /// Checks that the source has a field for every attribute, with a type that the attribute can hold.
  ///
  /// It does not read a feed. Only the fields of GeoJSON feeds are known in advance; those of other feeds are checked
  /// when the feed is read.
  func checkFields(of source: SourceReading, for entity: EntityReading) {
    let fields: [SourceField]
    switch source.description {
    case .generate: fields = SourceField.generated
    case .feed(let path, _):
      guard path.lowercased().hasSuffix(".geojson") else { return }
      fields = SourceField.geoJSON
    // A store has the fields of its model, and so has synthetic data.
    case .store, .synthetic: return
    case .trees: fields = SourceField.ofTrees
    }
    for attribute in entity.description.attributes {
      guard let places = entity.attributePlaces[attribute.name] else { continue }
      if let field = fields.first(where: { $0.name == source.description.field(of: attribute) }) {
        guard !field.kind.types.contains(attribute.type) else { continue }
        diagnose(
          places.type, found: "the type '\(attribute.type.rawValue)' for the source's field \(field.name)",
          expected: field.kind.expectation)
      } else if !source.description.mayHaveOtherFields {
        diagnose(
          places.name, found: "the attribute \(shown(attribute.name)), for which the source has no field",
          expected: "one of \(fields.map(\.name).joined(separator: ", ")), or rows of any model: source: "
            + SyntheticRecipeSection.exampleSource(of: entity.description, attribute),
          suggestion: nearest(to: attribute.name, among: fields.map(\.name)))
      }
    }
  }
}

extension SourceDescription {
  /// The source's field for an attribute.
  fileprivate func field(of attribute: AttributeDescription) -> String {
    if case .feed(_, let map) = self, let field = map[attribute.name] { field } else { attribute.name }
  }
}

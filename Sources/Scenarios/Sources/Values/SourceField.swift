// The fields of sources, with their names in scenarios, and the attribute types that each one fits.
internal import BatchmarkEngine
package import CoreDataModel

/// A field of a source.
struct SourceField {
  /// The kind of a field's values.
  enum Kind {
    case text, link, real, whole, flag, date
  }

  let name: String
  let kind: Kind

  /// The fields of generated rows.
  static let generated: [SourceField] = [
    SourceField(name: "code", kind: .text), SourceField(name: "magnitude", kind: .real),
    SourceField(name: "place", kind: .text), SourceField(name: "time", kind: .date),
    SourceField(name: "updated", kind: .date), SourceField(name: "latitude", kind: .real),
    SourceField(name: "longitude", kind: .real), SourceField(name: "depth", kind: .real),
    SourceField(name: "magType", kind: .text), SourceField(name: "nst", kind: .whole),
    SourceField(name: "gap", kind: .real), SourceField(name: "dmin", kind: .real),
    SourceField(name: "rms", kind: .real), SourceField(name: "net", kind: .text),
    SourceField(name: "type", kind: .text), SourceField(name: "status", kind: .text),
  ]

  /// The documented fields of the Geological Survey's GeoJSON feeds, apart from the generated ones
  /// (https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php).
  static let geoJSONOnly: [SourceField] = [
    SourceField(name: "eventCode", kind: .text), SourceField(name: "tz", kind: .whole),
    SourceField(name: "url", kind: .link), SourceField(name: "detail", kind: .link),
    SourceField(name: "felt", kind: .whole), SourceField(name: "cdi", kind: .real),
    SourceField(name: "mmi", kind: .real), SourceField(name: "alert", kind: .text),
    SourceField(name: "tsunami", kind: .flag), SourceField(name: "sig", kind: .whole),
    SourceField(name: "ids", kind: .text), SourceField(name: "sources", kind: .text),
    SourceField(name: "types", kind: .text), SourceField(name: "title", kind: .text),
  ]

  /// The fields of rows of trees.
  static let ofTrees: [SourceField] = [
    SourceField(name: "name", kind: .text), SourceField(name: "level", kind: .whole),
    SourceField(name: "tree", kind: .whole), SourceField(name: "half", kind: .whole),
    SourceField(name: "weight", kind: .real),
  ]

  /// The possible fields of an earthquake in a GeoJSON feed, whether or not any has them.
  static let geoJSON = generated + geoJSONOnly
}

extension SourceField.Kind {
  /// The attribute types that can hold the field.
  var types: [AttributeType] {
    switch self {
    case .text: [.string]
    case .link: [.string, .uri]
    case .real: [.double, .float, .decimal]
    case .whole: [.int16, .int32, .int64, .double, .float, .decimal]
    case .flag: [.boolean, .int16, .int32, .int64, .double, .float, .decimal]
    case .date: [.date]
    }
  }

  /// The types as messages list them.
  var expectation: String {
    let words = types.map(\.rawValue)
    return words.count == 1 ? words[0] : "one of " + words.joined(separator: ", ")
  }
}

extension GeneratorSettings {
  /// The generated fields as attributes of their natural types; all are optional except `code` and `time`.
  package static var attributes: [AttributeDescription] {
    SourceField.generated.map { field in
      AttributeDescription(
        field.name, field.kind == .whole ? .int32 : field.kind.types[0],
        isOptional: !["code", "time"].contains(field.name))
    }
  }
}

// Rules between the keys of a scenario file, for its JSON Schema: which keys require or exclude others.
import CoreDataModel

extension ScenarioSchema {
  // MARK: - The file as a whole

  /// Adds the rules between the parts of a file.
  func addRules(to schema: inout JSONSchema) {
    schema.needs = [
      "exclude": ["sweep"], "predicate": ["predicates"], "descending": ["order"], "offset": ["order"],
      "limit": ["order"], "version": ["versions"],
    ]
    schema.require(.with("versions"), where: .sweeping("version"))
    schema.require(.with("predicates"), where: .sweeping("predicate"))
    schema.require(.with("order"), where: .anyOf([.sweeping("offset"), .sweeping("limit")]))
    schema.require(.without(["predicate"]), where: .with("where"))
    addSourceRules(to: &schema)
    addSweepRules(to: &schema)
    addLinkRules(to: &schema)
    // An observing context sees only the source's rows, not the destinations of links.
    let quiet = JSONSchema.holding(["merge": .words(["none"])])
    schema.require(.holding(["cells": .items(quiet), "merge": .words(["none"])]), where: .with("link"))
    let listless = JSONSchema.holding(["results": .words(["none"])])
    schema.require(.holding(["cells": .items(listless)]), where: .not(.with("list")))
    // If rows can have the same unique values, the scenario must say what happens then.
    let policy = JSONSchema.anyOf([.with("merge_policy"), .sweeping("merge_policy")])
    schema.require(policy, where: .holding(["repeat": .integers(2...Int.max)], required: ["repeat"]))
    let duplicates = JSONSchema.holding(["duplicates": .text(matching: "[1-9]")], required: ["duplicates"])
    schema.require(policy, where: .source("generate", duplicates))
    schema.require(
      policy, where: .holding(["sweep": .with("duplicates")], required: ["sweep"]))
  }

  /// Rows of several entities are related without the key `link`; linked rows are always related.
  private func addLinkRules(to schema: inout JSONSchema) {
    func require(no key: String, where condition: JSONSchema) {
      schema.require(
        .holding(["cells": .items(.without([key])), "sweep": .without([key])]), where: condition)
    }
    let sourcesOfOne = ["store", "synthetic"].map { name in
      JSONSchema.holding(["source": .with(name, "entity")], required: ["source"])
    }
    let rowsOfOne = JSONSchema.anyOf(["generate", "feed", "trees"].map { .source($0) } + sourcesOfOne)
    require(no: "link_every", where: .all([.not(.with("link")), rowsOfOne]))
    require(no: "relationships", where: .anyOf([.with("link"), rowsOfOne]))
  }

  private func addSourceRules(to schema: inout JSONSchema) {
    let hasTrees = JSONSchema.source("trees")
    schema.require(.source("feed"), where: .with("map"))
    schema.require(hasTrees, where: .anyOf([.with("delete_rule"), .sweeping("delete_rule")]))
    // The rows of one entity in a model with several.
    var several = JSONSchema(.object)
    several.leastKeys = 2
    let rowsOfOne = JSONSchema.anyOf([.source("generate"), .source("feed"), hasTrees])
    schema.require(.with("entity"), where: .all([.holding(["model": several], required: ["model"]), rowsOfOne]))
    for (source, keys) in [("generate", ["rows"]), ("trees", ["rows", "levels", "fan_out"])] {
      for key in keys {
        schema.require(
          .source(source, .with(key)), where: .all([.source(source), .not(.sweeping(key))]))
      }
    }
  }

  /// A swept key must not occur elsewhere, and must be a key of the file's source.
  private func addSweepRules(to schema: inout JSONSchema) {
    for (name, keys) in Dictionary(grouping: keys.filter(\.isSweepable), by: \.name).sorted(by: { $0.key < $1.key }) {
      var other = JSONSchema()
      var sources: [JSONSchema] = []
      for key in keys {
        switch key.location {
        case .scenario: other.properties[name] = .nothing
        case .store, .beside: other.properties[key.location.rawValue] = .without([name])
        case .generate, .trees:
          let source = key.location.rawValue
          other.properties["source", default: JSONSchema()].properties[source] = .without([name])
          sources.append(.source(source))
        case .cell:
          other.properties[name] = .nothing
          other.properties["cells"] = .items(.without([name]))
        default: break
        }
      }
      if !sources.isEmpty, sources.count == keys.count { other = .all([other, .anyOf(sources)]) }
      schema.require(other, where: .sweeping(name))
    }
  }

  // MARK: - Single mappings

  /// Adds the rules between the keys of one mapping.
  func addRules(of location: ScenarioKey.Location, to schema: inout JSONSchema) {
    switch location {
    case .attribute: addAttributeRules(to: &schema)
    case .relationship:
      schema.require(
        .holding(["many": .isTrue], required: ["many"]), where: .holding(["ordered": .isTrue], required: ["ordered"]))
      schema.require(
        .holding(["min": .integers(0...1), "max": .integers(1...1)]),
        where: .not(.holding(["many": .isTrue], required: ["many"])))
    case .syntheticAttribute: addValueRules(to: &schema)
    case .syntheticRelationship:
      schema.require(
        .without(["nulls", "destinations", "distribution", "exponent"]),
        where: .anyOf([.with("per_row"), .with("per_destination")]))
      schema.require(.distribution("zipf"), where: .with("exponent"))
    default: break
    }
  }

  /// Rules and defaults by the type of their attribute.
  private func addAttributeRules(to schema: inout JSONSchema) {
    for (bound, other) in [("min", "max"), ("max", "min")] {
      schema.require(.with(other), where: .holding([bound: JSONSchema(.null)], required: [bound]))
    }
    for type in AttributeType.allCases {
      var values = JSONSchema()
      if !type.hasRange { values.properties = JSONSchema.without(["min", "max"]).properties }
      if type != .string, type != .binary {
        values.properties.merge(JSONSchema.without(["min_length", "max_length"]).properties) { $1 }
      }
      if type != .string { values.properties["pattern"] = .nothing }
      if let form = JSONSchema.form(of: type) {
        for key in ["default", "min", "max"] where values.properties[key] == nil { values.properties[key] = form }
      }
      schema.require(values, where: .holding(["type": .words([type.rawValue])], required: ["type"]))
    }
  }

  /// The sources of values.
  private func addValueRules(to schema: inout JSONSchema) {
    schema.require(.distribution("zipf"), where: .with("exponent"))
    schema.require(.distribution("normal"), where: .anyOf([.with("mean"), .with("deviation")]))
    schema.require(.without(["distinct"]), where: .distribution("normal"))
    schema.require(.without(["alphabet"]), where: .with("characters"))
    let all = ScenarioKey.names(in: .syntheticAttribute)
    schema.require(
      .without(all.filter { !["nulls", "values", "distribution", "exponent"].contains($0) }), where: .with("values"))
    let counts = JSONSchema.holding(["lengths": JSONSchema(.object)], required: ["lengths"])
    var profile = JSONSchema.without(all.filter { !["nulls", "distinct", "lengths"].contains($0) })
    profile.required = ["distinct"]
    schema.require(profile, where: counts)
  }

  // MARK: - Lists and names

  /// A list that is not empty and has no duplicates.
  func list(of contents: KeyContents, _ key: String) -> JSONSchema {
    var schema = self.schema(of: contents)
    if ["unique", "values", "exclude", "cells"].contains(key) { schema.leastItems = 1 }
    if ["exclude", "cells"].contains(key) { schema.mostItems = SweepAxis.mostCells }
    if ["tags", "unique"].contains(key) { schema.isUnique = true }
    if key == "unique", !schema.items.isEmpty {
      schema.items[0].leastItems = 1
      schema.items[0].isUnique = true
    }
    // Two different texts in one version of YAML may be the same number in the other.
    if key == "values" {
      var different = JSONSchema()
      different.isUnique = true
      schema.require(different, where: .items(JSONSchema(.string)))
    }
    return schema
  }

  /// A mapping with any names as keys.
  func mapping(of contents: KeyContents, _ key: ScenarioKey) -> JSONSchema {
    var schema = self.schema(of: contents)
    switch key.name {
    case "set", "link": schema.leastKeys = 1
    case "indexes":
      if case .all(var list)? = schema.others {
        list.leastItems = 1
        list.isUnique = true
        schema.others = .all(list)
      }
    default: if key.location == .entity { schema.mostKeys = ModelSection.mostProperties }
    }
    return schema
  }
}

// The JSON Schemas of the files for other programs: results.json, pair.json, those of a history and others.
package import Analysis

/// The schemas of a report's files, for other programs.
package enum StoredSchemas {
  /// `results.json`.
  package static var results: JSONSchema {
    root(.decoded(by: Report.self), "The results of a run", version: Report.currentSchemaVersion)
  }

  /// `pair.json`.
  package static var pair: JSONSchema {
    root(.decoded(by: PairResults.self), "A paired comparison", version: PairResults.schemaVersion)
  }

  /// A file of a history.
  package static var history: JSONSchema {
    root(.decoded(by: HistoryRecord.self), "A run in a history", version: HistoryRecord.currentSchemaVersion)
  }

  /// `watch.json`.
  package static var watch: JSONSchema {
    root(.decoded(by: WatchReport.self), "What a watched program did", version: WatchReport.currentSchemaVersion)
  }

  static func root(_ schema: JSONSchema, _ title: String, version: Int) -> JSONSchema {
    var schema = schema
    schema.isRoot = true
    schema.title = title
    var only = JSONSchema(.integer)
    (only.minimum, only.maximum) = (version, version)
    schema.properties["schemaVersion"] = only
    return schema
  }
}

extension Measured: DescribedInJSON where Figure: Codable {
  static var jsonSchema: JSONSchema {
    var schema = JSONSchema()
    schema.oneOf = [
      .mapping(["figure": .decoded(by: Figure.self)], required: ["figure"]),
      .mapping(["absent": JSONSchema(.string)], required: ["absent"]),
    ]
    return schema
  }
  static var example: Measured { .absent("") }
}

extension ParameterValue: DescribedInJSON {
  static var jsonSchema: JSONSchema { .anyOf([JSONSchema(.integer), JSONSchema(.string)]) }
  static var example: ParameterValue { .all }
}

extension MetricID: DescribedInJSON {
  static var jsonSchema: JSONSchema { .words((allCases + MetricDeclaration.latencies.map(\.id)).map(\.rawValue)) }
  static var example: MetricID { allCases[0] }
}

extension StrategyRole: DescribedInJSON {
  static var jsonSchema: JSONSchema {
    let roles: [StrategyRole] = [.reference, .objectByObject, .peer, .harnessCost]
    return .words((roles + BatchStyle.allCases.map { .batch($0) }).map(\.rawValue))
  }
  static var example: StrategyRole { .peer }
}

extension GateRule.Subject: DescribedInJSON {
  static var jsonSchema: JSONSchema { JSONSchema(.string) }
  static var example: GateRule.Subject { .time }
}

extension GateLimit.Amount: DescribedInJSON {
  static var jsonSchema: JSONSchema {
    var schema = JSONSchema()
    schema.oneOf = [
      .mapping(["share": JSONSchema(.number)], required: ["share"]),
      .mapping(["absolute": JSONSchema(.integer)], required: ["absolute"]),
    ]
    return schema
  }
  static var example: GateLimit.Amount { .share(0.01) }
}

extension WatchReport.End: DescribedInJSON {
  static var jsonSchema: JSONSchema {
    .cases([("exited", ["_0": JSONSchema(.integer)]), ("signalled", ["_0": JSONSchema(.integer)])])
  }
  static var example: WatchReport.End { .exited(0) }
}

extension WatchReport.Gap: DescribedInJSON {
  static var jsonSchema: JSONSchema {
    let text = JSONSchema(.string)
    let count = JSONSchema(.integer)
    return .cases([
      ("otherVFS", ["name": text, "connections": count]), ("ownSQLite", ["file": text]),
      ("untraced", ["connections": count]), ("noRoom", ["connections": count, "databases": count]),
      ("unreadable", ["reason": text]), ("notPreloaded", ["reason": text]), ("stillRunning", ["processes": count]),
    ])
  }
  static var example: WatchReport.Gap { .ownSQLite(file: "") }
}

extension JSONSchema {
  /// The schema of an enumeration with associated values as Swift encodes it: a mapping from the case's name to them.
  fileprivate static func cases(_ cases: [(name: String, values: [String: JSONSchema])]) -> JSONSchema {
    var schema = JSONSchema()
    schema.oneOf = cases.map { name, values in
      .mapping([name: .mapping(values, required: values.keys.sorted())], required: [name])
    }
    return schema
  }
}

extension EarlyStop: DescribedInJSON {
  static var jsonSchema: JSONSchema {
    let limit = JSONSchema.mapping(["seconds": JSONSchema(.number)], required: ["seconds"])
    let halfWidth = JSONSchema.mapping(["halfWidth": JSONSchema(.number)], required: ["halfWidth"])
    var schema = JSONSchema()
    schema.oneOf = [
      .mapping(["slow": .mapping([:])], required: ["slow"]), .mapping(["limit": limit], required: ["limit"]),
      .mapping(["timeShare": limit], required: ["timeShare"]),
      .mapping(["narrow": halfWidth], required: ["narrow"]),
    ]
    return schema
  }
  static var example: EarlyStop { .slow }
}

// The form of scenario files, for editors and for programs that write them: the table of keys as a JSON Schema.
//
// It says what may stand where. What one part of a file says of another (an attribute that is not there, a cell that is
// there twice, rows that are neither swept nor said) is found by `batchmark validate` alone.

extension ScenarioSchema {
  /// The JSON Schema of scenario files, with the engines, strategies and parameters that are known here.
  package var jsonSchema: JSONSchema {
    var schema = schema(of: .keys(.scenario))
    schema.isRoot = true
    schema.title = "A scenario of Batchmark"
    schema.required = ["scenario", "source", "cells"]
    // Which strategies there are, and with which parameters, depends on the operation.
    schema.conditions = Operation.Kind.allCases.map { operation in
      var named = JSONSchema()
      named.properties = ["operation": .words([operation.rawValue])]
      // A scenario that names no operation inserts.
      if operation != .insert { named.required = ["operation"] }
      var cells = JSONSchema()
      cells.properties = ["cells": .list(of: .anyOf(self.cells(for: operation)), least: 1)]
      return JSONSchema.Condition(condition: named, consequence: cells)
    }
    return schema
  }

  private func schema(of contents: KeyContents) -> JSONSchema {
    switch contents {
    case .keys(let location): mapping(of: location)
    case .named(let value): .mapping(to: schema(of: value), keys: "^[A-Za-z_][A-Za-z0-9_]*$")
    case .counts: .mapping(to: ValueDomain.number(1...mostRows).jsonSchema, keys: "^[0-9][0-9_]*$")
    case .list(let value): .list(of: schema(of: value))
    case .wholeNumber(let range): ValueDomain.number(range).jsonSchema
    case .scalar: JSONSchema(.string, .number, .boolean, .null)
    case .text: JSONSchema(.string, .number, .boolean)
    case .cell: cell
    case .sweep:
      .mapping(
        Dictionary(grouping: keys.filter(\.isSweepable), by: \.name).mapValues { keys in
          .list(of: .anyOf(Set(keys.map(value)).sorted { "\($0)" < "\($1)" }), least: 1).described(keys[0].help)
        })
    case .exclusion:
      .mapping(
        to: .anyOf([schema(of: .scalar), .list(of: schema(of: .scalar), least: 1)]), keys: "^[a-z][a-z0-9_]*$", least: 1
      )
    case .limits: limits
    case .either(let one, let other): .anyOf([schema(of: one), schema(of: other)])
    }
  }

  /// Limits by figure; of a figure with a cell or a phase before it the schema does not know the kind.
  private var limits: JSONSchema {
    let judged = figures.filter(\.isGated)
    let kinds = [FigureKind.number, .bytes, .time].filter { kind in judged.contains { $0.kind == kind } }
    let any = JSONSchema.anyOf(kinds.map(FigureLimit.jsonSchema))
    var schema = JSONSchema.mapping(to: any, keys: "^(\\S+\\.)?[a-z][a-z0-9_]*$", least: 1)
    for figure in judged {
      for name in [figure.name, figure.column] { schema.properties[name] = FigureLimit.jsonSchema(of: figure.kind) }
    }
    schema.properties[GateReading.time] = FigureLimit.time
    schema.properties[GateReading.exact] = FigureLimit.jsonSchema(of: .number)
    return schema
  }

  private func mapping(of location: ScenarioKey.Location) -> JSONSchema {
    let own = keys.filter { $0.location == location }
    var schema = JSONSchema.mapping(
      Dictionary(own.map { ($0.name, value($0).described($0.help)) }) { first, _ in first },
      required: ScenarioSchema.required[location] ?? [])
    if location == .source {
      schema.oneOf = own.filter { $0.name != "entity" }.map { key in
        var chosen = JSONSchema()
        chosen.required = [key.name]
        return chosen
      }
    }
    return schema
  }

  /// Keys without which their mapping says nothing, where nothing else of the file can take their place.
  private static let required: [ScenarioKey.Location: [String]] = [
    .attribute: ["type"], .relationship: ["to", "inverse"], .synthetic: ["entities"], .syntheticEntity: ["rows"],
  ]

  private func value(_ key: ScenarioKey) -> JSONSchema {
    switch key.kind {
    case ScenarioKey.Kind.cellParameter:
      .anyOf(keys.filter { $0.location == .cell && $0.name == key.name }.map(value))
    case .text where key.name == "inverse": JSONSchema(.string, .null)
    case .text where key.name == "scenario": .text(matching: "^[A-Za-z0-9._-]+$")
    case .text: schema(of: .text)
    case .mapping(_, let contents), .list(_, let contents): schema(of: contents)
    case .flag: .anyOf([JSONSchema(.boolean), .words(["true", "false"])])
    case .duration: .text(matching: "^[0-9][0-9_]*(\\.[0-9]+)? *(ms|s|min|h)$")
    case .value(let domain): domain.jsonSchema
    }
  }

  /// Any cell, whatever the operation: what an editor offers.
  private var cell: JSONSchema {
    var schema = mapping(of: .cell)
    let strategies = Set(engines.flatMap(\.strategies).map(\.name)).sorted()
    schema.properties["engine"] = JSONSchema.words(engines.map(\.name)).described("engine that stores the rows")
    schema.properties["strategy"] = JSONSchema.words(strategies).described("strategy of the engine")
    schema.required = ["strategy"]
    return schema
  }

  /// The cells of each strategy for an operation, with its own parameters alone.
  private func cells(for operation: Operation.Kind) -> [JSONSchema] {
    engines.flatMap { engine in
      engine.strategies(for: operation).map { strategy in
        var properties = strategy.parameters.mapValues { ValueDomain($0.domain).jsonSchema }
        properties["engine"] = .words([engine.name])
        properties["strategy"] = .words([strategy.name])
        // A cell that names no engine means the first.
        let isDefault = engine.name == defaultEngine?.name
        return .mapping(properties, required: (isDefault ? [] : ["engine"]) + ["strategy"])
      }
    }
  }
}

/// How far a figure may change, as `GateReading` reads it.
private enum FigureLimit {
  private static let sign = "(±|\\+-)?"
  private static let share = "(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%"

  /// A share of at least one percent.
  static let time = JSONSchema.text(matching: "^(\(sign)(100(\\.0+)?|[1-9][0-9]?(\\.[0-9]+)?)%|none)$")

  /// A share, or an amount in a unit of the figure; a plain number where it has none.
  static func jsonSchema(of kind: FigureKind) -> JSONSchema {
    let units = kind.units.map(\.name).joined(separator: "|")
    let amount = units.isEmpty ? "[0-9][0-9_]*" : "[0-9][0-9_]*(\\.[0-9]+)? ?(\(units))"
    let text = JSONSchema.text(matching: "^(\(sign)(\(share)|\(amount))|none)$")
    return units.isEmpty ? .anyOf([.integers(0...Int.max), text]) : text
  }
}

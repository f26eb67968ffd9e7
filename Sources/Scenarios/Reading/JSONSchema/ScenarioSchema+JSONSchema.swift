// The form of scenario files, for editors and for programs that write them: the table of keys as a JSON Schema.
//
// It defines what is allowed where, and which keys are allowed together. Only `batchmark validate` checks names that refer to
// another part of the file (a missing attribute, a cell that occurs twice), sums and comparisons.
internal import BatchmarkEngine

extension ScenarioSchema {
  /// The JSON Schema of scenario files, with the known engines, strategies and parameters.
  package var jsonSchema: JSONSchema {
    var schema = schema(of: .keys(.scenario))
    schema.isRoot = true
    schema.title = "A scenario of Batchmark"
    schema.required = ["scenario", "source", "cells"]
    // The available strategies and their parameters depend on the operation.
    schema.conditions = Operation.Kind.allCases.map { operation in
      var named = JSONSchema()
      named.properties = ["operation": .words([operation.rawValue])]
      // A scenario without an operation is an insert.
      if operation != .insert { named.required = ["operation"] }
      var cells = JSONSchema()
      cells.properties = ["cells": .list(of: .anyOf(self.cells(for: operation)), least: 1)]
      cells.properties.merge(JSONSchema.without(OperationSection.foreignKeys(of: operation)).properties) { $1 }
      if operation == .update { cells.required = ["set"] }
      if operation == .migrate { cells.required = ["versions"] }
      return JSONSchema.Condition(condition: named, consequence: cells)
    }
    addRules(to: &schema)
    return schema
  }

  func schema(of contents: KeyContents) -> JSONSchema {
    switch contents {
    case .keys(let location): mapping(of: location)
    case .named(let value): .mapping(to: schema(of: value), keys: "^[A-Za-z_][A-Za-z0-9_]*$")
    case .counts: .mapping(to: ValueDomain.number(1...mostRows).jsonSchema, keys: "^[0-9][0-9_]*$")
    case .list(let value): .list(of: schema(of: value))
    case .wholeNumber(let range): ValueDomain.number(range).jsonSchema
    case .scalar: JSONSchema(.string, .number, .boolean, .null)
    case .text: JSONSchema(.string, .number, .boolean)
    case .cell: cell
    case .sweep: sweep
    case .exclusion:
      .mapping(
        to: .anyOf([schema(of: .scalar), .list(of: schema(of: .scalar), least: 1)]), keys: "^[a-z][a-z0-9_]*$", least: 1
      )
    case .limits: limits
    case .either(.wholeNumber, .list(.wholeNumber(let range))):
      .anyOf([schema(of: .wholeNumber(range)), bounds(schema(of: .wholeNumber(range)))])
    case .either(let one, let other): .anyOf([schema(of: one), schema(of: other)])
    }
  }

  /// The minimum and the maximum.
  private func bounds(_ value: JSONSchema) -> JSONSchema {
    var schema = JSONSchema.list(of: value, least: 2)
    schema.mostItems = 2
    return schema
  }

  private var sweep: JSONSchema {
    var schema = JSONSchema.mapping(
      Dictionary(grouping: keys.filter(\.isSweepable), by: \.name).mapValues { keys in
        var list = JSONSchema.list(of: .anyOf(Set(keys.map(value)).sorted { "\($0)" < "\($1)" }), least: 1)
        list.isUnique = true
        return list.described(keys[0].help)
      })
    schema.leastKeys = 1
    return schema
  }

  /// Limits by metric, optionally with a cell or a phase before it.
  private var limits: JSONSchema {
    var schema = JSONSchema.mapping([:])
    func add(_ names: [String], _ limit: JSONSchema) {
      if !names.isEmpty { schema.keyPatterns["^(\\S+\\.)?(\(names.joined(separator: "|")))$"] = limit }
    }
    for kind in [MetricKind.number, .bytes, .time] {
      add(
        metrics.filter { $0.isJudged && $0.kind == kind }.flatMap { [$0.name, $0.column] },
        MetricLimit.jsonSchema(of: kind))
    }
    add([GateReading.time], MetricLimit.time)
    add([GateReading.exact], MetricLimit.jsonSchema(of: .number))
    add([GateReading.plans], .words([GateReading.unchanged, GateReading.none]))
    schema.leastKeys = 1
    return schema
  }

  private func mapping(of location: ScenarioKey.Location) -> JSONSchema {
    let own = keys.filter { $0.location == location }
    var schema = JSONSchema.mapping(
      Dictionary(own.map { ($0.name, value($0).described($0.help)) }) { first, _ in first },
      required: ScenarioSchema.required[location] ?? [])
    addRules(of: location, to: &schema)
    if location == .source {
      schema.oneOf = own.filter { $0.name != "entity" }.map { key in
        var chosen = JSONSchema()
        chosen.required = [key.name]
        return chosen
      }
    }
    return schema
  }

  /// Keys that their mapping requires, unless something else in the file can replace them.
  private static let required: [ScenarioKey.Location: [String]] = [
    .attribute: ["type"], .relationship: ["to", "inverse"], .synthetic: ["entities"], .syntheticEntity: ["rows"],
    .list: ["order"],
  ]

  private func value(_ key: ScenarioKey) -> JSONSchema {
    switch key.kind {
    case ScenarioKey.Kind.cellParameter:
      .anyOf(keys.filter { $0.location == .cell && $0.name == key.name }.map(value))
    case .text where key.name == "inverse": JSONSchema(.string, .null)
    case .text where key.location == .attribute && key.name != "pattern": schema(of: .scalar)
    case .text where key.name == "deviation": .positiveNumber()
    case .text where key.name == "exponent": .positiveNumber(upTo: 10)
    case .list where key.name == "budgets": budgets
    case .list where key.name == "range": bounds(schema(of: .scalar))
    case .list(_, let contents) where ["tags", "unique", "values", "exclude", "cells"].contains(key.name):
      list(of: contents, key.name)
    case .mapping(_, let contents) where ["set", "link", "indexes", "attributes", "relationships"].contains(key.name):
      mapping(of: contents, key)
    case .mapping(_, .named(let contents)) where ["predicates", "versions"].contains(key.name):
      .mapping(to: schema(of: contents), keys: ValueDomain.namePattern)
    case .text where key.name == "scenario": .text(matching: "^[A-Za-z0-9._-]{1,100}$")
    case .text: schema(of: .text)
    case .mapping(_, let contents), .list(_, let contents): schema(of: contents)
    case .flag: .anyOf([JSONSchema(.boolean), .words(["true", "false"])])
    case .duration: .duration
    case .value(let domain) where key.name == "warm_up": .anyOf([domain.jsonSchema, .words(["all"])])
    case .value(let domain): domain.jsonSchema
    }
  }

  /// A cell for any operation, which editors use for completion.
  private var cell: JSONSchema {
    var schema = mapping(of: .cell)
    let strategies = Set(engines.flatMap(\.strategies).map(\.name)).sorted()
    schema.properties["engine"] = JSONSchema.words(engines.map(\.name)).described("engine that stores the rows")
    schema.properties["strategy"] = JSONSchema.words(strategies).described("strategy of the engine")
    schema.required = ["strategy"]
    return schema
  }

  /// The cells of each strategy for an operation, with only its own parameters.
  private func cells(for operation: Operation.Kind) -> [JSONSchema] {
    engines.flatMap { engine in
      engine.strategies(for: operation).map { strategy in
        var properties = strategy.parametersByName.mapValues { ValueDomain($0.domain).jsonSchema }
        properties["engine"] = .words([engine.name])
        properties["strategy"] = .words([strategy.name])
        // A cell without an engine uses the first one.
        let isDefault = engine.name == defaultEngine?.name
        return .mapping(properties, required: (isDefault ? [] : ["engine"]) + ["strategy"])
      }
    }
  }
}

/// How far a metric may change, as in `GateReading`.
private enum MetricLimit {
  private static let sign = "(±|\\+-)?"
  private static let share = "(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%"

  /// A share of at least one percent.
  static let time = JSONSchema.text(matching: "^(\(sign)(100(\\.0+)?|[1-9][0-9]?(\\.[0-9]+)?)%|none)$")

  /// A share, or an amount in a unit of the metric; a plain number if it has no unit.
  static func jsonSchema(of kind: MetricKind) -> JSONSchema {
    let units = kind.units.map(\.name).joined(separator: "|")
    let amount = units.isEmpty ? "[0-9][0-9_]*" : "[0-9][0-9_]*(\\.[0-9]+)? ?(\(units))"
    let text = JSONSchema.text(matching: "^(\(sign)(\(share)|\(amount))|none)$")
    return units.isEmpty ? .anyOf([.integers(0...Int.max), text]) : text
  }
}

extension ValueDomain {
  /// The values, in YAML 1.1 and 1.2.
  var jsonSchema: JSONSchema {
    switch self {
    case .words(let words):
      let isTruth = words.contains { ["on", "off", "yes", "no"].contains($0) }
      return .anyOf([.words(words)] + (isTruth ? [JSONSchema(.boolean)] : []))
    case .name: return .text(matching: ValueDomain.namePattern)
    case .onOff(let more):
      return .anyOf([
        .words(["on", "off", "true", "false", "yes", "no"] + more), JSONSchema(.boolean), .integers(0...1),
      ])
    case .number(let range, _):
      return .anyOf([.integers(range), ValueDomain.groupedDigits(signed: range.lowerBound < 0)])
    case .seed:
      var number = JSONSchema(.integer)
      number.minimum = 0
      return .anyOf([number, ValueDomain.groupedDigits(signed: false)])
    case .powerOfTwo(let range):
      var powers = JSONSchema(.integer)
      powers.numbers = (0..<Int.bitWidth - 1).map { 1 << $0 }.filter(range.contains)
      return .anyOf([powers, ValueDomain.groupedDigits(signed: false)])
    case .share: return ValueDomain.percentage
    case .countOrShare(let range):
      return .anyOf([.integers(range), ValueDomain.groupedDigits(signed: false), ValueDomain.percentage])
    case .rows: return .anyOf([.integers(1...mostRows), ValueDomain.groupedDigits(signed: false), .words(["all"])])
    case .bytes: return .text(matching: "^(\\+?(?=[0-9_]*[1-9])[0-9](_?[0-9]){0,11} ?(B|KiB|MiB|GiB)|none)$")
    case .rate: return .text(matching: "^ *\\+?[0-9]+(_[0-9]+)* */ *s *$")
    }
  }

  /// The pattern of names that other parts of a file refer to.
  fileprivate static let namePattern = "^[A-Za-z0-9_.-]+$"

  private static let percentage = JSONSchema.text(matching: "^(100|[0-9]{1,2}(\\.[0-9]+)?)%$")

  /// A number with underscores between its digits.
  private static func groupedDigits(signed: Bool) -> JSONSchema {
    .text(matching: "^\(signed ? "[+-]?" : "\\+?")[0-9]+(_[0-9]+)+$")
  }
}

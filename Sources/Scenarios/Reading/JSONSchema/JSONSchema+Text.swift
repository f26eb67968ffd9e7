// Patterns of the JSON Schema for texts in scenario files that have their own syntax.
import BatchmarkEngine
import CoreDataModel

extension JSONSchema {
  /// A number as text: YAML 1.2 reads `1_000` as text, and YAML 1.1 reads `1e5` as text.
  private static let number = "^[+-]?[0-9_.]+([eE][+-]?[0-9]+)?$"

  /// A number above 0 and, if there is a maximum, not above it.
  static func positiveNumber(upTo maximum: Int? = nil) -> JSONSchema {
    var number = JSONSchema(.number)
    number.lowerLimit = 0
    number.maximum = maximum
    return .anyOf([number, .text(matching: "^(?=[0-9_.]*[1-9])[0-9_.]+([eE][+-]?[0-9]+)?$")])
  }

  /// The values of an attribute type, or null; `nil` if any text may be a value.
  static func form(of type: AttributeType) -> JSONSchema? {
    func integers(_ range: ClosedRange<Int>) -> JSONSchema {
      .anyOf([.integers(range), .text(matching: "^[+-]?[0-9_]+$"), JSONSchema(.null)])
    }
    switch type {
    case .int16: return integers(Int(Int16.min)...Int(Int16.max))
    case .int32: return integers(Int(Int32.min)...Int(Int32.max))
    case .int64: return integers(Int.min...Int.max)
    case .float, .double, .decimal: return .anyOf([JSONSchema(.number, .null), .text(matching: number)])
    case .date: return .anyOf([JSONSchema(.null), .text(matching: "^[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}")])
    case .string, .boolean, .binary, .transformable, .uuid, .uri: return nil
    }
  }

  /// A duration above 0 and up to a day.
  ///
  /// The limit does not apply to numbers with underscores.
  static var duration: JSONSchema {
    let grouped = "[0-9]+(_[0-9]+)+(\\.[0-9]+)?"
    func up(to most: String, _ below: String, _ unit: String) -> String {
      "(0*(\(most)(\\.0+)?|(\(below))(\\.[0-9]+)?)|\(grouped)) *\(unit)"
    }
    let units = [
      up(to: "24", "2[0-3]|[01]?[0-9]", "h"), up(to: "1440", "14[0-3][0-9]|1[0-3][0-9]{2}|[0-9]{1,3}", "min"),
      up(to: "86400", "86[0-3][0-9]{2}|8[0-5][0-9]{3}|[0-7]?[0-9]{1,4}", "s"),
      up(to: "86400000", "86[0-3][0-9]{5}|8[0-5][0-9]{6}|[0-7]?[0-9]{1,7}", "ms"),
    ]
    return .text(matching: "^(?=[0-9_.]*[1-9])(\(units.joined(separator: "|")))$")
  }
}

extension ScenarioSchema {
  /// A metric of a cell, a comparison, and a number with its unit or a metric of the same kind.
  var budgets: JSONSchema {
    let number = "\\+?[0-9]+(_[0-9]+)*(\\.[0-9]+(_[0-9]+)*)?"
    let forms = [MetricKind.time, .bytes, .number].compactMap { kind -> JSONSchema? in
      let names = metrics.filter { $0.kind == kind }.flatMap { [$0.name, $0.column] }
      guard !names.isEmpty else { return nil }
      let figure = "[^\\s<>*≤≥]+\\.(\(names.joined(separator: "|")))"
      let units = kind.units.map(\.name).joined(separator: "|")
      let amount = units.isEmpty ? number : "\(number)\\s*(\(units))"
      let other = "(\(number)\\s*\\*\\s*)?\(figure)"
      return .text(matching: "^\\s*\(figure)\\s*(<=|>=|==|<|>)\\s*(\(amount)|\(other))\\s*$")
    }
    var schema = JSONSchema.list(of: .anyOf(forms), least: 1)
    schema.mostItems = ScenarioSections.mostBudgets
    return schema
  }
}

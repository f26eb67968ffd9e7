// One key of a sweep: the meanings of its values, and where a single value would be in the file.
import BatchmarkEngine

/// A key of a sweep and its values.
struct SweepAxis {
  /// What the key is a setting of.
  enum Subject {
    /// A setting of the source, the store or the scenario. Every cell gets each of the values.
    case condition
    /// A setting of a strategy. Cells that have the key get each of the values.
    case parameter
    /// A parameter of every strategy: the reader that has the store open at the same time.
    case reader
  }

  let key: ScenarioKey
  let place: SourceLocation
  /// The values as written; those of a condition with their meanings.
  let values: [(node: YAMLNode, meaning: ParameterValue?)]

  var name: String { key.name }

  var subject: Subject {
    if key.location != .cell { return .condition }
    return key.name == ParameterKey.reader.name ? .reader : .parameter
  }

  /// The value with a given meaning, as written.
  func node(meaning: ParameterValue?) -> YAMLNode? { values.first { $0.meaning == meaning }?.node }

  /// The path of the value in a scenario without a sweep; empty for a strategy's parameter.
  var path: [String] { key.path ?? [] }

  /// The most cells that a sweep may produce, far more than a run could measure.
  static let mostCells = 1_000
}

/// One value for each of some axes, the last axis varying fastest.
struct SweepCombination {
  var values: [(axis: SweepAxis, node: YAMLNode, meaning: ParameterValue?)] = []

  /// All combinations of the axes' values; without axes, a single empty one.
  static func all(of axes: [SweepAxis]) -> [SweepCombination] {
    axes.reduce([SweepCombination()]) { combinations, axis in
      combinations.flatMap { combination in
        axis.values.map { value in
          var longer = combination
          longer.values.append((axis: axis, node: value.node, meaning: value.meaning))
          return longer
        }
      }
    }
  }

  /// The first value of each axis.
  static func first(of axes: [SweepAxis]) -> SweepCombination {
    SweepCombination(
      values: axes.compactMap { axis in axis.values.first.map { (axis: axis, node: $0.node, meaning: $0.meaning) } })
  }

  /// The values that apply to a cell's source, store and scenario.
  var conditions: [String: ParameterValue] {
    values.reduce(into: [:]) { conditions, value in
      if value.axis.subject == .condition { conditions[value.axis.name] = value.meaning }
    }
  }
}

// One key of a sweep: what its values mean and where they would stand if there were one alone.
import BatchmarkEngine

/// A key of a sweep and its values.
struct SweepAxis {
  /// Whose setting the key is.
  enum Subject {
    /// The source's, the store's or the scenario's: every cell has each of the values.
    case condition
    /// A strategy's: cells that know the key have each of the values.
    case parameter
    /// A parameter of every strategy that is about the store: what else has it open.
    case reader
  }

  let key: ScenarioKey
  let place: SourceLocation
  /// The values as they were written; those of a condition with what they mean.
  let values: [(node: YAMLNode, meaning: ParameterValue?)]

  var name: String { key.name }

  var subject: Subject {
    if key.location != .cell { return .condition }
    return key.name == ParameterKey.reader.name ? .reader : .parameter
  }

  /// The value that means something, as it was written.
  func node(meaning: ParameterValue?) -> YAMLNode? { values.first { $0.meaning == meaning }?.node }

  /// The path of the value in a scenario without a sweep; empty for a strategy's parameter.
  var path: [String] { key.path ?? [] }

  /// The most cells that a sweep may make: far more than a run could measure.
  static let mostCells = 1_000
}

/// One value of each axis of some, the last axis varying fastest.
struct SweepCombination {
  var values: [(axis: SweepAxis, node: YAMLNode, meaning: ParameterValue?)] = []

  /// All combinations of the axes' values; a single empty one without axes.
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

  /// What it means for a cell's source, store and scenario.
  var conditions: [String: ParameterValue] {
    values.reduce(into: [:]) { conditions, value in
      if value.axis.subject == .condition { conditions[value.axis.name] = value.meaning }
    }
  }
}

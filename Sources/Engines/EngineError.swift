// What can go wrong between a cell and its engine.
internal import Scenarios
internal import Workloads

/// An error of a built-in engine.
enum EngineError: Error, CustomStringConvertible {
  case unknownStrategy(String, expected: [String])
  case checkpointIncomplete

  var description: String {
    switch self {
    case .unknownStrategy(let found, let expected):
      "found the strategy '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .checkpointIncomplete: "the checkpoint left frames in the WAL; another connection holds a snapshot"
    }
  }

  /// The complaint about a cell whose strategy the engine does not have for its operation.
  static func unknownStrategy(of cell: Cell, engine: some Engine) -> EngineError {
    .unknownStrategy(
      cell.strategy, expected: engine.strategies.filter { $0.operation == cell.operation }.map(\.name))
  }
}

// What a cell is called in reports, and what its role says of it.
package import Scenarios

extension Cell {
  /// The name in a report on one scenario: strategy and parameters, after the engine unless it is ObjectGraph.
  package var label: String {
    let list = parametersText
    let named = strategy + (list.isEmpty ? "" : "[\(list)]")
    return isObjectGraph ? named : "\(engine)/\(named)"
  }

  /// Whether the cell stores through the object graph, whose strategies are what a report compares first.
  package var isObjectGraph: Bool { isSave || isBatch }

  /// Whether rows are saved object by object.
  package var isSave: Bool { role == .objectByObject }

  /// Whether rows are inserted in batches that pass by the context.
  package var isBatch: Bool { role.isBatch }

  /// Whether times are given as multiples of this cell's: that of the role without a parameter, but for the one that says
  /// which work is done.
  package var isReference: Bool {
    role == .reference && ownParameters.keys.allSatisfy { $0 == ParameterKey.relationships.name }
  }

  /// Whether another cell's times are given as multiples of this one's: the reference that did the same work.
  package func isReference(of other: Cell) -> Bool { isReference && conditions == other.conditions }

  /// Whether the cell is there to show what the harness costs, and not how rows are best stored.
  package var showsHarnessCost: Bool { role == .harnessCost || attachment != nil }
}

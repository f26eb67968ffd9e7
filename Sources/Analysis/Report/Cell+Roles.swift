// A cell's name in reports, and the meaning of its role.
package import BatchmarkEngine

extension Cell {
  /// The name in a report on one scenario: strategy and parameters, preceded by the engine unless it is the default
  /// one.
  package var label: String {
    let list = parametersText
    let named = strategy + (list.isEmpty ? "" : "[\(list)]")
    return isNamedWithoutEngine ? named : "\(engine)/\(named)"
  }

  /// Whether a report compares the cell first, because it stores objects, one by one or in batches, with the default
  /// engine.
  package var isRankedFirst: Bool { (isSave || isBatch) && isNamedWithoutEngine }

  /// Files that do not record the default engine have only one engine with these roles.
  private var isNamedWithoutEngine: Bool { isOfDefaultEngine ?? (isSave || isBatch) }

  /// Whether rows are saved object by object.
  package var isSave: Bool { role == .objectByObject }

  /// Whether rows are inserted in batches that bypass the context.
  package var isBatch: Bool { role.isBatch }

  /// Whether times are multiples of this cell's: it has the reference role, and no parameter except the one that
  /// determines the work.
  package var isReference: Bool {
    role == .reference && ownParameters.keys.allSatisfy { $0 == ParameterKey.relationships.name }
  }

  /// Whether another cell's times are multiples of this cell's: it is the reference for the same work.
  package func isReference(of other: Cell) -> Bool { isReference && conditions == other.conditions }

  /// Whether the cell shows the harness's cost and not how to store rows.
  package var showsHarnessCost: Bool { role == .harnessCost || attachment != nil }
}

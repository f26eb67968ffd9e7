// A cell's name in reports, and what its role means for it.
package import BatchmarkEngine

extension Cell {
  /// The name in a report on one scenario: strategy and parameters, after the engine unless it is the default one.
  package var label: String {
    let list = parametersText
    let named = strategy + (list.isEmpty ? "" : "[\(list)]")
    return isNamedWithoutEngine ? named : "\(engine)/\(named)"
  }

  /// Whether a report compares the cell first: it stores objects, one by one or in batches, with the default engine.
  package var isRankedFirst: Bool { (isSave || isBatch) && isNamedWithoutEngine }

  /// Files that do not say which engine was the default have one engine with these roles.
  private var isNamedWithoutEngine: Bool { isOfDefaultEngine ?? (isSave || isBatch) }

  /// Whether rows are saved object by object.
  package var isSave: Bool { role == .objectByObject }

  /// Whether rows are inserted in batches that pass by the context.
  package var isBatch: Bool { role.isBatch }

  /// Whether times are given as multiples of this cell's: the cell with the reference role and no parameter except the one that
  /// decides which work is done.
  package var isReference: Bool {
    role == .reference && ownParameters.keys.allSatisfy { $0 == ParameterKey.relationships.name }
  }

  /// Whether another cell's times are given as multiples of this one's: the reference that did the same work.
  package func isReference(of other: Cell) -> Bool { isReference && conditions == other.conditions }

  /// Whether the cell is there to show what the harness costs, and not how rows are best stored.
  package var showsHarnessCost: Bool { role == .harnessCost || attachment != nil }
}

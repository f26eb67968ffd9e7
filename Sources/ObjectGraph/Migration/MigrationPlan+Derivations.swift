// Derived attributes in a plan: computes values that are new, or have another derivation now.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MigrationPlan {
  /// Computes derived values of existing rows, once there are indexes for looking up related rows.
  mutating func deriveValues() {
    for table in tables where table.origin != nil {
      for entity in table.entities {
        let layout = matching.destination.layouts[entity.index]
        for (slot, derivation) in layout.derivations {
          let attribute = layout.attributes[slot]
          let origin = matching.attribute(attribute.name, of: entity.index)
          if let origin, origin.derivationExpression == attribute.derivationExpression { continue }
          guard let column = layout.slots[slot].columnName,
            let value = sql(of: derivation, layout, isKept: origin != nil)
          else { continue }
          add("UPDATE \(table.name) SET \(column) = \(value) WHERE Z_ENT = \(entity.newNumber)")
        }
      }
    }
  }

  /// A derivation over the updated row; `nil` if the row's value stays.
  private func sql(of derivation: Derivation, _ layout: EntityLayout, isKept: Bool) -> String? {
    let row = "\(layout.tableName).Z_PK"
    switch derivation {
    case .now: return isKept ? nil : AttributeValue.date(Date()).literal
    case .value(let slot, let form):
      return layout.slots[slot].columnName.map { MigrationPlan.apply(form, to: $0) }
    case .destination(let slot, let attribute, let form):
      guard let toOne = layout.slots[slot].toOne, let value = column(attribute, of: toOne.destinationIndex) else {
        return nil
      }
      return "(SELECT \(MigrationPlan.apply(form, to: "d.\(value)")) FROM \(toOne.destinationTable) d "
        + "WHERE d.Z_PK = \(layout.tableName).\(toOne.keyColumn))"
    case .count(let index):
      switch layout.toManyRelationships[index].storage {
      case .inverseKey(let key): return "(SELECT count(*) FROM \(key.table) d WHERE d.\(key.keyColumn) = \(row))"
      case .join(let ends): return "(SELECT count(*) FROM \(ends.table) j WHERE j.\(ends.sourceColumn) = \(row))"
      }
    case .aggregate(let aggregate, let index, let attribute):
      let toMany = layout.toManyRelationships[index]
      guard let value = column(attribute, of: toMany.destinationIndex) else { return nil }
      // For no rows, SQL's sum is null, but Core Data's is 0.
      let result = aggregate == .sum ? "coalesce(sum(d.\(value)), 0)" : "\(aggregate.rawValue)(d.\(value))"
      switch toMany.storage {
      case .inverseKey(let key): return "(SELECT \(result) FROM \(key.table) d WHERE d.\(key.keyColumn) = \(row))"
      case .join(let ends):
        return "(SELECT \(result) FROM \(ends.table) j JOIN \(toMany.destinationTable) d "
          + "ON d.Z_PK = j.\(ends.destinationColumn) WHERE j.\(ends.sourceColumn) = \(row))"
      }
    }
  }

  private func column(_ attribute: String, of entity: Int) -> String? {
    let layout = matching.destination.layouts[entity]
    return layout.slot(named: attribute).flatMap { layout.slots[$0].columnName }
  }

  // MARK: - Texts

  private static func apply(_ form: Derivation.TextForm?, to value: String) -> String {
    form.map { "\(function($0))(\(value))" } ?? value
  }

  private static func function(_ form: Derivation.TextForm) -> String { "objectgraph_\(form.rawValue.dropLast())" }

  /// Creates the functions that statements of a plan call.
  static func createFunctions(_ connection: Connection) throws(SQLiteError) {
    for form in Derivation.TextForm.allCases {
      try connection.createFunction(function(form), argumentCount: 1) { arguments in
        guard let text = arguments.string(0), case .string(let changed) = form.apply(to: .string(text)) else {
          return .null
        }
        return .text(changed)
      }
    }
  }
}

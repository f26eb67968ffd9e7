// One-to-one relationships have a column at either end, and the two may disagree: of real stores some have but one filled.
import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

/// The pairs of one-to-one relationships as objects would have them, each at both ends.
enum OneToOne {
  /// A row, by its table and its number there.
  private struct Row: Hashable {
    let table: Int
    let row: Int
  }

  /// The same relationships; every one-to-one has a pair wherever either end names the other.
  ///
  /// Of rows that are named by several the first has it, as only one can. O(pairs).
  static func matched(_ relationships: [RelatedRows]) -> [RelatedRows] {
    var partners: [String: [Row: Row]] = [:]
    for related in relationships {
      guard let ends = ends(of: related) else { continue }
      for pair in related.pairs {
        let (row, other) = (
          Row(table: related.table, row: pair.row), Row(table: pair.destinationTable, row: pair.destinationRow)
        )
        guard partners[ends.there]?[row] == nil, partners[ends.back]?[other] == nil else { continue }
        partners[ends.there, default: [:]][row] = other
        partners[ends.back, default: [:]][other] = row
      }
    }
    return relationships.map { related in
      guard let ends = ends(of: related) else { return related }
      let pairs = (partners[ends.there] ?? [:]).filter { $0.key.table == related.table }
        .sorted { $0.key.row < $1.key.row }
        .map { RelatedRows.Pair(row: $0.key.row, destinationTable: $0.value.table, destinationRow: $0.value.row) }
      return RelatedRows(
        table: related.table, relationship: related.relationship, inverse: related.inverse, pairs: pairs)
    }
  }

  /// What names either end of a one-to-one relationship, whichever table it is seen from; nil for any other.
  private static func ends(of related: RelatedRows) -> (there: String, back: String)? {
    guard !related.relationship.isToMany, let inverse = related.inverse, !inverse.isToMany else { return nil }
    let there = "\(related.relationship.name)>\(related.relationship.destinationEntityName)"
    let back = "\(inverse.name)>\(inverse.destinationEntityName)"
    return ("\(there)|\(back)", "\(back)|\(there)")
  }
}

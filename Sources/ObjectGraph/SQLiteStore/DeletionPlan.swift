// The effects of a model's delete rules on the deletion of an entity's rows, as statements over sets of rows.
internal import CoreDataModel

/// The statements of a batch delete.
///
/// Rows to delete are listed in a temporary table by the number of their hierarchy's root and their key. The rules have
/// the same effect as deleting the objects one by one in a context.
struct DeletionPlan {
  /// A query that must return 0.
  struct Refusal {
    let reason: DeletionRefusal
    let relationship: String
    let destination: EntityLayout
    let count: String
  }

  /// Clears the keys in rows that stay.
  struct Nullification {
    let destination: EntityLayout
    /// The relationship that is cleared.
    let relationship: String
    /// The rows.
    let keys: String
    let sql: String
  }

  private static let list = "temp.OG_DELETED"

  /// Creates the list if it does not exist, and empties it.
  static let emptyList = [
    "CREATE TEMP TABLE IF NOT EXISTS OG_DELETED (ROOT INTEGER, Z_PK INTEGER, PRIMARY KEY (ROOT, Z_PK)) WITHOUT ROWID",
    "DELETE FROM \(list)",
  ]
  static let forgetList = "DELETE FROM \(list)"

  private let start: EntityLayout
  /// The roots of the hierarchies with rows to delete, the request's own first.
  private(set) var roots: [EntityLayout] = []
  private var cascades: [Cascade] = []
  private(set) var refusals: [Refusal] = []
  private(set) var nullifications: [Nullification] = []
  private(set) var joinDeletions: [String] = []

  /// Whether only the rows themselves are affected.
  var isEmpty: Bool { cascades.isEmpty && refusals.isEmpty && nullifications.isEmpty && joinDeletions.isEmpty }

  init(_ layout: EntityLayout, _ model: CompiledModel) {
    start = layout
    roots = [model.layouts[layout.rootIndex]]
    var next = 0
    while next < roots.count {
      let root = roots[next]
      next += 1
      for relationship in DeletedRelationship.all(of: root, model) {
        add(relationship)
        if relationship.rule == .cascade, !roots.contains(where: { $0.index == relationship.destination.rootIndex }) {
          roots.append(model.layouts[relationship.destination.rootIndex])
        }
      }
    }
  }

  private mutating func add(_ relationship: DeletedRelationship) {
    if case .join(let ends) = relationship.storage {
      for column in ends.isReflexive ? [ends.sourceColumn, ends.destinationColumn] : [ends.sourceColumn] {
        joinDeletions.append("DELETE FROM \(ends.table) WHERE \(column) \(Self.isListed(relationship.sourceRoot))")
      }
    }
    switch relationship.rule {
    case .noAction: break
    case .cascade: cascades.append(Cascade(relationship))
    case .deny:
      refusals.append(
        Refusal(
          reason: .deny, relationship: relationship.name, destination: relationship.destination,
          count: relationship.countOfSurvivors(Self.list)))
    case .nullify:
      guard let inverse = relationship.inverse else { return }
      let rows =
        "\(inverse.keyColumn) \(Self.isListed(relationship.sourceRoot)) "
        + "AND Z_PK NOT \(Self.isListed(relationship.destination.rootIndex))"
      let table = relationship.destination.tableName
      if !inverse.isOptional {
        refusals.append(
          Refusal(
            reason: .requiredInverse(inverse.name), relationship: relationship.name,
            destination: relationship.destination, count: "SELECT count(*) FROM \(table) WHERE \(rows)"))
      }
      let columns = [inverse.keyColumn, inverse.entityColumn, inverse.orderColumn].compactMap(\.self)
      nullifications.append(
        Nullification(
          destination: relationship.destination, relationship: inverse.name,
          keys: "SELECT Z_PK FROM \(table) WHERE \(rows)",
          sql: "UPDATE \(table) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")), "
            + "Z_OPT = \(StoreTables.nextVersion) WHERE \(rows)"))
    }
  }

  private static func isListed(_ root: Int) -> String { "IN (SELECT Z_PK FROM \(list) WHERE ROOT = \(root))" }

  /// The keys of the rows to delete in a hierarchy.
  static func keys(_ root: EntityLayout) -> String { "SELECT Z_PK FROM \(list) WHERE ROOT = \(root.index)" }

  static func deletion(_ root: EntityLayout) -> String {
    "DELETE FROM \(root.tableName) WHERE Z_PK \(isListed(root.index))"
  }

  /// Lists the rows, and all rows that cascades reach from them, each once.
  func collect(_ rows: SelectedRows) -> SQLFragment {
    let insert: SQLFragment = "INSERT INTO \(raw: Self.list) (ROOT, Z_PK)"
    let seed: SQLFragment = "SELECT \(raw: "\(start.rootIndex)"), Z_PK FROM (\(rows.keys))"
    if cascades.isEmpty { return "\(insert) \(seed)" }
    let steps = cascades.map { " UNION \($0.step)" }.joined()
    return """
      \(insert) WITH RECURSIVE gone (ROOT, Z_PK) AS (\(seed)\(raw: steps)) \
      SELECT ROOT, Z_PK FROM gone
      """
  }
}

/// A step from a deleted row to those that are deleted with it.
private struct Cascade {
  let step: String

  init(_ relationship: DeletedRelationship) {
    let destination = relationship.destination
    // CROSS JOIN keeps the order of the joins, so that each step starts from one deleted row.
    step =
      "SELECT \(destination.rootIndex), d.Z_PK FROM gone g \(relationship.joins(source: "g.Z_PK")) "
      + "WHERE g.ROOT = \(relationship.sourceRoot)"
  }
}

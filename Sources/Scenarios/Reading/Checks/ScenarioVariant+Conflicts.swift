// Rows with the same unique value: whether there can be any, and how they are handled.
internal import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

extension ScenarioVariant {
  /// Checks that, if rows can have the same unique value, the model and the merge policy allow for it.
  func checkConflicts(
    _ section: Section, source: SourceReading, entity: EntityReading, policy: MergePolicy.MergeType?, repeats: Int,
    cells: [PlacedCell]
  ) {
    let (cause, place): (String, SourceLocation)
    if source.duplicates > 0 {
      (cause, place) = ("duplicates of \(percentText(source.duplicates))", source.duplicatesPlace ?? source.place)
    } else if repeats > 1 {
      (cause, place) = ("a repeat of \(repeats)", section["repeat"]?.place ?? section.place)
    } else {
      return
    }
    let name = entity.description.name
    if entity.description.uniquenessConstraints.isEmpty && !entity.hasWrongConstraints {
      diagnose(
        place, found: "\(cause), while no attribute of \(name) is unique",
        expected: "unique: [[code]] in \(name), so that a row can meet its like")
    }
    let policies = MergePolicy.MergeType.allCases.filter { $0 != .error }.map(\.rawValue).joined(separator: ", ")
    if section["merge_policy"] == nil {
      diagnose(
        place, found: "\(cause) and no key 'merge_policy'", expected: "merge_policy: and one of \(policies)")
    } else if policy == .error,
      let save = cells.first(where: {
        $0.cell.operation == .insert && $0.cell.role == .objectByObject
      })
    {
      diagnose(
        section["merge_policy"]?.place ?? save.place,
        found: "the policy 'error' with \(cause), with which the cell \(save.cell.id) would fail",
        expected: "another policy: \(policies)")
    }
  }
}

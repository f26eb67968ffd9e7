// Whether drawn values satisfy the uniqueness constraints of their entity, over all tables of a hierarchy.
import BatchmarkEngine
import CoreDataModel

extension SyntheticSection {
  /// Checks that each constraint has an attribute without repeated values.
  func checkUnique(_ reading: ProfileReading) {
    for stored in reading.entities {
      guard let entity = reading.profile.entities.first(where: { $0.name == stored.name }) else { continue }
      for constraint in stored.uniquenessConstraints {
        guard constraint.contains(where: { name in entity.recipes.contains { $0.name == name } }) else { continue }
        let place = reading.places[stored.name] ?? .wholeFile
        guard let name = constraint.first(where: { isAllDifferent($0, in: entity) }) else {
          let name = constraint.last ?? ""
          diagnose(
            place, found: "the unique attributes \(constraint.joined(separator: ", ")), each of which has values twice",
            expected: "one without, such as \(name): {distinct: \(entity.rows)}")
          continue
        }
        checkHierarchy(name, of: entity, stored, in: reading, at: place)
      }
    }
  }

  private func isAllDifferent(_ name: String, in entity: DataProfile.Entity) -> Bool {
    if let recipe = entity.recipes.first(where: { $0.name == name }) { return recipe.isAllDifferent(of: entity.rows) }
    if let profile = entity.attributes.first(where: { $0.name == name }) {
      return profile.distinct == profile.lengths.count
    }
    // An attribute that is null in every row never conflicts.
    return true
  }

  /// Tables of one hierarchy share a constraint.
  ///
  /// Their values differ only if they are drawn from the same range.
  private func checkHierarchy(
    _ name: String, of entity: DataProfile.Entity, _ stored: StoredEntity, in reading: ProfileReading,
    at place: SourceLocation
  ) {
    guard let recipe = entity.recipes.first(where: { $0.name == name }) else { return }
    let relatives = reading.entities.filter { $0.rootName == stored.rootName && $0.name != stored.name }.map(\.name)
    for other in reading.profile.entities where relatives.contains(other.name) && other.rows > 0 {
      let isAlike = other.recipes.contains { $0.name == name && $0.values == recipe.values && $0.distinct != nil }
      let isAbsent = !other.recipes.contains { $0.name == name } && !other.attributes.contains { $0.name == name }
      if !isAlike && !isAbsent {
        diagnose(
          place, found: "the unique attribute \(shown(name)), which \(other.name) draws from other values",
          expected: "the same range, lengths and characters in both, which share a table")
        return
      }
    }
  }
}

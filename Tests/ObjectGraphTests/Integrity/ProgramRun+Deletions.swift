// Checks which rows a save or a batch request of a random program deletes: all that it must, and no others.
import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  /// Checks that cascaded rows are deleted with their owner and denied ones are not, except for rows whose
  /// relationships the program itself edited.
  func checkDeletions(from old: StoredGraph, isEdited: (StoredGraph.Key) -> Bool) throws {
    for (key, _) in old.rows where stored.rows[key] == nil && !isEdited(key) {
      for relationship in schema.relationships(of: key.root)
      where relationship.rule == .cascade || relationship.rule == .deny {
        for member in old.members(of: key, relationship)
        where member != key && stored.rows[member] != nil && !isEdited(member) {
          throw ProgramMismatch(
            "\(key) is gone, and \(member) of its \(relationship.name), whose rule is \(relationship.rule), is there")
        }
      }
    }
  }

  /// Checks that only a deny rule refuses a deletion, and only if there is an object at the other end.
  func checkDenials(_ failures: [ValidationFailure], of index: Int) throws {
    for failure in failures where failure.code == .relationshipDeniedDelete {
      let relationships = schema.relationships(of: schema.root(Int(failure.objectID.entityIndex)))
      if let relationship = relationships.first(where: { $0.name == failure.key }), relationship.rule != .deny {
        throw ProgramMismatch("the rule of \(relationship.name) is \(relationship.rule), and a save was denied for it")
      }
      guard isUpToDate(index), let object = contexts[index].registeredObject(for: failure.objectID) else { continue }
      let others =
        object.layout.toOneSlot(named: failure.key) == nil
        ? try object.objects(forKey: failure.key) : try object.object(forKey: failure.key).map { [$0] } ?? []
      if !others.contains(where: \.isAlive) {
        throw ProgramMismatch("a save was denied for \(failure.key) of \(object.objectID), where nobody is")
      }
    }
  }

  /// Checks that a denied deletion, or one without action, does not change the objects at the other end.
  func checkLeftAlone(_ index: Int, _ objects: [ManagedObject]) throws {
    let living = Dictionary(objects.compactMap { object in key(object).map { ($0, object) } }) { first, _ in first }
    let touched = keys(edited[index], index)
    for object in contexts[index].deletedObjects {
      guard let key = key(object), !touched.contains(key) else { continue }
      for relationship in schema.relationships(of: key.root)
      where relationship.rule == .deny || relationship.rule == .noAction {
        for member in stored.members(of: key, relationship) where !touched.contains(member) {
          guard let other = living[member], other.state == .stored else { continue }
          let back =
            other.layout.toOneSlot(named: relationship.inverse) == nil
            ? try other.objects(forKey: relationship.inverse)
            : try other.object(forKey: relationship.inverse).map { [$0] } ?? []
          if !back.contains(where: { $0 === object }) {
            throw ProgramMismatch(
              "\(key) is to be deleted in context \(index), and \(member) of its \(relationship.name), whose rule is "
                + "\(relationship.rule), leads to it no longer")
          }
        }
      }
    }
  }

  /// Checks that each row deleted by a save was deleted by the program, deleted with such a row, or removed because of
  /// its code.
  func checkReasons(
    _ index: Int, _ save: PendingSave, _ policy: MergePolicy.MergeType, from old: StoredGraph
  ) throws {
    // Cascades follow what the context knew.
    if isBlind[index] { return }
    let takesOver = model.isUnique && (policy == .objectTrump || policy == .overwrite)
    let touched = keys(asked[index].union(edited[index]), index)
    try checkReasons("a save", from: old) { key, row in
      touched.contains(key)
        || takesOver && isWanted(code(of: key, row, in: save), insteadOf: key, by: save)
    }
  }

  /// Checks the same for a batch request.
  func checkReasons(of action: ProgramStep.Action, _ held: [ManagedObject], from old: StoredGraph) throws {
    try checkReasons("a batch request", from: old) { key, row in
      switch action {
      case .batchDelete(let entity, let below):
        guard case .integer(let value)? = row.values["value"] else { return false }
        return value < below && schema.model.layouts[key.root].entity.name == (entity == "Special" ? "Item" : entity)
      case .batchDeleteObject: return held.contains { self.key($0) == key }
      default: return false
      }
    }
  }

  private func checkReasons(
    _ what: String, from old: StoredGraph, isReason: (StoredGraph.Key, StoredGraph.Row) -> Bool
  ) throws {
    let gone = old.rows.filter { stored.rows[$0.key] == nil }
    if gone.isEmpty { return }
    var explained = Set(gone.filter { isReason($0.key, $0.value) }.map(\.key))
    var next = Array(explained)
    while let key = next.popLast() {
      for relationship in schema.relationships(of: key.root) where relationship.rule == .cascade {
        for member in old.members(of: key, relationship) where explained.insert(member).inserted { next.append(member) }
      }
    }
    if let key = gone.keys.sorted().first(where: { !explained.contains($0) }) {
      throw ProgramMismatch("\(what) deleted \(key), for no reason: \(old.show(key))")
    }
  }

  // MARK: Knowledge about a context's deletions

  /// Records deletions of contexts that do not know all changes that others stored.
  func noteBlindness() {
    for index in contexts.indices where !isUpToDate(index) && !contexts[index].deletedObjects.isEmpty {
      isBlind[index] = true
    }
  }

  /// A child's deletions become its parent's when it is saved.
  func handDeletions(of index: Int, to parent: Int) {
    asked[parent].formUnion(asked[index])
    isBlind[parent] = isBlind[parent] || isBlind[index] || !isUpToDate(index)
    asked[index] = []
    isBlind[index] = false
  }
}

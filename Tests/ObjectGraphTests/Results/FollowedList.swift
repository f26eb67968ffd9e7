// A controller and a mirror that only applies the controller's reports; both must equal a fresh fetch.
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

/// Rows that a delegate updates only with the reported changes.
final class ListMirror: FetchedResultsControllerDelegate {
  typealias Rows = [(name: String, objectIDs: [ManagedObjectID])]
  private(set) var rows: Rows
  private var sections: [FetchedSectionChange] = []
  private var changes: [FetchedResultsChange] = []
  private(set) var failure: ObjectGraphError?
  /// The broken rules.
  private(set) var faults: [String] = []
  /// The number of changes of each kind.
  private(set) var told: [String: Int] = [:]
  private var isBetween = false

  init(_ controller: FetchedResultsController<ManagedObject>) { rows = Self.rows(controller.snapshot) }

  static func rows(_ snapshot: FetchedResultsSnapshot) -> Rows { snapshot.sections.map { ($0.name, $0.objectIDs) } }

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    if isBetween { faults.append("a change within a change") }
    isBetween = true
    let before = Self.rows(controller.snapshot)
    if before.map(\.objectIDs).map(\.count) != rows.map(\.objectIDs).map(\.count) { faults.append("new rows at will") }
    (sections, changes) = ([], [])
  }

  func controller(_ controller: FetchedResultsController<ManagedObject>, didChange section: FetchedSectionChange) {
    if !changes.isEmpty { faults.append("a section after objects") }
    sections.append(section)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    _ change: FetchedResultsChange
  ) {
    if object.objectID != change.objectID { faults.append("\(object.objectID) with \(change)") }
    changes.append(change)
  }

  func controller(_ controller: FetchedResultsController<ManagedObject>, didFailWith failure: ObjectGraphError) {
    self.failure = failure
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    isBetween = false
    if sections.isEmpty && changes.isEmpty { faults.append("nothing was reported") }
    let ids = changes.map(\.objectID)
    if Set(ids).count != ids.count { faults.append("an object in two changes: \(changes)") }
    let old = rows
    apply()
    for case .move(let objectID, let from, let to) in changes {
      if from == to, old[from.section].name == rows[to.section].name { faults.append("\(objectID) to itself") }
    }
    for change in changes {
      let kind = "\(change)".prefix { $0 != "(" }
      told[String(kind), default: 0] += 1
    }
    for section in sections { told["section \("\(section)".prefix { $0 != "(" })", default: 0] += 1 }
  }

  /// Removals from the end and insertions from the beginning, like Core Data's users do.
  private func apply() {
    var gone: [FetchedIndexPath] = []
    var come: [(FetchedIndexPath, ManagedObjectID)] = []
    for change in changes {
      switch change {
      case .delete(_, let path): gone.append(path)
      case .insert(let objectID, let path): come.append((path, objectID))
      case .move(let objectID, let from, let to):
        gone.append(from)
        come.append((to, objectID))
      case .update: break
      }
    }
    for path in gone.sorted().reversed() { rows[path.section].objectIDs.remove(at: path.item) }
    for case .delete(let name, let index) in sections {
      let section = rows.remove(at: index)
      if !section.objectIDs.isEmpty || section.name != name { faults.append("section \(name) was not empty") }
    }
    for case .insert(let name, let index) in sections { rows.insert((name, []), at: index) }
    for (path, objectID) in come.sorted(by: { $0.0 < $1.0 }) {
      rows[path.section].objectIDs.insert(objectID, at: path.item)
    }
    for case .update(let objectID, _, let path) in changes { rows[path.section].objectIDs[path.item] = objectID }
  }
}

/// A controller that is compared with a fresh fetch.
final class FollowedList {
  let name: String
  let controller: FetchedResultsController<ManagedObject>
  let mirror: ListMirror
  private var snapshot: FetchedResultsSnapshot
  private var flat: [ManagedObjectID]
  /// Report a fault only once.
  private var isBroken = false

  /// Call this on the context's queue.
  init(
    _ name: String, _ request: FetchRequest<ManagedObject>, section: String? = nil, _ context: ManagedObjectContext
  ) throws {
    self.name = name
    controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section)
    try controller.performFetch()
    mirror = ListMirror(controller)
    snapshot = controller.snapshot
    flat = snapshot.objectIDs
    controller.delegate = mirror
    let told = controller.follower?.didChange
    controller.follower?.didChange = { [unowned self] transition in
      told?(transition)
      snapshot.apply(transition)
      let difference = transition.difference
      if let applied = flat.applying(difference) { flat = applied } else { Issue.record("\(difference)") }
    }
  }

  /// Checks that all reports about the rows agree with a fresh fetch.
  func check(_ place: @autoclosure () -> String) throws {
    let context = controller.managedObjectContext
    if isBroken { return }
    // A fetch orders by the stored values of other objects, unless the objects themselves are unsaved.
    if name == "joined", context.updatedObjects.contains(where: { $0.entity.name == "Box" }) { return }
    let found = try context.fetch(controller.fetchRequest)
    var expected: [(name: String, objectIDs: [ManagedObjectID])] = []
    if controller.sectionNameKeyPath == nil { expected.append(("", [])) }
    for object in found {
      let name = controller.sectionNameKeyPath.map { FollowedList.name(object, $0) } ?? ""
      if expected.last?.name != name { expected.append((name, [])) }
      expected[expected.count - 1].objectIDs.append(object.objectID)
    }
    func same(_ rows: ListMirror.Rows, _ what: String) {
      // An obtained permanent ID is reported with the next change.
      let settled = rows.map { $0.objectIDs.map(context.settled) }
      if rows.map(\.name) == expected.map(\.name), settled == expected.map(\.objectIDs) { return }
      isBroken = true
      func show(_ rows: ListMirror.Rows) -> String {
        rows.map { row in
          row.name + ":"
            + row.objectIDs.map { ($0.isTemporaryID ? "t" : "p") + "\($0.key.magnitude)" }
            .joined(separator: " ")
        }.joined(separator: " | ")
      }
      Issue.record("\(name), \(what), \(place()):\n  is        \(show(rows))\n  should be \(show(expected))")
    }
    same(ListMirror.rows(controller.snapshot), "controller")
    same(mirror.rows, "delegate's changes")
    same(ListMirror.rows(snapshot), "transitions")
    #expect(flat.map(context.settled) == expected.flatMap(\.objectIDs), "\(name), difference, \(place())")
    #expect(mirror.faults == [], "\(name), \(place())")
    #expect(mirror.failure == nil && controller.failure == nil, "\(name), \(place())")
    #expect(
      controller.sections.map(\.name) == expected.map(\.name)
        && controller.sections.map(\.numberOfObjects) == expected.map(\.objectIDs.count), "\(name), \(place())")
  }

  /// Checks that the objects at their index paths, and the index paths of objects, are those of the rows.
  func checkObjects(_ place: @autoclosure () -> String) {
    for (section, row) in mirror.rows.enumerated() {
      for (item, objectID) in row.objectIDs.enumerated() {
        let path = FetchedIndexPath(section: section, item: item)
        let object = controller.object(at: path)
        let settled = controller.managedObjectContext.settled(objectID)
        #expect(
          object?.objectID == settled && object.flatMap(controller.indexPath(for:)) == path, "\(name), \(place())")
      }
    }
  }

  private static func name(_ object: ManagedObject, _ path: String) -> String {
    let value = try? PredicateEvaluator(.constant(true)).value(of: FetchPath(path), PredicateScope(subject: object))
    return value?.sectionName ?? "?"
  }
}

// A controller of dictionaries and rows that only apply its reports; both must equal a fresh fetch.
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

/// A controller of dictionaries that is compared with a fresh fetch.
final class FollowedDictionaries {
  let name: String
  let controller: FetchedDictionariesController
  private var snapshot: FetchedSnapshot<DictionaryRow>
  private var flat: [DictionaryRow]
  /// The number of changes of each kind.
  private(set) var told: [String: Int] = [:]
  /// Report a fault only once.
  private var isBroken = false

  /// Call this on the context's queue.
  init(
    _ name: String, _ request: FetchRequest<ManagedObject>, section: String? = nil, _ context: ManagedObjectContext
  ) throws {
    self.name = name
    controller = FetchedDictionariesController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section)
    try controller.performFetch()
    snapshot = controller.snapshot
    flat = controller.fetchedDictionaries
    controller.didChange = { [unowned self] in take($0) }
  }

  private func take(_ transition: FetchedTransition<DictionaryRow>) {
    let before = (snapshot, flat)
    snapshot.apply(transition)
    if let applied = flat.applying(transition.difference) { flat = applied } else { Issue.record("\(name)") }
    // A difference removes what was there.
    #expect(flat.applying(transition.difference.inverse()) == before.1, "\(name)")
    for change in transition.changes {
      told[String("\(change)".prefix { $0 != "(" }), default: 0] += 1
      if case .move(_, let from, let to) = change, from == to {
        #expect(before.0.sections[from.section].name != snapshot.sections[to.section].name, "\(name): to itself")
      }
      if case .update(let row, let old, let now) = change {
        #expect(before.0.sections[old.section].items[old.item] != row, "\(name): an update of nothing")
        #expect(snapshot.sections[now.section].items[now.item] == row, "\(name)")
      }
    }
  }

  /// Checks that all reports about the rows agree with a fresh fetch.
  func check(_ place: @autoclosure () -> String) throws {
    if isBroken { return }
    let found = Array(try controller.managedObjectContext.fetchDictionaries(controller.fetchRequest))
    var expected: [(name: String, rows: [DictionaryRow])] = controller.sectionNameKeyPath == nil ? [("", [])] : []
    for row in found {
      let name = controller.sectionNameKeyPath.flatMap { ComparableValue(row[$0]).sectionName } ?? ""
      if expected.last?.name != name { expected.append((name, [])) }
      expected[expected.count - 1].rows.append(row)
    }
    let names: [String] = expected.map(\.name)
    let rows: [[DictionaryRow]] = expected.map(\.rows)
    let sections: [FetchedResultsSectionInfo] = controller.sections
    let isFound: Bool = controller.fetchedDictionaries == found && flat == found && controller.failure == nil
    let isApplied: Bool = snapshot.sections.map(\.name) == names && snapshot.sections.map(\.items) == rows
    let isTold: Bool = sections.map(\.name) == names && sections.map(\.numberOfObjects) == rows.map(\.count)
    let agrees = isFound && isApplied && isTold && controller.snapshot == snapshot
    if agrees { return }
    isBroken = true
    Issue.record("\(name), \(place()): \(controller.failure.map { "\($0)" } ?? "other rows than a fresh fetch")")
  }
}

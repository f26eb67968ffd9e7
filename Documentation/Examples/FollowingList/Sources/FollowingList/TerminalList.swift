// The list: a controller over the view context, whose first rows are shown in the terminal.
import CoreDataModel
import Foundation
import ObjectGraph

/// Follows a store's history, and prints the first rows whenever they may have changed.
@MainActor final class TerminalList {
  private let container: PersistentContainer
  private let controller: FetchedResultsController<Quake>
  private var known: PersistentHistoryToken?
  private(set) var transitions = 0
  /// Whether the list replaces the previous one, as in a terminal.
  private let isDrawnInPlace: Bool

  init(_ path: String) throws {
    container = try openQuakes(at: path)
    controller = FetchedResultsController(
      fetchRequest: strongQuakes(), managedObjectContext: container.viewContext)
    isDrawnInPlace = isatty(STDOUT_FILENO) == 1
    // Take the token before the fetch, so that no change is missed between the two.
    known = try container.persistentStoreCoordinator.currentPersistentHistoryToken()
    try controller.performFetch()
  }

  /// Follows until the task is cancelled.
  func follow() async throws {
    show([])
    let news = controller.transitions()
    let drawing = Task { for await transition in news { show(transition.changes) } }
    defer { drawing.cancel() }
    for await _ in container.persistentStoreCoordinator.remoteChanges() { try merge() }
    // Merge what was stored since the last notification, and draw it: a cancelled stream still delivers what it holds.
    try merge()
    drawing.cancel()
    await drawing.value
  }

  /// Whether the list equals the result of a fetch.
  func agreesWithStore() throws -> Bool {
    let fresh = container.newBackgroundContext()
    let stored = try fresh.performAndWait { try fresh.fetch(strongQuakes()).map { $0[Quake.code] } }
    return controller.fetchedObjects.map { $0[Quake.code] } == stored
  }

  private func merge() throws {
    known = try container.persistentStoreCoordinator.mergeHistory(after: known, into: [container.viewContext])
    if let failure = controller.failure { throw failure }
  }

  private func show(_ changes: [FetchedResultsChange]) {
    transitions += changes.isEmpty ? 0 : 1
    let quakes = controller.fetchedObjects
    guard isDrawnInPlace else {
      if !changes.isEmpty { print("\(quakes.count) strong quakes, \(changes.count) changes") }
      return
    }
    print("\u{1B}[H\u{1B}[2J\(quakes.count) strong quakes, newest first")
    for quake in quakes.prefix(15) {
      let magnitude = quake[Quake.magnitude].map { String(format: "%.1f", $0) } ?? ""
      print("  \(magnitude)  \(quake[Quake.time]?.formatted(.iso8601) ?? "")  \(quake[Quake.place] ?? "")")
    }
  }
}

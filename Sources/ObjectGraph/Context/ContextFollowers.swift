// Contexts that merge the saves of others automatically.
internal import Support
internal import Synchronization

/// Contexts that follow each other's saves, those of a coordinator or the children of a context, or that are
/// notified of permanent IDs.
final class ContextFollowers: Sendable {
  private struct Follower {
    weak var context: ManagedObjectContext?
  }

  private let followers = Lock<[Follower]>([])

  /// Whether any context follows saves.
  var isEmpty: Bool { followers.withLock { $0.isEmpty } }

  func contains(_ context: ManagedObjectContext) -> Bool {
    followers.withLock { $0.contains { $0.context === context } }
  }

  func follow(_ context: ManagedObjectContext, _ isWanted: Bool) {
    followers.withLock { followers in
      followers.removeAll { $0.context == nil || $0.context === context }
      if isWanted { followers.append(Follower(context: context)) }
    }
  }

  /// Those that are still there.
  var all: [ManagedObjectContext] { followers.withLock { $0.compactMap(\.context) } }

  /// Has every follower but the one that saved merge the save on its own queue.
  func tell(_ notification: ContextNotification, from saver: ManagedObjectContext) {
    for context in all where context !== saver {
      // An object that cannot be read now will be read when its fault is filled.
      context.perform(later: { try? context.mergeChanges(fromContextDidSave: notification) })
    }
  }
}

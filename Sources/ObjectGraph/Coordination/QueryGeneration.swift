// Query generations: the stored content at one moment, for the contexts that are pinned to it.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// Identifies a query generation: the content of a coordinator's stores at one moment.
///
/// ``current`` means their content when a context next reads; every other token comes from
/// ``ManagedObjectContext/queryGenerationToken``. A generation exists while a context is pinned to it or its token is
/// held. While a token is held, each store's WAL cannot restart and keeps growing. Release tokens early.
///
/// ```swift
/// try context.setQueryGeneration(from: .current)
/// let count = try context.count(for: FetchRequest(entityName: "Quake"))
/// let token = context.queryGenerationToken  // gives other contexts the same generation
/// ```
public struct QueryGenerationToken: Sendable, Hashable {
  /// `nil` for the current generation.
  let generation: QueryGeneration?

  /// The content at the next read.
  public static let current = QueryGenerationToken(generation: nil)

  public static func == (left: QueryGenerationToken, right: QueryGenerationToken) -> Bool {
    left.generation === right.generation
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(generation.map { ObjectIdentifier($0) }) }
}

/// The content of a coordinator's stores at the first read.
///
/// All contexts pinned to it share one reading connection per store, which one thread at a time may use, and one row
/// cache.
final class QueryGeneration: MultiStoreReader {
  let coordinator: PersistentStoreCoordinator
  let rowCache: RowCache
  /// Empty before the first read.
  private let opened = Lock<[SQLiteReader]>([])

  init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    rowCache = RowCache(coordinator.compiledModel)
  }

  var compiledModel: CompiledModel { coordinator.compiledModel }

  func readers() throws(ObjectGraphError) -> [SQLiteReader] {
    try opened.withLock { (opened) throws(ObjectGraphError) in
      if opened.isEmpty {
        opened = try coordinator.openStores.map { (store) throws(ObjectGraphError) in try store.generation() }
      }
      if opened.isEmpty { throw .noStore }
      return opened
    }
  }
}

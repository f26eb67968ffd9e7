// What happens when two writers, or two rows with one unique value, meet.

/// How a save or a batch insert resolves conflicts, under Core Data's names.
public struct MergePolicy: Sendable, Hashable {
  /// The built-in resolutions.
  public enum MergeType: String, Sendable, Hashable, CaseIterable, Codable {
    /// A save fails and says which objects conflict; a batch insert skips the row.
    case error
    /// The store's row stays; what is in memory gives way.
    case storeTrump = "store_trump"
    /// What is in memory wins, property by property; for a new object that is every property.
    case objectTrump = "object_trump"
    /// The whole object in memory is written.
    case overwrite
    /// The changes in memory are dropped.
    case rollback
  }

  public let mergeType: MergeType
  /// A user's own way with optimistic locking conflicts.
  let resolver: ConflictResolver?

  public init(mergeType: MergeType) {
    self.mergeType = mergeType
    resolver = nil
  }

  /// A policy of one's own: `resolve` decides about each row that another writer changed or deleted; taken unique
  /// values are met as `mergeType` says.
  public init(mergeType: MergeType, resolve: @escaping @Sendable (MergeConflict) -> MergeResolution) {
    self.mergeType = mergeType
    resolver = ConflictResolver(resolve)
  }

  public static let error = MergePolicy(mergeType: .error)
  public static let mergeByPropertyStoreTrump = MergePolicy(mergeType: .storeTrump)
  public static let mergeByPropertyObjectTrump = MergePolicy(mergeType: .objectTrump)
  public static let overwrite = MergePolicy(mergeType: .overwrite)
  public static let rollback = MergePolicy(mergeType: .rollback)
}

/// A user's function with an identity, so that policies can be compared.
final class ConflictResolver: Sendable, Hashable {
  let resolve: @Sendable (MergeConflict) -> MergeResolution

  init(_ resolve: @escaping @Sendable (MergeConflict) -> MergeResolution) { self.resolve = resolve }

  static func == (left: ConflictResolver, right: ConflictResolver) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// What happens when two writers, or two rows with one unique value, meet.

/// How a save or a batch insert resolves conflicts, under Core Data's names.
///
/// ```swift
/// context.mergePolicy = .mergeByPropertyStoreTrump  // what others stored wins, other changes stay
/// try context.save()
/// ```
public struct MergePolicy: Sendable, Hashable {
  /// The built-in resolutions.
  ///
  /// ```swift
  /// if let type = MergePolicy.MergeType(rawValue: "store_trump") {
  ///   context.mergePolicy = MergePolicy(mergeType: type)
  /// }
  /// ```
  public enum MergeType: String, Sendable, Hashable, CaseIterable, Codable {
    /// A save fails and says which objects conflict; a batch insert skips the row.
    case error
    /// The store's row stays, and the changes in memory are dropped.
    case storeTrump = "store_trump"
    /// What is in memory wins, property by property; for a new object that is every property.
    case objectTrump = "object_trump"
    /// The whole object in memory is written.
    case overwrite
    /// The changes in memory are dropped.
    case rollback
  }

  /// What is done about taken unique values, and about others' changes unless the policy has a function for them.
  public let mergeType: MergeType
  /// A user's own way with optimistic locking conflicts.
  let resolver: ConflictResolver?

  /// One of the built-in policies, for what was read from a setting.
  ///
  /// ```swift
  /// MergePolicy(mergeType: .overwrite) == .overwrite                     // true
  /// MergePolicy(mergeType: .objectTrump) == .mergeByPropertyObjectTrump  // true
  /// ```
  public init(mergeType: MergeType) {
    self.mergeType = mergeType
    resolver = nil
  }

  /// A policy of one's own: `resolve` decides about each row that another writer changed or deleted; taken unique
  /// values are met as `mergeType` says.
  ///
  /// ```swift
  /// context.mergePolicy = MergePolicy(mergeType: .objectTrump) { conflict in
  ///   conflict.newVersion == 0 ? .rollback : .objectTrumps  // what others deleted stays deleted
  /// }
  /// ```
  public init(mergeType: MergeType, resolve: @escaping @Sendable (MergeConflict) -> MergeResolution) {
    self.mergeType = mergeType
    resolver = ConflictResolver(resolve)
  }

  /// A save fails and names the conflicts; the default.
  public static let error = MergePolicy(mergeType: .error)
  /// What others stored wins, property by property.
  public static let mergeByPropertyStoreTrump = MergePolicy(mergeType: .storeTrump)
  /// What was changed here wins, property by property.
  public static let mergeByPropertyObjectTrump = MergePolicy(mergeType: .objectTrump)
  /// The object here is written whole.
  public static let overwrite = MergePolicy(mergeType: .overwrite)
  /// The changes here are dropped.
  public static let rollback = MergePolicy(mergeType: .rollback)
}

/// A user's function with an identity, so that policies can be compared.
final class ConflictResolver: Sendable, Hashable {
  let resolve: @Sendable (MergeConflict) -> MergeResolution

  init(_ resolve: @escaping @Sendable (MergeConflict) -> MergeResolution) { self.resolve = resolve }

  static func == (left: ConflictResolver, right: ConflictResolver) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// Policies for conflicts between two writers, or between two rows with the same unique values.

/// How a save or a batch insert resolves conflicts, with Core Data's names.
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
    /// A save fails and reports the conflicting objects; a batch insert skips the row.
    case error
    /// The store's row stays, and the changes in memory are discarded.
    case storeTrump = "store_trump"
    /// The changes in memory win, property by property; for a new object, that is every property.
    case objectTrump = "object_trump"
    /// The whole object in memory is written.
    case overwrite
    /// The changes in memory are discarded.
    case rollback
  }

  /// How to handle taken unique values, and changes by others unless the policy has a function for them.
  public let mergeType: MergeType
  /// A custom function for optimistic locking conflicts.
  let resolver: ConflictResolver?

  /// Creates one of the built-in policies, for example from a setting.
  ///
  /// ```swift
  /// MergePolicy(mergeType: .overwrite) == .overwrite                     // true
  /// MergePolicy(mergeType: .objectTrump) == .mergeByPropertyObjectTrump  // true
  /// ```
  public init(mergeType: MergeType) {
    self.mergeType = mergeType
    resolver = nil
  }

  /// Creates a custom policy: `resolve` decides about each row that others changed or deleted, and `mergeType` about
  /// taken unique values.
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

  /// A save fails and reports the conflicts; the default.
  public static let error = MergePolicy(mergeType: .error)
  /// The store's changes win, property by property.
  public static let mergeByPropertyStoreTrump = MergePolicy(mergeType: .storeTrump)
  /// Local changes win, property by property.
  public static let mergeByPropertyObjectTrump = MergePolicy(mergeType: .objectTrump)
  /// The whole local object is written.
  public static let overwrite = MergePolicy(mergeType: .overwrite)
  /// Local changes are discarded.
  public static let rollback = MergePolicy(mergeType: .rollback)
}

/// A user's function with an identity, so that policies can be compared.
final class ConflictResolver: Sendable, Hashable {
  let resolve: @Sendable (MergeConflict) -> MergeResolution

  init(_ resolve: @escaping @Sendable (MergeConflict) -> MergeResolution) { self.resolve = resolve }

  static func == (left: ConflictResolver, right: ConflictResolver) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

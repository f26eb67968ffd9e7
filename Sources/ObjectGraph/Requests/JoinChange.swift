// The part of a save that is in join tables.
internal import CoreDataModel

/// A pair of a many-to-many relationship that a save puts into its join table, takes out of it, or moves.
struct JoinChange: Sendable {
  enum Kind: Sendable {
    case add(position: Int32?, inversePosition: Int32?)
    case remove
    case move(to: Int32)
  }

  /// The table as the source's relationship sees it.
  let ends: ToManyLayout.JoinEnds
  /// Keys of the two rows; negative for new ones.
  let source: Int64
  let destination: Int64
  let kind: Kind
  /// The store of the source; nil for a new one.
  let store: StoreIdentity?
}

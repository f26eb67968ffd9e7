// Who is called with the changes of a controller, one by one, as in Core Data.

/// Learns what changes in the objects of a ``FetchedResultsController``, on its context's queue.
///
/// For each transition, ``controllerWillChangeContent(_:)`` comes first, while the controller has its former objects. Then,
/// with the new ones, every section that went or came, every object that went, came, moved or changed, and
/// ``controllerDidChangeContent(_:)``. The order among them is that of ``FetchedResultsTransition``. Every method has a
/// default that does nothing.
///
/// ```swift
/// final class QuakeList: FetchedResultsControllerDelegate {
///   func controller(
///     _ controller: FetchedResultsController<Quake>, didChange object: Quake, _ change: FetchedResultsChange
///   ) {
///     if case .insert(_, let path) = change { print("\(object[Quake.place] ?? "") at \(path.item)") }
///   }
/// }
/// ```
public protocol FetchedResultsControllerDelegate<ResultType>: AnyObject {
  /// The class of the controller's objects.
  associatedtype ResultType: ManagedObject

  /// Called before the changes; the controller's objects are those from before.
  func controllerWillChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// A section came or went.
  func controller(_ controller: FetchedResultsController<ResultType>, didChange section: FetchedSectionChange)

  /// An object came, went, moved or changed.
  func controller(
    _ controller: FetchedResultsController<ResultType>, didChange object: ResultType, _ change: FetchedResultsChange)

  /// Called after the last change.
  func controllerDidChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// A change could not be followed, see ``FetchedResultsController/failure``.
  func controller(_ controller: FetchedResultsController<ResultType>, didFailWith failure: ObjectGraphError)
}

extension FetchedResultsControllerDelegate {
  public func controllerWillChangeContent(_ controller: FetchedResultsController<ResultType>) {}
  public func controller(_ controller: FetchedResultsController<ResultType>, didChange section: FetchedSectionChange) {}
  public func controller(
    _ controller: FetchedResultsController<ResultType>, didChange object: ResultType, _ change: FetchedResultsChange
  ) {}
  public func controllerDidChangeContent(_ controller: FetchedResultsController<ResultType>) {}
  public func controller(_ controller: FetchedResultsController<ResultType>, didFailWith failure: ObjectGraphError) {}
}

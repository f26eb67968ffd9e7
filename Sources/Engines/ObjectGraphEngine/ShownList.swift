// The list on a screen: rows of an entity in order, kept up to date with an observing context.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// A list of an observing context's objects, kept up to date by a controller or by a fetch after each merge.
///
/// It is used on the context's queue.
// Safe to send: only its context's queue uses it, and observers of the context are called there as well.
final class ShownList: @unchecked Sendable {
  private let context: ManagedObjectContext
  private let request: FetchRequest<ManagedObject>
  /// `nil` if the list is fetched again.
  private let controller: FetchedResultsController<ManagedObject>?
  private let order: [ObservedContents.SortKey]
  private var fetched: [ManagedObject] = []

  /// Shows the currently stored rows.
  init(_ results: ShownResults, of list: ListDescription, entity: EntityDescription, in context: ManagedObjectContext)
    throws
  {
    let section = results == .sections ? list.section : nil
    let keys = list.sortKeys(withSections: results == .sections).map {
      FetchSortDescriptor($0.attribute, ascending: $0.isAscending)
    }
    request = FetchRequest(
      entityName: entity.name, predicate: results == .matching ? list.condition?.predicate : nil,
      sortDescriptors: keys)
    order = list.sortKeys(withSections: results == .sections)
    self.context = context
    guard results != .refetch else {
      controller = nil
      try fetch()
      return
    }
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section)
    try controller.performFetch()
    self.controller = controller
  }

  /// Updates the list after a merge.
  ///
  /// A controller updates itself.
  func mergeHasEnded() throws {
    if let failure = controller?.failure { throw failure }
    if controller == nil { try fetch() }
  }

  /// The complete rows of the list, in its order.
  func contents(of entity: EntityDescription) -> ObservedContents {
    var contents = ObservedContents(of: entity, orderedBy: order)
    if let controller {
      for object in controller.fetchedObjects { contents.add { object[$0] } }
    } else {
      for object in fetched { contents.add { object[$0] } }
    }
    return contents
  }

  private func fetch() throws { fetched = Array(try context.fetch(request)) }
}

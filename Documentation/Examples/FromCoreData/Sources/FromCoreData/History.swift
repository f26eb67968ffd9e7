// Persistent history: finding what was stored after a token and by whom, merging it into a context, and deleting it.
import CoreDataModel
import ObjectGraph

/// Transactions of a save and of batch requests, in the order in which they are stored.
@MainActor func followHistory() async throws -> String {
  let container = try historyContainer()
  let (view, coordinator) = (container.viewContext, container.persistentStoreCoordinator)
  let rex = try Dog(context: view)
  rex.name = "Rex"
  view.transactionAuthor = "app"
  try view.save()
  // Core Data: currentPersistentHistoryToken(fromStores: nil)
  let known = try coordinator.currentPersistentHistoryToken()

  try await changeDogs(container)
  try expect(rex.age, is: 0, "the age that the view shows")

  // Core Data: NSPersistentHistoryChangeRequest.fetchHistory(after: known)
  let transactions = try view.execute(.fetchHistory(after: known)).transactions
  try expect(transactions.map(\.author), is: ["editor", "feed", "feed", "feed"], "authors")
  let changes = transactions.map { $0.changes?.map(\.changeType) ?? [] }
  try expect(
    changes, is: [[.insert], [.insert, .insert], [.update, .update, .update, .update], [.delete]], "changes")

  // Core Data: request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest, predicate "author == %@"
  var request = PersistentHistoryChangeRequest.fetchHistory(after: known)
  request.filter = PersistentHistoryFilter(authors: ["editor"])  // Deviations.md, "filters"
  try expect(try view.execute(request).transactions.count, is: 1, "transactions of the editor")

  // Core Data: the same, a notification between them: Deviations.md, "objectIDNotification()"
  for transaction in transactions { try view.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
  try expect(rex.age, is: 3, "the age once merged")

  try purge(transactions, after: known, in: view)
  return "\(transactions.count) transactions of 2 authors, merged and purged"
}

/// The last transaction stays, so its token remains valid; a token of deleted history has expired.
@MainActor private func purge(
  _ transactions: [PersistentHistoryTransaction], after known: PersistentHistoryToken?, in view: ManagedObjectContext
) throws {
  guard let last = transactions.last else { return }
  // Core Data: NSPersistentHistoryChangeRequest.deleteHistory(before:)
  try view.execute(.deleteHistory(before: last))
  try expect(try view.execute(.fetchHistory(after: nil)).transactions.map(\.token), is: [last.token], "what is left")
  let error = try refusal(of: "history after a forgotten token") { try view.execute(.fetchHistory(after: known)) }
  try expect(error.code, is: 134301, "the code")  // Core Data: NSPersistentHistoryTokenExpiredError
}

@MainActor private func historyContainer() throws -> PersistentContainer {
  var description = PersistentStoreDescription(path: newPath())
  // Core Data: setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  description.tracksPersistentHistory = true
  return try loadContainer(dogModel(), classes: ["Dog": Dog.self], stores: [description])
}

/// A save by one author, and three batch requests by another.
private func changeDogs(_ container: PersistentContainer) async throws {
  let editor = container.newBackgroundContext()
  editor.transactionAuthor = "editor"
  try await editor.perform {
    let dog = try Dog(context: editor)
    dog.name = "Bello"
    try editor.save()
  }
  let feed = container.newBackgroundContext()
  feed.transactionAuthor = "feed"
  try await feed.perform {
    try feed.execute(BatchInsertRequest(entityName: "Dog", objects: [["name": "Fifi"], ["name": "Hasso"]]))
    try feed.execute(BatchUpdateRequest(entityName: "Dog", propertiesToUpdate: ["age": 3]))
    try feed.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Dog", predicate: Dog.name == "Fifi")))
  }
}

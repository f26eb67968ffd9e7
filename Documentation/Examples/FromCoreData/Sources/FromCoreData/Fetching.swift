// Fetching without blocking the view: in a background context, and asynchronously.
import ObjectGraph

private let dogsByAge = FetchRequest<Dog>(entityName: "Dog", sortDescriptors: [FetchSortDescriptor(Dog.age)])

/// The background context finds the IDs; the view makes an object when it shows it.
@MainActor func passObjectIDs() async throws -> String {
  let container = try await dogContainer(100)
  let view = container.viewContext
  let dogIDs = try await container.performBackgroundTask { try $0.fetchObjectIDs(dogsByAge) }
  // Core Data: dogIDs.lazy.map { view.object(with: $0) as! Dog }; Deviations.md, "object(with:) for an ID of another model"
  let dogs = dogIDs.lazy.compactMap { try? view.object(with: $0) as? Dog }
  let third = dogs.first { $0.age == 2 }
  try expect(third?.name, is: "Dog 2", "the third dog")
  try expect(dogIDs.filter { view.registeredObject(for: $0) != nil }.count, is: 3, "dogs that were made")
  return "3 of \(dogIDs.count) objects made"
}

/// The result is returned at once; the objects come later, on the context's queue.
@MainActor func fetchWithCompletion() async throws -> String {
  let container = try await dogContainer(300)
  let view = container.viewContext
  let names = try await withCheckedThrowingContinuation { continuation in
    // Core Data: NSAsynchronousFetchRequest(fetchRequest:completionBlock:)
    let request = AsynchronousFetchRequest(dogsByAge) { result in
      continuation.resume(returning: result.finalResult?.map(\.name) ?? [])
    }
    do { try view.execute(request) } catch { continuation.resume(throwing: error) }
  }
  try expect(names.count, is: 300, "dogs")
  try expect(names.last, is: "Dog 299", "the oldest dog")
  return "\(names.count) with a completion"
}

/// Core Data reports to an `NSProgress`; here a handler runs for each row: Deviations.md, "progress and cancellation of
/// an asynchronous fetch".
@MainActor func fetchWithProgress() async throws -> String {
  let container = try await dogContainer(300)
  let (progress, report) = AsyncStream.makeStream(of: Int.self)
  let request = AsynchronousFetchRequest(
    dogsByAge, estimatedResultCount: 300, rowHandler: { report.yield($0.completedUnitCount) },
    completion: { _ in report.finish() })
  try container.viewContext.execute(request)
  var seen: [Int] = []
  for await rows in progress { seen.append(rows) }
  try expect(seen, is: Array(1...300), "rows reported")
  return "\(seen.count) steps of progress"
}

/// A cancelled fetch completes without objects and without an error.
@MainActor func cancelAFetch() async throws -> String {
  let container = try await dogContainer(300)
  let (answers, answer) = AsyncStream.makeStream(of: (found: Int?, read: Int, error: ObjectGraphError?).self)
  let request = AsynchronousFetchRequest(
    dogsByAge,
    rowHandler: { if $0.completedUnitCount == 100 { $0.cancel() } },  // Core Data: result.progress?.cancel()
    completion: { answer.yield(($0.finalResult?.count, $0.completedUnitCount, $0.operationError)) })
  try container.viewContext.execute(request)
  let (found, read, error) = try await next(answers)
  try expect(found, is: 0, "dogs")
  try expect(error, is: nil, "the error")
  try expect(read, is: 100, "rows read")
  return "cancelled after \(read) rows"
}

/// With async and await, the body gets the objects on the context's queue, and cancelling the task cancels the fetch.
@MainActor func awaitAFetch() async throws -> String {
  let container = try await dogContainer(300)
  let view = container.viewContext
  let names = try await view.fetch(dogsByAge) { dogs in dogs.prefix(2).map(\.name) }
  try expect(names, is: ["Dog 0", "Dog 1"], "the youngest dogs")
  return "awaited"
}

// D7: asynchronous fetches, with completion, progress and cancellation.
import Foundation
import ObjectGraph
import Synchronization
import Testing

@Suite("D7 · asynchronous fetch")
struct AsynchronousFetchTests {
  private func stack(rows: Int) throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (0..<rows).map { Quake.row("q\($0)", Double($0)) }))
    }
    return stack
  }

  @Test("The result is handed back at once, and the same one to the completion, on the context's queue", .tags(.d7))
  func completion() async throws {
    let stack = try stack(rows: 500)
    let context = stack.context()
    var request = FetchRequest(entityName: "Quake", predicate: Quake.magnitude >= 100)
    request.fetchLimit = 250
    let fetch = request
    let handedBack = Mutex<AsynchronousFetchResult<ManagedObject>?>(nil)
    let seen: (isSame: Bool, count: Int, rows: Int) = try await withCheckedThrowingContinuation { continuation in
      context.perform(later: {
        do {
          let result = try context.execute(
            AsynchronousFetchRequest(fetch, estimatedResultCount: 250) { result in
              let isSame = handedBack.withLock { $0 === result }
              continuation.resume(
                returning: (isSame, result.finalResult?.count ?? -1, result.completedUnitCount))
            })
          handedBack.withLock { $0 = result }
          #expect(result.estimatedResultCount == 250 && result.finalResult == nil)
        } catch {
          continuation.resume(throwing: error)
        }
      })
    }
    #expect(seen.isSame && seen.count == 250 && seen.rows == 400)
    #expect(handedBack.withLock { $0?.isFinished } == true)
  }

  @Test("A cancelled fetch is answered with nothing and no error", .tags(.d7))
  func cancellation() async throws {
    let stack = try stack(rows: 2_000)
    let context = stack.context()
    let seen: (count: Int?, hasError: Bool, rows: Int) = try await withCheckedThrowingContinuation { continuation in
      context.perform(later: {
        do {
          let result = try context.execute(
            AsynchronousFetchRequest(FetchRequest(entityName: "Quake")) { result in
              continuation.resume(
                returning: (result.finalResult?.count, result.operationError != nil, result.completedUnitCount))
            })
          // Before the completion can run, which waits for this queue.
          result.cancel()
        } catch {
          continuation.resume(throwing: error)
        }
      })
    }
    #expect(seen.count == 0 && !seen.hasError && seen.rows <= 2_000)
  }

  @Test("Waiting for the objects sees unsaved changes, and errors are thrown", .tags(.d7))
  func waiting() async throws {
    let stack = try stack(rows: 20)
    let context = stack.context()
    let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
    try await context.perform { _ = try Quake.insert("a", into: context) }
    let codes = try await context.fetch(request) { results in results.prefix(2).compactMap { $0[Quake.code] } }
    #expect(codes == ["a", "q0"])
    await #expect(throws: ObjectGraphError.unknownEntity(found: "Tremor", expected: ["Quake"])) {
      try await context.fetch(FetchRequest(entityName: "Tremor")) { $0.count }
    }
    await #expect(throws: ObjectGraphError.self) {
      try await context.fetch(
        FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "depth > 1"))
      ) { $0.count }
    }
    let task = Task { try await context.fetch(request) { $0.count } }
    task.cancel()
    // Whichever comes first, it ends: with the objects or with the cancellation.
    let result = await task.result
    if case .failure(let error) = result { #expect(error is CancellationError) }
  }
}

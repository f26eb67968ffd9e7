// D6: misuses of objects that the compiler lets through, and that the owner check stops in every build.
import ObjectGraph
import Testing

#if os(macOS) || os(Linux) || os(FreeBSD) || os(Windows)
  @Suite("D6 · what the owner check stops")
  struct OwnerCheckTests {
    private static func expectOwnerCheck(_ result: ExitTest.Result?) throws {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      // A release build stops without a word.
      #if DEBUG
        #expect(text.contains("a context or one of its objects was used off its queue"))
      #endif
    }

    @Test("A context that is used outside of its perform", .tags(.d6))
    func contextOutside() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          try context.insertNewObject(forEntityName: "Quake")
        })
    }

    @Test("An object carried out of performAndWait in a variable, and read", .tags(.d6))
    func carriedOut() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          var kept: ManagedObject?
          try context.performAndWait { () throws in kept = try Quake.insert("a", into: context) }
          _ = kept?[Quake.magnitude]
        })
    }

    @Test("An object carried into another context's performAndWait, and written to", .tags(.d6))
    func carriedOver() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let (mine, theirs) = (stack.context(), stack.context())
          var kept: ManagedObject?
          try mine.performAndWait { () throws in kept = try Quake.insert("a", into: mine) }
          theirs.performAndWait { kept?[Quake.magnitude] = 2 }
        })
    }

    @Test("An object that is sent to a task", .tags(.d6))
    func sent() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          let task = try await context.perform {
            let quake = try context.insertNewObject(forEntityName: "Quake")
            return Task { quake[Quake.magnitude] = 2 }
          }
          await task.value
        })
    }

    @Test("A fetch result looked at off its queue", .tags(.d6))
    func results() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let context = stack.context()
          var kept: FetchResults?
          try context.performAndWait { () throws in
            try Quake.insert("a", into: context)
            try context.save()
            kept = try context.fetch(FetchRequest(entityName: "Quake"))
          }
          _ = kept?.first
        })
    }

    @Test("The view context used off the main queue", .tags(.d6))
    func viewContext() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let container = PersistentContainer(
            managedObjectModel: stack.coordinator.managedObjectModel, store: stack.description())
          _ = await Task.detached { container.viewContext.hasChanges }.value
        })
    }
  }
#endif

// D6: misuses of objects that the compiler allows and the owner check stops in every build.
internal import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

#if os(macOS) || os(Linux) || os(FreeBSD) || os(Windows)
  @Suite("D6 · the owner check")
  struct OwnerCheckTests {
    private static func expectOwnerCheck(_ result: ExitTest.Result?) throws {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      // This includes release builds.
      #expect(text.contains("a context or one of its objects was used off its queue"))
    }

    @Test("Using a context outside of its perform ends the process", .tags(.d6))
    func contextOutside() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          try context.insertNewObject(forEntityName: "Quake")
        })
    }

    @Test("Misuse of a context with a name ends with an error that has the name", .tags(.d6))
    func namedContext() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let context = try TestStack().context()
        context.name = "import"
        _ = context.hasChanges
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("the context 'import' or one of its objects was used off its queue"))
    }

    @Test("A batch request in a context used outside of its perform ends the process", .tags(.d6))
    func batchOutside() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a")]))
        })
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          try context.execute(BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": 1]))
        })
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake")))
        })
    }

    @Test("Reading an object carried out of performAndWait in a variable ends the process", .tags(.d6))
    func carriedOut() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let context = try TestStack().context()
          var kept: ManagedObject?
          try context.performAndWait { () throws in kept = try Quake.insert("a", into: context) }
          _ = kept?[Quake.magnitude]
        })
    }

    @Test("Writing an object carried into another context's performAndWait ends the process", .tags(.d6))
    func carriedOver() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let (mine, theirs) = (stack.context(), stack.context())
          // The process ends before the stack can remove it.
          try stack.removeFolder()
          var kept: ManagedObject?
          try mine.performAndWait { () throws in kept = try Quake.insert("a", into: mine) }
          theirs.performAndWait { kept?[Quake.magnitude] = 2 }
        })
    }

    @Test("Using an object that is sent to a task ends the process", .tags(.d6))
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

    @Test("Using a fetch result off its queue ends the process", .tags(.d6))
    func results() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let context = stack.context()
          var kept: FetchResults<ManagedObject>?
          try context.performAndWait { () throws in
            try Quake.insert("a", into: context)
            try context.save()
            kept = try context.fetch(FetchRequest(entityName: "Quake"))
          }
          try stack.removeFolder()
          _ = kept?.first
        })
    }

    @Test("Using the view context off the main queue ends the process", .tags(.d6))
    func viewContext() async throws {
      try Self.expectOwnerCheck(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let stack = try TestStack()
          let container = PersistentContainer(
            managedObjectModel: stack.coordinator.managedObjectModel, store: stack.description())
          let view = await container.viewContext
          try stack.removeFolder()
          _ = await Task.detached { view.hasChanges }.value
        })
    }
  }
#endif

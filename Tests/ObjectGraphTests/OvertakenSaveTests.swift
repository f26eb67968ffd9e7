// D4, D6: a save that another context overtakes between its commit and its end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D4 D6 · a save overtaken by another", .tags(.d4, .d6))
struct OvertakenSaveTests {
  /// Makes another context save once the first one's rows are committed.
  private final class Overtaking: SaveTracer {
    private let body: Lock<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Lock(body) }

    func began(_ stage: SaveStage) {
      guard stage == .permanentIDs else { return }
      body.withLock { body in
        defer { body = nil }
        return body
      }?()
    }
    func ended(isStored: Bool) {}
  }

  @Test("Faults and merges show the last stored values")
  func overtaken() throws {
    let stack = try TestStack()
    let (first, second, third) = (stack.context(), stack.context(), stack.context())
    let quakeID = try first.performAndWait {
      let quake = try Quake.insert("a", into: first)
      try first.save()
      return quake.objectID
    }
    let news = Lock<ContextNotification?>(nil)
    let observation = second.observe(.didSave) { found in news.withLock { $0 = found } }
    let failure = Lock<(any Error)?>(nil)
    let overtaking = Overtaking {
      do {
        try second.performAndWait { () throws in
          try second.fetch(FetchRequest(entityName: "Quake"))[0][Quake.place] = "second"
          try second.save()
        }
      } catch { failure.withLock { $0 = error } }
    }
    try first.performAndWait { () throws in
      let quake = try first.existingObject(with: quakeID)
      quake[Quake.place] = "first"
      try first.save(tracer: overtaking)
      #expect(failure.withLock { $0 } == nil)
      #expect(try third.performAndWait { try third.existingObject(with: quakeID)[Quake.place] } == "second")
      try first.mergeChanges(fromContextDidSave: try #require(news.withLock { $0 }))
      #expect(quake[Quake.place] == "second")
      quake[Quake.magnitude] = 5
      try first.save()
    }
    observation.cancel()
    #expect(try stack.rows("SELECT ZPLACE, Z_OPT FROM ZQUAKE") == ["second|4"])
  }
}

// D5: notifications of a context's changes: every object once, and also if a change is reverted.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D5 · notifications of a context's changes")
struct ChangeNewsTests {
  /// The notifications of a context as text: kinds with the codes of quakes.
  private final class News {
    private let context: ManagedObjectContext
    private let list: NewsList
    private let observation: ContextObservation
    private var names: [ManagedObjectID: String] = [:]

    /// Begins to listen; call it on the context's queue.
    init(_ context: ManagedObjectContext, _ name: ContextNotification.Name = .objectsDidChange) {
      let list = NewsList()
      self.context = context
      self.list = list
      observation = context.observe(name) { list.append($0) }
    }

    func insert(_ code: String) throws -> ManagedObject { note(try Quake.insert(code, 1, into: context), code) }

    @discardableResult
    func note(_ object: ManagedObject, _ code: String) -> ManagedObject {
      names[object.objectID] = code
      return object
    }

    /// Stored quakes that have not been reported yet.
    func stored(_ codes: String...) throws -> [ManagedObject] {
      let quakes = try codes.map { try Quake.insert($0, 1, into: context) }
      try context.save()
      for (quake, code) in zip(quakes, codes) { note(quake, code) }
      _ = told()
      return quakes
    }

    /// The reports since the last call, after processing pending changes.
    func told() -> [String] {
      context.processPendingChanges()
      return known()
    }

    /// The same without processing.
    func known() -> [String] {
      list.take().flatMap { news in
        [
          ("inserted", news.inserted), ("updated", news.updated), ("deleted", news.deleted),
          ("refreshed", news.refreshed),
        ]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0) " + $0.1.map { names[$0] ?? "?" }.sorted().joined(separator: " ") }
      }
    }
  }

  private final class NewsList: Sendable {
    private let list = Lock<[ContextNotification]>([])
    func append(_ news: ContextNotification) { list.withLock { $0.append(news) } }
    func take() -> [ContextNotification] {
      list.withLock { list in
        defer { list = [] }
        return list
      }
    }
  }

  private func onContext(
    _ policy: MergePolicy = .error, _ body: (TestStack, ManagedObjectContext, News) throws -> Void
  ) throws {
    let stack = try TestStack()
    let context = stack.context(policy)
    try context.performAndWait { () throws in try body(stack, context, News(context)) }
  }

  @Test("A new object that was reported and is deleted before it is saved is reported as deleted", .tags(.d5))
  func deletedInsertion() throws {
    try onContext { _, context, news in
      let told = try news.insert("told")
      #expect(news.told() == ["inserted told"])
      let untold = try news.insert("untold")
      try context.delete(untold)
      told[Quake.magnitude] = 2
      try context.delete(told)
      #expect(news.told() == ["deleted told"])
      #expect(news.told() == [])
      try context.save()
      #expect(news.told() == [])
      _ = try news.insert("later")
      #expect(news.told() == ["inserted later"])
    }
  }

  @Test("After a refresh the next change and the next deletion are reported", .tags(.d4, .d5))
  func refreshed() throws {
    try onContext { _, context, news in
      let quakes = try news.stored("a", "b", "c")
      quakes[0][Quake.magnitude] = 2
      try context.delete(quakes[1])
      #expect(news.told() == ["updated a", "deleted b"])
      for quake in quakes[0...1] { try context.refresh(quake, mergeChanges: false) }
      #expect(news.told() == ["refreshed a b"])
      quakes[0][Quake.magnitude] = 3
      try context.delete(quakes[2])
      #expect(news.told() == ["updated a", "deleted c"])
      try context.delete(quakes[1])
      #expect(news.told() == ["deleted b"])
      quakes[0][Quake.magnitude] = 4
      try context.refresh(quakes[0], mergeChanges: true)
      try context.refresh(quakes[0], mergeChanges: true)
      #expect(news.told() == ["updated a"], "each once")
      try context.save()
      #expect(news.told() == [])
    }
  }

  @Test("A rollback notifies observers who were notified of what it undoes", .tags(.d4, .d5))
  func rollback() throws {
    try onContext { _, context, news in
      let quakes = try news.stored("a", "b", "c", "d")
      _ = try news.insert("new")
      quakes[0][Quake.magnitude] = 2
      try context.delete(quakes[1])
      #expect(news.told() == ["inserted new", "updated a", "deleted b"])
      quakes[2][Quake.magnitude] = 2
      try context.delete(quakes[3])
      _ = try news.insert("untold")
      context.rollback()
      #expect(news.told() == ["deleted new", "refreshed a b"])
      quakes[0][Quake.magnitude] = 3
      quakes[2][Quake.magnitude] = 3
      try context.delete(quakes[1])
      #expect(news.told() == ["updated a c", "deleted b"])
    }
  }
}

extension ChangeNewsTests {
  @Test("After a save that fails, later changes are reported, and nothing twice", .tags(.d5))
  func failedSave() throws {
    try onContext { _, context, news in
      let quakes = try news.stored("a", "b")
      let passing = try news.insert("passing")
      quakes[0][Quake.magnitude] = 2
      quakes[1][Quake.magnitude] = 1
      #expect(news.told() == ["inserted passing", "updated a b"])
      try context.delete(passing)
      try context.refresh(quakes[0], mergeChanges: false)
      // The save leaves out objects without changes to store, and fails.
      let clash = try news.insert("a")
      #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(news.known() == ["inserted a", "deleted passing", "refreshed a"])
      #expect(news.told() == [])
      _ = try news.insert("later")
      quakes[0][Quake.magnitude] = 3
      quakes[1][Quake.magnitude] = 3
      #expect(news.told() == ["inserted later", "updated a b"])
      try context.delete(clash)
      #expect(news.told() == ["deleted a"])
      try context.save()
      #expect(news.told() == [])
      for quake in quakes { quake[Quake.magnitude] = 4 }
      #expect(news.told() == ["updated a b"])
    }
  }

  @Test("Changes after a save are reported, however much the save stored", .tags(.d5))
  func afterSave() throws {
    try onContext { _, context, news in
      let quakes = try ["a", "b", "c"].map { try news.insert($0) }
      try context.save()
      for (quake, code) in zip(quakes, ["a", "b", "c"]) { news.note(quake, code) }
      #expect(news.known().count == 1)
      _ = try news.insert("later")
      quakes[0][Quake.magnitude] = 2
      try context.delete(quakes[1])
      #expect(news.told() == ["inserted later", "updated a", "deleted b"])
      try context.save()
      _ = try news.insert("last")
      quakes[0][Quake.magnitude] = 3
      try context.delete(quakes[2])
      #expect(news.told() == ["inserted last", "updated a", "deleted c"])
    }
  }

  @Test("A new object that is replaced by a stored one is reported as deleted", .tags(.d6))
  func givenUp() throws {
    try onContext(.mergeByPropertyStoreTrump) { _, context, news in
      _ = try news.stored("a")
      let clash = try news.insert("a")
      news.note(clash, "clash")
      #expect(news.told() == ["inserted clash"])
      try context.save()
      #expect(clash.managedObjectContext == nil)
      #expect(news.told() == ["deleted clash"])
    }
  }
}

extension ChangeNewsTests {
  @Test("An object that a conflict changes is reported as refreshed", .tags(.d6))
  func resolved() throws {
    try onContext(.mergeByPropertyStoreTrump) { stack, context, news in
      let quakes = try news.stored("a", "b")
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 7, Z_OPT = 2 WHERE ZCODE = 'a'")
      try stack.execute("DELETE FROM ZQUAKE WHERE ZCODE = 'b'")
      for quake in quakes { quake[Quake.magnitude] = 2 }
      #expect(news.told() == ["updated a b"])
      try context.save()
      #expect(quakes[0][Quake.magnitude] == 7 && quakes[1].isDeleted)
      #expect(news.known() == ["deleted b", "refreshed a"], "before the save returns")
      #expect(news.told() == [])
    }
  }

  @Test("A deletion that a policy undoes in a failed save is not reported again", .tags(.d6))
  func undoneResolution() throws {
    let policy = MergePolicy(mergeType: .error) { $0.persistedSnapshot == nil ? .storeTrumps : .fail }
    try onContext(policy) { stack, context, news in
      let quakes = try news.stored("a", "b")
      let other = stack.context()
      let objectID = quakes[0].objectID
      try other.performAndWait { () throws in
        try other.existingObject(with: objectID)[Quake.magnitude] = 5
        try other.save()
      }
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 7, Z_OPT = 2 WHERE ZCODE = 'b'")
      quakes[1][Quake.magnitude] = 2
      try context.delete(quakes[0])
      #expect(news.told() == ["updated b", "deleted a"])
      #expect(conflicts { () throws(ObjectGraphError) in try context.save() }.map(\.objectID) == [quakes[1].objectID])
      #expect(quakes[0].isDeleted && context.deletedObjects == [quakes[0]])
      #expect(news.told() == [], "nothing is otherwise than before the save")
    }
  }

  @Test("A deletion that another context saved first is reported once", .tags(.d7))
  func mergedDeletion() throws {
    try onContext { stack, context, news in
      let quakes = try news.stored("a", "b")
      try context.delete(quakes[0])
      #expect(news.told() == ["deleted a"])
      quakes[1][Quake.magnitude] = 2
      #expect(news.told() == ["updated b"])
      try context.delete(quakes[1])
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(deleted: quakes.map(\.objectID)), into: [context])
      #expect(news.known() == ["deleted b"])
    }
  }
}

extension ChangeNewsTests {
  @Test("A child's save notifies the parent's observers at once, even of changes that it undoes", .tags(.d5))
  func childSave() throws {
    try onContext { _, parent, news in
      let quakes = try news.stored("a", "b", "c")
      let told = try news.insert("told")
      #expect(news.told() == ["inserted told"])
      let child = ManagedObjectContext(parent: parent)
      let objectIDs = (quakes + [told]).map(\.objectID)
      try child.performAndWait { () throws in
        let childNews = News(child)
        let mine = try objectIDs.map { try child.existingObject(with: $0) }
        for (object, code) in zip(mine, ["a", "b", "c", "told"]) { childNews.note(object, code) }
        mine[0][Quake.magnitude] = 2
        try child.delete(mine[1])
        try child.delete(mine[3])
        #expect(childNews.told() == ["updated a", "deleted b told"])
        try child.save()
        #expect(childNews.told() == [])
        mine[0][Quake.magnitude] = 3
        #expect(childNews.told() == ["updated a"])
        try child.delete(mine[2])
        #expect(childNews.told() == ["deleted c"])
      }
      #expect(news.known() == ["updated a", "deleted b told"])
      #expect(news.told() == [])
    }
  }

  @Test(
    "Values set in will-save are reported before the save ends; changes by observers are reported next", .tags(.d5))
  func willSave() throws {
    let stack = try TestStack()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": Stamped.self])
    try stack.coordinator.close()
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let news = News(context)
      let quake = try news.insert("a")
      try context.save()
      #expect(news.known() == ["inserted a", "updated a"])
      #expect(quake[Quake.place] == "stamped")
    }
    try coordinator.close()
  }

  final class Stamped: ManagedObject {
    override func willSave() { if self[Quake.place] == nil { self[Quake.place] = "stamped" } }
  }

  @Test("Changes by an observer are reported separately", .tags(.d5))
  func reentrance() throws {
    try onContext { _, context, news in
      let quakes = try news.stored("a", "b")
      let objectID = quakes[1].objectID
      let observation = context.observe(.objectsDidChange) { [weak context] change in
        guard let context, !change.updated.contains(objectID) else { return }
        (try? context.object(with: objectID))?[Quake.magnitude] = 9
      }
      quakes[0][Quake.magnitude] = 2
      #expect(news.told() == ["updated a"])
      #expect(news.told() == ["updated b"])
      observation.cancel()
    }
  }

  @Test("The notification before a save lists what it will store, including the effects of deletions", .tags(.d5))
  func willSaveNews() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "artist", in: context)
      let album = try Library.make("Album", "album", in: context)
      try artist.addObject(album, forKey: "albums")
      let other = try Library.make("Artist", "other", in: context)
      try context.save()
      let list = NewsList()
      let observation = context.observe(.willSave) { list.append($0) }
      let new = try Library.make("Label", "new", in: context)
      other["name"] = "renamed"
      try context.delete(artist)
      let temporary = new.objectID
      try context.save()
      let news = list.take()
      #expect(news.count == 1)
      #expect(news[0].inserted == [temporary] && news[0].updated == [other.objectID])
      #expect(Set(news[0].deleted) == [artist.objectID, album.objectID])
      observation.cancel()
    }
  }
}

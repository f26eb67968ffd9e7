// D4, D5, C1: both ends of a relationship agree after merges, refreshes, undone deletions and reverted changes; random
// graphs found each of these cases.
internal import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D4 D5 C1 · agreement of both ends of relationships")
struct RelationshipAgreementTests {
  /// Saves one context and merges that into the other.
  private func save(_ context: ManagedObjectContext, into other: ManagedObjectContext) throws {
    let news = Lock<ContextNotification?>(nil)
    let observation = context.observe(.didSave) { notification in news.withLock { $0 = notification } }
    defer { observation.cancel() }
    try context.save()
    try other.mergeChanges(fromContextDidSave: try #require(news.withLock { $0 }))
  }

  /// Runs the body on the queues of two contexts of a library.
  private func withContexts(
    _ policy: MergePolicy = .error,
    _ body: (TestStack, _ here: ManagedObjectContext, _ there: ManagedObjectContext) throws -> Void
  ) throws {
    let stack = try Library.stack()
    let (here, there) = (stack.context(policy), stack.context())
    try here.performAndWait { () throws in try there.performAndWait { () throws in try body(stack, here, there) } }
  }

  @Test("A change after one that was undone is saved", .tags(.d4, .d5))
  func changeAfterNothing() throws {
    try withContexts { stack, here, _ in
      let (a, b) = (try Library.make("Artist", "A", in: here), try Library.make("Artist", "B", in: here))
      try here.save()
      try a.addObject(b, forKey: "friends")
      here.rollback()
      a["name"] = "after a rollback"
      #expect(here.updatedObjects == [a])
      try here.save()
      try b.addObject(a, forKey: "friends")
      try b.removeObject(a, forKey: "friends")
      a["name"] = "A"
      try here.save()
      b["name"] = "after a detour"
      #expect(here.updatedObjects == [b])
      try here.save()
      #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZARTIST ORDER BY Z_PK") == ["A|3", "after a detour|2"])
    }
  }

  @Test("A new object whose partner is deleted elsewhere has none", .tags(.d6, .c1))
  func deletedPartner() throws {
    try withContexts { stack, here, there in
      let artist = try Library.make("Artist", "A", in: there)
      try there.save()
      let manager = try Library.make("Manager", "M", in: here)
      try manager.setObject(try here.object(with: artist.objectID), forKey: "client")
      try there.delete(artist)
      try save(there, into: here)
      #expect(try manager.object(forKey: "client") == nil)
      try here.save()
      #expect(try stack.rows("SELECT ZCLIENT FROM ZMANAGER") == ["NULL"])
    }
  }

  @Test("An object changed and deleted here, and changed elsewhere, is deleted after the merge", .tags(.d5, .c1))
  func changedAndDeleted() throws {
    try withContexts { stack, here, there in
      let artist = try Library.make("Artist", "A", in: there)
      try there.save()
      let mine = try here.existingObject(with: artist.objectID)
      mine["name"] = "mine"
      try here.delete(mine)
      artist["name"] = "theirs"
      try save(there, into: here)
      try here.save()
      #expect(try stack.rows("SELECT * FROM ZARTIST") == [])
    }
  }
}

extension RelationshipAgreementTests {
  @Test("Partners of a refreshed object follow it", .tags(.d4))
  func refreshedPartner() throws {
    try withContexts { stack, here, _ in
      let artists = try ["A", "B"].map { try Library.make("Artist", $0, in: here) }
      let manager = try Library.make("Manager", "M", in: here)
      try manager.setObject(artists[0], forKey: "client")
      try here.save()
      try manager.setObject(artists[1], forKey: "client")
      try here.refresh(manager, mergeChanges: false)
      #expect(try manager.object(forKey: "client") === artists[0])
      #expect(try artists.map { try $0.object(forKey: "manager") } == [manager, nil])
      try here.save()
      #expect(try stack.rows("SELECT ZNAME, ZMANAGER FROM ZARTIST ORDER BY ZNAME") == ["A|1", "B|NULL"])
      #expect(try stack.rows("SELECT ZCLIENT FROM ZMANAGER") == ["1"])
    }
  }

  @Test("A partner set here stays when others gave the object another one", .tags(.d6, .c1))
  func twoPartners() throws {
    try withContexts { stack, here, there in
      let artist = try Library.make("Artist", "A", in: there)
      let theirs = try Library.make("Manager", "theirs", in: there)
      try there.save()
      let (mine, artistHere) = (
        try Library.make("Manager", "mine", in: here), try here.existingObject(with: artist.objectID)
      )
      try artistHere.setObject(mine, forKey: "manager")
      try theirs.setObject(artist, forKey: "client")
      try save(there, into: here)
      #expect(try artistHere.object(forKey: "manager") === mine)
      #expect(try here.existingObject(with: theirs.objectID).object(forKey: "client") == nil)
      try here.save()
      #expect(try stack.rows("SELECT ZNAME, ZCLIENT FROM ZMANAGER ORDER BY ZNAME") == ["mine|1", "theirs|NULL"])
    }
  }

  @Test(
    "After a conflict over a one-to-one relationship both ends agree", .tags(.d5),
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .rollback])
  func partnersInConflict(_ policy: MergePolicy) throws {
    try withContexts(policy) { stack, here, there in
      let artist = try Library.make("Artist", "A", in: there)
      let managers = try ["M", "N"].map { try Library.make("Manager", $0, in: there) }
      try there.save()
      let here0 = try here.existingObject(with: managers[0].objectID)
      let artistHere = try here.existingObject(with: artist.objectID)
      let here1 = try here.existingObject(with: managers[1].objectID)
      _ = (here1["name"], artistHere["name"])
      try artistHere.setObject(here0, forKey: "manager")
      try artist.setObject(managers[1], forKey: "manager")
      try there.save()
      try here.save()
      here.reset()
      let winner = policy == .mergeByPropertyObjectTrump ? "M" : "N"
      let found = try Library.find("Artist", "A", in: here)
      #expect(try found.object(forKey: "manager")?.name == winner)
      for name in ["M", "N"] {
        let client = try Library.find("Manager", name, in: here).object(forKey: "client")
        #expect(client === (name == winner ? found : nil), "\(name)")
      }
    }
  }

  @Test("A pair that both contexts removed can be added again", .tags(.d5, .c1))
  func removedTwice() throws {
    try withContexts { stack, here, there in
      let (a, b) = (try Library.make("Artist", "A", in: there), try Library.make("Artist", "B", in: there))
      try a.addObject(b, forKey: "friends")
      try there.save()
      let (mineA, mineB) = (try here.existingObject(with: a.objectID), try here.existingObject(with: b.objectID))
      try mineA.removeObject(mineB, forKey: "friends")
      try a.removeObject(b, forKey: "friends")
      try save(there, into: here)
      #expect(try mineB.names("friends") == [])
      #expect(!mineB.isUpdated, "what the store has no more is no removal")
      try mineA.addObject(mineB, forKey: "friends")
      #expect(try mineA.names("friends") == ["B"])
      #expect(try mineB.names("friends") == ["A"])
      try here.save()
      #expect(try stack.rows("SELECT COUNT(*) FROM Z_2FRIENDS") == ["2"])
    }
  }
}

extension RelationshipAgreementTests {
  @Test("A deletion undone by a refresh restores pairs; keys that it cleared stay cleared", .tags(.d4))
  func deletionTakenBack() throws {
    try withContexts { stack, here, _ in
      let list = try Library.make("Playlist", "L", in: here)
      let album = try Library.make("Album", "X", in: here)
      let track = try Library.make("Track", "1", in: here)
      try list.addObject(track, forKey: "tracks")
      try here.save()
      try track.setObject(album, forKey: "album")
      try here.delete(track)
      here.processPendingChanges()
      #expect(try list.names("tracks") == [])
      try here.refresh(track, mergeChanges: false)
      #expect(try list.names("tracks") == ["1"])
      #expect(try track.names("lists") == ["L"])
      #expect(try album.names("tracks") == [])
      #expect(!here.hasChanges)

      try track.setObject(album, forKey: "album")
      try here.delete(album)
      here.processPendingChanges()
      try here.refresh(album, mergeChanges: false)
      #expect(try album.names("tracks") == [] && track.isDeleted)
      try here.refresh(track, mergeChanges: false)
      // Rules that have not been applied yet no longer apply.
      try here.delete(list)
      try here.refresh(list, mergeChanges: false)
      try here.save()
      #expect(try list.names("tracks") == ["1"])
      #expect(try stack.rows("SELECT COUNT(*) FROM Z_6TRACKS") == ["1"])
    }
  }

  @Test("An object added again to an ordered relationship comes last; a refresh drops an order", .tags(.d1, .d4))
  func orders() throws {
    try withContexts { stack, here, _ in
      let album = try Library.make("Album", "X", in: here)
      let tracks = try ["1", "2", "3"].map { try Library.make("Track", $0, in: here) }
      try album.setObjects(tracks, forKey: "tracks")
      try here.save()
      try album.removeObject(tracks[0], forKey: "tracks")
      try album.addObject(tracks[0], forKey: "tracks")
      #expect(try album.names("tracks") == ["2", "3", "1"])
      try here.save()
      #expect(try stack.rows("SELECT ZTITLE FROM ZTRACK ORDER BY Z_FOK_ALBUM") == ["2", "3", "1"])
      try album.insertObject(tracks[0], forKey: "tracks", at: 0)
      try here.refresh(album, mergeChanges: false)
      #expect(try album.names("tracks") == ["2", "3", "1"])
      #expect(!here.hasChanges)
    }
  }

  @Test("A link moved away and back is removed with the object that is deleted elsewhere", .tags(.d6, .c1))
  func awayAndBack() throws {
    try withContexts { stack, here, there in
      let (a, b) = (try Library.make("Artist", "A", in: there), try Library.make("Artist", "B", in: there))
      let album = try Library.make("Album", "X", in: there)
      try album.setObject(a, forKey: "artist")
      try there.save()
      let (mine, artist) = (try here.existingObject(with: album.objectID), try here.existingObject(with: a.objectID))
      try mine.setObject(try here.existingObject(with: b.objectID), forKey: "artist")
      try mine.setObject(artist, forKey: "artist")
      try there.delete(album)
      try save(there, into: here)
      #expect(try artist.names("albums") == [])
    }
  }

  @Test("A link that two contexts made is removed with the object that one of them deletes", .tags(.d6, .c1))
  func linkedTwice() throws {
    try withContexts { stack, here, there in
      let label = try Library.make("Label", "L", in: there)
      let artist = try Library.make("Artist", "A", in: there)
      try there.save()
      let mine = try here.existingObject(with: artist.objectID)
      try mine.setObject(try here.existingObject(with: label.objectID), forKey: "label")
      try artist.setObject(label, forKey: "label")
      try save(there, into: here)
      try artist.setObject(nil, forKey: "label")
      try there.delete(label)
      try save(there, into: here)
      #expect(try mine.object(forKey: "label") == nil)
      try here.save()
      #expect(try stack.rows("SELECT ZLABEL FROM ZARTIST") == ["NULL"])
    }
  }
}

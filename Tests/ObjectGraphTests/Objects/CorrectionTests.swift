// D1, D5: a value that could not be set is validated in its current state when the object is saved, not in its former
// one.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D1 D5 · corrected values")
struct CorrectionTests {
  enum Way: CaseIterable {
    case typedKey, name, setValue, setPrimitiveValue

    func set(_ magnitude: Double, on quake: ManagedObject) throws {
      switch self {
      case .typedKey: quake[Quake.magnitude] = magnitude
      case .name: quake["magnitude"] = .real(magnitude)
      case .setValue: try quake.setValue(.real(magnitude), forKey: "magnitude")
      case .setPrimitiveValue: try quake.setPrimitiveValue(.real(magnitude), forKey: "magnitude")
      }
    }
  }

  @Test(
    "A valid value after an invalid one is saved, on new and on stored objects", .tags(.d5), arguments: Way.allCases)
  func corrected(way: Way) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      quake["magnitude"] = "strong"
      try way.set(2, on: quake)
      try context.save()
      quake["magnitude"] = "strong"
      quake["magnitude"] = true
      // A primitive value is saved together with other changes.
      quake[Quake.place] = "Here"
      try way.set(3, on: quake)
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_OPT, ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["2|3.0|Here"])
  }

  @Test("Values that are still invalid are reported once each, as last set", .tags(.d5))
  func stillWrong() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      quake["magnitude"] = "strong"
      quake["place"] = 3
      quake["time"] = "now"
      quake["magnitude"] = true
      quake["place"] = "Here"
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.key) == ["time", "magnitude"])
      #expect(wrong.map(\.found) == ["a string", "a boolean"])
      quake[Quake.time] = Date(timeIntervalSinceReferenceDate: 1.5)
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["magnitude"])
      quake["magnitude"] = .null
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE, ZTIME FROM ZQUAKE") == ["NULL|Here|1.5"])
  }

  @Test("Refreshing discards invalid values, misspelt keys too", .tags(.d4), arguments: [true, false])
  func refreshed(mergeChanges: Bool) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      quake["magnitud"] = 5.0
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["magnitud"])
      try context.refresh(quake, mergeChanges: mergeChanges)
      try context.save()
      quake["magnitude"] = "strong"
      quake[Quake.place] = "Here"
      try context.refresh(quake, mergeChanges: mergeChanges)
      try context.save()
      #expect(quake[Quake.magnitude] == 1)
    }
    #expect(try stack.rows("SELECT ZPLACE FROM ZQUAKE") == [mergeChanges ? "Here" : "NULL"])
  }
}

extension CorrectionTests {
  @Test("A row of a batch insert is checked when its handler returns", .tags(.b7))
  func batchHandlers() throws {
    let stack = try TestStack()
    let context = stack.context()
    var codes = ["a", "b"]
    func next() -> AttributeValue? { codes.isEmpty ? nil : .string(codes.removeFirst()) }
    let objects = BatchInsertRequest(entityName: "Quake") { (quake: ManagedObject) in
      quake["magnitude"] = "strong"
      guard let code = next() else { return true }
      quake["code"] = code
      quake["time"] = "now"
      quake["time"] = .date(Date(timeIntervalSinceReferenceDate: 1))
      quake["magnitude"] = 2.5
      return false
    }
    let dictionaries = BatchInsertRequest(entityName: "Quake") { (row: inout [String: AttributeValue]) in
      guard let code = next() else { return true }
      row["code"] = 1
      row["time"] = .date(Date(timeIntervalSinceReferenceDate: 1))
      row["code"] = code
      return false
    }
    try context.performAndWait { () throws in
      try context.execute(objects)
      codes = ["c"]
      try context.execute(dictionaries)
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["a|2.5", "b|2.5", "c|NULL"])
  }

  private static let artist = ToOneKey<ManagedObject>("artist")
  private static let tracks = ToManyKey<ManagedObject>("tracks")

  @Test("A related object of another context can be replaced by one of the same context", .tags(.d5))
  func foreignObjects() throws {
    let stack = try Library.stack()
    let (context, other) = (stack.context(), stack.context())
    let foreign = try other.performAndWait { () throws in
      try ["Artist", "Track"].map { Carried(try Library.make($0, "foreign", in: other)) }
    }
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "album", in: context)
      album[CorrectionTests.artist] = foreign[0].value
      album[CorrectionTests.tracks] = [foreign[1].value]
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["artist", "tracks"])
      album[CorrectionTests.artist] = try Library.make("Artist", "own", in: context)
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["tracks"])
      try album.setObjects([try Library.make("Track", "own", in: context)], forKey: "tracks")
      try context.save()
      #expect(try album.object(forKey: "artist")?.name == "own")
      #expect(try album.names("tracks") == ["own"])
      album["artist"] = "nobody"
      album[CorrectionTests.artist] = nil
      try context.save()
      #expect(try album.object(forKey: "artist") == nil)
    }
  }

  @Test("An object of another store is refused until both are in one store, or another replaces it", .tags(.b10))
  func otherStore() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    let author = ToOneKey<ManagedObject>("author")
    try context.performAndWait { () throws in
      let first = try context.make("Author", ["name": "first"])
      let second = try context.make("Author", ["name": "second"])
      try context.assign(second, to: files.stores[1])
      try context.save()
      let book = try context.make("Book", ["code": "a"])
      let moved = try context.make("Book", ["code": "b"])
      book[author] = second
      moved[author] = second
      #expect(failures { () throws(ObjectGraphError) in try context.save() }.map(\.key) == ["author", "author"])
      book[author] = first
      try context.assign(moved, to: files.stores[1])
      try context.save()
      #expect(book[author] === first && moved[author] === second)
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZAUTHOR FROM ZBOOK") == ["a|1"])
    #expect(try files.rows(1, "SELECT ZCODE, ZAUTHOR FROM ZBOOK") == ["b|1"])
  }
}

@Suite("D4 D5 · retries of failed reads")
struct UnreadFaultTests {
  private func fault(in store: BusyStore) throws -> (context: ManagedObjectContext, objectID: ManagedObjectID) {
    let context = ManagedObjectContext(coordinator: store.coordinator)
    let objectID = try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      defer { context.reset() }
      return quake.objectID
    }
    return (context, objectID)
  }

  @Test("Values set on a fault that could not be read are saved once it can be read", .tags(.d4, .d5))
  func saving() throws {
    let store = try BusyStore(try TestStack())
    let (context, objectID) = try fault(in: store)
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      try store.whileBusy {
        quake[Quake.magnitude] = 5
        quake[Quake.magnitude] = 6
        quake[Quake.place] = "Here"
        #expect(context.hasChanges && !quake.isDeleted)
        #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .busy)
      }
      try context.save()
      #expect(!context.hasChanges && quake[Quake.magnitude] == 6)
    }
    #expect(try store.rows("SELECT Z_OPT, ZMAGNITUDE, ZPLACE, ZCODE FROM ZQUAKE") == ["2|6.0|Here|a"])
    try store.coordinator.close()
  }

  @Test("A set value shows as soon as the object can be read, and a rollback undoes it", .tags(.d4))
  func reading() throws {
    let store = try BusyStore(try TestStack())
    let (context, objectID) = try fault(in: store)
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      try store.whileBusy { quake[Quake.magnitude] = 5 }
      #expect(quake[Quake.magnitude] == 5 && quake.changedValues() == ["magnitude": 5.0])
      context.rollback()
      #expect(quake[Quake.magnitude] == 1 && !context.hasChanges)
      try context.refresh(quake, mergeChanges: false)
      context.reset()
      let again = try context.object(with: objectID)
      try store.whileBusy { again[Quake.magnitude] = 5 }
      context.rollback()
      #expect(again[Quake.magnitude] == 1 && !context.hasChanges)
    }
    try store.coordinator.close()
  }

  @Test("Accessors that throw report SQLite's error, not a missing object", .tags(.d4))
  func throwing() throws {
    let store = try BusyStore(try TestStack())
    let (context, objectID) = try fault(in: store)
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      try store.whileBusy {
        #expect(storeError { () throws(ObjectGraphError) in _ = try quake.value(forKey: "code") }?.code == .busy)
        #expect(storeError { () throws(ObjectGraphError) in _ = try quake.value(for: Quake.code) }?.code == .busy)
        #expect(storeError { () throws(ObjectGraphError) in try context.delete(quake) }?.code == .busy)
      }
      #expect(try quake.value(for: Quake.code) == "a")
      try context.delete(quake)
      try context.save()
    }
    try store.coordinator.close()
  }

  @Test("Relationships that could not be read are set by the next save", .tags(.d5))
  func relationships() throws {
    let store = try BusyStore(try Library.stack())
    let context = ManagedObjectContext(coordinator: store.coordinator)
    let (artist, tracks) = (ToOneKey<ManagedObject>("artist"), ToManyKey<ManagedObject>("tracks"))
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "album", in: context)
      try album.setObjects([try Library.make("Track", "old", in: context)], forKey: "tracks")
      try context.save()
      let objectID = album.objectID
      context.reset()
      let again = try context.object(with: objectID)
      let newArtist = try Library.make("Artist", "artist", in: context)
      let newTrack = try Library.make("Track", "new", in: context)
      try store.whileBusy {
        again[artist] = newArtist
        again[tracks] = [newTrack]
        #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .busy)
      }
      try context.save()
      #expect(again[artist] === newArtist && again[tracks] == [newTrack])
    }
    #expect(
      try store.rows("SELECT t.ZTITLE, t.ZALBUM, a.ZARTIST FROM ZTRACK t LEFT JOIN ZALBUM a ON a.Z_PK = t.ZALBUM")
        == ["old|NULL|NULL", "new|1|1"])
    try store.coordinator.close()
  }
}

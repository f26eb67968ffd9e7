// D5, B11: a unique value that another writer took meanwhile, under every policy, asserted on disk and in memory.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D5 B11 · conflicts over unique values")
struct ConstraintConflictTests {
  typealias Place = ConflictTests.Place
  private static let policies = MergePolicy.MergeType.allCases
  private static let select = "SELECT Z_PK, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY Z_PK"

  /// This context and another writer's, of the same coordinator or another one; quakes `a` and `b` are stored.
  private struct Scene {
    let stack: TestStack
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext
    let other: PersistentStoreCoordinator

    init(_ place: Place, _ type: MergePolicy.MergeType) throws {
      stack = try TestStack()
      let mine = stack.context(MergePolicy(mergeType: type))
      try mine.performAndWait { () throws in
        for code in ["a", "b"] { try Quake.insert(code, 1, into: mine)[Quake.place] = "Here" }
        try mine.save()
      }
      let other = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
      if place == .database { try other.addPersistentStore(stack.description()) }
      theirs = ManagedObjectContext(coordinator: place == .cache ? stack.coordinator : other)
      self.mine = mine
      self.other = other
    }

    func they(_ body: (ManagedObjectContext) throws -> Void) throws {
      try theirs.performAndWait { () throws in
        try body(theirs)
        try theirs.save()
      }
    }

    func rows() throws -> [String] { try stack.rows(ConstraintConflictTests.select) }
  }

  private static func quake(_ code: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == code)).first)
  }

  /// The conflicts that make the save fail; none if it succeeds.
  private func conflicts(_ context: ManagedObjectContext) throws -> [ConstraintConflict] {
    do throws(ObjectGraphError) {
      try context.save()
    } catch {
      guard case .constraintConflict(let conflicts) = error else { throw error }
      return conflicts
    }
    return []
  }

  @Test(
    "If both changed a row to the same value, mine gives it up or their row is deleted", .tags(.d5, .b11),
    arguments: Place.allCases, policies)
  func updateUpdate(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, type)
    try scene.mine.performAndWait { () throws in
      let quake = try Self.quake("a", in: scene.mine)
      try scene.they { theirs in
        let other = try Self.quake("b", in: theirs)
        other[Quake.code] = "x"
        other[Quake.magnitude] = 20
      }
      quake[Quake.code] = "x"
      quake[Quake.magnitude] = 10
      let found = try conflicts(scene.mine)
      #expect(found.map(\.constraintValues) == (type == .error ? [["x"]] : []))
      #expect(found.allSatisfy { $0.databaseObjectID?.uriRepresentation().hasSuffix("/p2") == true })
      let theirs = "2|2|x|20.0|Here"
      switch type {
      case .error:
        #expect(quake.isUpdated && quake[Quake.code] == "x" && quake[Quake.magnitude] == 10)
        #expect(try scene.rows() == ["1|1|a|1.0|Here", theirs])
      case .storeTrump:
        #expect(quake[Quake.code] == "a" && quake[Quake.magnitude] == 10)
        #expect(try scene.rows() == ["1|2|a|10.0|Here", theirs])
      case .rollback:
        #expect(quake[Quake.code] == "a" && quake[Quake.magnitude] == 1)
        #expect(try scene.rows() == ["1|1|a|1.0|Here", theirs])
      case .objectTrump, .overwrite:
        #expect(quake[Quake.code] == "x" && quake[Quake.magnitude] == 10)
        #expect(try scene.rows() == ["1|2|x|10.0|Here"])
      }
      #expect(scene.mine.hasChanges == (type == .error))
    }
    try scene.other.close()
  }

  @Test(
    "If both inserted the same value, their row stays or mine overwrites it", .tags(.d5, .b11),
    arguments: Place.allCases, policies)
  func insertInsert(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, type)
    try scene.mine.performAndWait { () throws in
      let quake = try Quake.insert("n", 10, into: scene.mine)
      try scene.they { theirs in try Quake.insert("n", 20, into: theirs)[Quake.place] = "There" }
      let found = try conflicts(scene.mine)
      #expect(found.map(\.constraintValues) == (type == .error ? [["n"]] : []))
      #expect(found.allSatisfy { $0.databaseObjectID?.uriRepresentation().hasSuffix("/p3") == true })
      switch type {
      case .error:
        #expect(quake.isInserted && quake[Quake.magnitude] == 10)
        #expect(try scene.rows().last == "3|1|n|20.0|There")
      case .storeTrump, .rollback:
        #expect(quake.isDeleted)
        #expect(try scene.rows().last == "3|1|n|20.0|There")
      case .objectTrump, .overwrite:
        #expect(quake.objectID.uriRepresentation().hasSuffix("/p3") && quake[Quake.magnitude] == 10)
        #expect(try scene.rows().last == "3|2|n|10.0|NULL")
        // The object has the row's version: the next save is clean.
        quake[Quake.magnitude] = 11
        try scene.mine.save()
        #expect(try scene.rows().last == "3|3|n|11.0|NULL")
      }
      #expect(try scene.rows().count == 3)
      #expect(scene.mine.hasChanges == (type == .error))
    }
    try scene.other.close()
  }

  @Test("One conflict has all objects that want a value, and the stored one that has it", .tags(.d5, .b11))
  func wantedByMany() throws {
    let scene = try Scene(.cache, .error)
    try scene.mine.performAndWait { () throws in
      let (first, second) = (try Self.quake("a", in: scene.mine), try Self.quake("b", in: scene.mine))
      func ids(_ quakes: [ManagedObject]) -> [ManagedObjectID] { quakes.map(\.objectID) }
      let new = try ["a", "n", "n", "a", "n"].map { try Quake.insert($0, into: scene.mine) }
      var found = try conflicts(scene.mine)
      #expect(found.map(\.constraintValues) == [["a"], ["n"]])
      #expect(found.map(\.databaseObjectID) == [first.objectID, nil])
      #expect(found.map(\.conflictingObjectIDs) == [ids([new[0], new[3]]), ids([new[1], new[2], new[4]])])
      #expect(found.map(\.conflictingObjectID) == ids([new[0], new[2]]))
      #expect(
        found.map(\.description) == [
          "\(new[0].objectID), \(new[3].objectID) have the same code as the stored \(first.objectID)",
          "several objects of the save have the same code: \(new[1].objectID), \(new[2].objectID), \(new[4].objectID)",
        ])
      // A value that the save itself gives to a stored object is not a stored value.
      for quake in new { try scene.mine.delete(quake) }
      second[Quake.code] = "x"
      let other = try Quake.insert("x", into: scene.mine)
      found = try conflicts(scene.mine)
      #expect(found.map(\.databaseObjectID) == [nil])
      #expect(found.map(\.conflictingObjectIDs) == [ids([second, other])])
      try scene.mine.delete(other)
      first[Quake.code] = "x"
      found = try conflicts(scene.mine)
      #expect(
        found.map(\.databaseObjectID) == [nil] && Set(found[0].conflictingObjectIDs) == Set(ids([first, second])))
      #expect(try scene.rows() == ["1|1|a|1.0|Here", "2|1|b|1.0|Here"])
    }
    try scene.other.close()
  }

  @Test(
    "An object that takes another's former value deletes nothing, in whichever order the values change",
    .tags(.d5, .b11),
    arguments: [MergePolicy.MergeType.objectTrump, .overwrite], [true, false])
  func chain(type: MergePolicy.MergeType, isTakenFirst: Bool) throws {
    let scene = try Scene(.cache, type)
    try scene.mine.performAndWait { () throws in
      try Quake.insert("c", 1, into: scene.mine)
      try scene.mine.save()
      let (first, second) = (try Self.quake("a", in: scene.mine), try Self.quake("b", in: scene.mine))
      if isTakenFirst { first[Quake.code] = "b" }
      second[Quake.code] = "c"
      if !isTakenFirst { first[Quake.code] = "b" }
      try scene.mine.save()
      #expect(try scene.stack.rows("SELECT Z_PK, ZCODE FROM ZQUAKE ORDER BY Z_PK") == ["1|b", "2|c"])
      #expect(second[Quake.code] == "c" && !second.isDeleted)
    }
    try scene.other.close()
  }

  @Test(
    "A change here to a value of a row that was deleted there is not a conflict", .tags(.d5, .b11),
    arguments: Place.allCases,
    policies)
  func updateDelete(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, type)
    try scene.mine.performAndWait { () throws in
      let quake = try Self.quake("a", in: scene.mine)
      try scene.they { theirs in try theirs.delete(try Self.quake("b", in: theirs)) }
      quake[Quake.code] = "b"
      try scene.mine.save()
      #expect(quake[Quake.code] == "b" && !scene.mine.hasChanges)
      #expect(try scene.rows() == ["1|2|b|1.0|Here"])
    }
    try scene.other.close()
  }

  @Test(
    "Other contexts see that a row was replaced by another one, or by a new object", .tags(.d5, .b11, .c1),
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], [false, true])
  func siblings(policy: MergePolicy, isNew: Bool) throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(policy), stack.context())
    try mine.performAndWait { () throws in
      let (quake, taken) = (try Quake.insert("a", into: mine), try Quake.insert("b", into: mine))
      try mine.save()
      let (quakeID, takenID) = (quake.objectID, taken.objectID)
      let saved = Lock<ContextNotification?>(nil)
      let observation = mine.observe(.didSave) { news in saved.withLock { $0 = news } }
      try theirs.performAndWait { () throws in
        let held = try theirs.existingObject(with: takenID)
        let taker = isNew ? try Quake.insert("b", into: mine) : quake
        taker[Quake.code] = "b"
        taker[Quake.magnitude] = 7
        try mine.save()
        let news = try #require(saved.withLock { $0 })
        #expect(news.inserted == (isNew ? [takenID] : []) && news.deleted == (isNew ? [] : [takenID]))
        #expect(news.updated == (isNew ? [] : [quakeID]))
        try theirs.mergeChanges(fromContextDidSave: news)
        #expect(held.isDeleted == !isNew)
        let found = try theirs.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == "b"))
        #expect(found.map(\.objectID) == [isNew ? takenID : quakeID] && found.first?[Quake.magnitude] == 7)
      }
      observation.cancel()
    }
  }
}

// C2, D9: the history of saves and batch inserts, and how it is fetched and deleted.
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

extension TestStack {
  /// A stack with history.
  static func tracked(_ entities: [EntityDescription] = [.quake()]) throws -> TestStack {
    try TestStack(entities) { $0.tracksPersistentHistory = true }
  }

  /// All transactions after the token.
  func history(
    after token: PersistentHistoryToken? = nil, _ change: (inout PersistentHistoryChangeRequest) -> Void = { _ in }
  ) throws -> [PersistentHistoryTransaction] {
    var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
    change(&request)
    return try execute(request).transactions
  }

  @discardableResult
  func execute(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    let context = context()
    return try context.performAndWait { try context.execute(request) }
  }

  /// The error of the request.
  func error(of request: PersistentHistoryChangeRequest) throws -> ObjectGraphError {
    try #require(throws: ObjectGraphError.self) { try execute(request) }
  }
}

extension PersistentHistoryTransaction {
  /// The changes as `insert Quake/p1`, updates with their properties.
  var told: [String] {
    (changes ?? []).map { change in
      let object = change.changedObjectID.uriRepresentation().split(separator: "/").suffix(2).joined(separator: "/")
      let properties = change.updatedProperties.map { " " + $0.joined(separator: ",") } ?? ""
      return "\(change.changeType) \(object)\(properties)"
    }
  }
}

@Suite("C2 · persistent history", .tags(.c2, .d9))
struct HistoryTests {
  @Test("A save is one transaction with each object's change, its author and its context; so is a batch request")
  func changes() throws {
    let stack = try TestStack.tracked()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      context.transactionAuthor = "me"
      context.name = "import"
      #expect(context.transactionAuthor == "me" && context.name == "import")
      let (a, b) = (try Quake.insert("a", into: context), try Quake.insert("b", into: context))
      try context.save()
      a[Quake.magnitude] = 7
      a[Quake.place] = "There"
      try context.delete(b)
      try Quake.insert("c", into: context)
      try context.save()
      context.transactionAuthor = nil
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: [Quake.row("d"), Quake.row("a"), Quake.row("d")]))
    }
    let transactions = try stack.history()
    #expect(
      transactions.map(\.told) == [
        ["insert Quake/p1", "insert Quake/p2"],
        ["delete Quake/p2", "update Quake/p1 magnitude,place", "insert Quake/p3"],
        ["insert Quake/p4", "update Quake/p1 magnitude,place,time"],
      ])
    #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
    #expect(transactions.map(\.author) == ["me", "me", nil])
    #expect(transactions.map(\.contextName) == ["import", "import", "import"])
    #expect(Set(transactions.map(\.processID)).count == 1 && transactions[0].processID?.isEmpty == false)
    #expect(transactions.allSatisfy { $0.bundleID == $0.processID })
    let first = try #require(transactions[0].changes?.first)
    #expect(first.transaction.token == transactions[0].token && first.transaction.changes == nil)
    #expect(transactions.flatMap { $0.changes ?? [] }.map(\.changeID) == Array(1...7))
    #expect(
      zip(transactions, transactions.dropFirst()).allSatisfy { $0.token < $1.token && $0.timestamp <= $1.timestamp })
    #expect(
      try stack.rows("SELECT DISTINCT ZNAME FROM ATRANSACTIONSTRING WHERE ZNAME IN ('me', 'import') ORDER BY 1") == [
        "import", "me",
      ])
    #expect(
      try stack.rows("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1") == [
        "16001|7", "16002|3", "16003|3",
      ])
    #expect(try stack.rows("SELECT count(*) FROM ACHANGE WHERE Z_ENT = 16001 AND Z_OPT IS NULL") == ["7"])
  }

  @Test("Cascaded, nullified and linked objects are recorded with what happened to them")
  func relationships() throws {
    let library = try Library.stack()
    var description = library.description()
    description.tracksPersistentHistory = true
    try library.coordinator.close()
    try library.coordinator.addPersistentStore(description)
    let context = library.context()
    try context.performAndWait { () throws in
      let band = try Library.make("Band", "The Band", in: context)
      let album = try Library.make("Album", "Stage Fright", in: context)
      let track = try Library.make("Track", "The Shape I'm In", in: context)
      let manager = try Library.make("Manager", "Albert", in: context)
      try album.setObject(band, forKey: "artist")
      try album.addObject(track, forKey: "tracks")
      try manager.setObject(band, forKey: "client")
      try context.save()
      let list = try Library.make("Playlist", "Best", in: context)
      try list.addObject(track, forKey: "tracks")
      try context.save()
      try context.delete(band)
      try context.save()
    }
    let told = try library.history().map(\.told)
    #expect(Set(told[0]) == ["insert Band/p1", "insert Album/p1", "insert Track/p1", "insert Manager/p1"])
    #expect(Set(told[1]) == ["insert Playlist/p1", "update Track/p1 lists"])
    #expect(
      Set(told[2]) == [
        "delete Band/p1", "delete Album/p1", "delete Track/p1", "update Manager/p1 client", "update Playlist/p1 tracks",
      ])
    #expect(told.map(\.count) == [4, 2, 5])
  }

  @Test("A row replaced because of a unique value is recorded as deleted, an overwritten one as updated")
  func replaced() throws {
    let stack = try TestStack.tracked()
    let context = stack.context(.overwrite)
    try context.performAndWait { () throws in
      let a = try Quake.insert("a", into: context)
      try Quake.insert("b", into: context)
      try context.save()
      a[Quake.code] = "b"
      try context.save()
      try Quake.insert("b", 9, into: context)
      try Quake.insert("b", 10, into: context)
      try Quake.insert("n", 1, into: context)
      try Quake.insert("n", 2, into: context)
      try context.save()
    }
    #expect(
      try stack.history().dropFirst().map(\.told) == [
        ["delete Quake/p2", "update Quake/p1 code"], ["update Quake/p1 magnitude,place,time", "insert Quake/p5"],
      ])
  }
}

extension HistoryTests {
  @Test("Batch updates and deletes are transactions with every row they change, of each entity, nullified ones too")
  func batches() throws {
    func name(_ preserved: Bool) -> AttributeDescription {
      .init("name", .string, preservesValueInHistoryOnDeletion: preserved)
    }
    let stack = try TestStack.tracked([
      EntityDescription(
        "Owner", attributes: [name(false)],
        relationships: [
          .init("animals", to: "Animal", inverse: "owner", isToMany: true, deleteRule: .cascade),
          .init("houses", to: "House", inverse: "owner", isToMany: true),
        ]),
      EntityDescription(
        "Animal", attributes: [name(true)], relationships: [.init("owner", to: "Owner", inverse: "animals")]),
      EntityDescription("Dog", superentity: "Animal", attributes: [.init("age", .int16, isOptional: true)]),
      EntityDescription(
        "House", attributes: [name(false)], relationships: [.init("owner", to: "Owner", inverse: "houses")]),
    ])
    let context = stack.context()
    let token = try context.performAndWait { () throws -> PersistentHistoryToken? in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      for entity in ["Animal", "Dog", "House", "House"] {
        let object = try context.insertNewObject(forEntityName: entity)
        try object.setValue("x", forKey: "name")
        try object.setObject(owner, forKey: "owner")
      }
      try owner.setValue("o", forKey: "name")
      try context.save()
      context.transactionAuthor = "batch"
      let token = try stack.coordinator.currentPersistentHistoryToken()
      try context.execute(
        BatchUpdateRequest(
          entityName: "Animal", propertiesToUpdate: ["name": "y"],
          predicate: try FetchPredicate(format: "name == %@", arguments: ["x"])))
      try context.execute(BatchUpdateRequest(entityName: "Dog", propertiesToUpdate: ["name": "z"]))
      try context.execute(
        BatchUpdateRequest(
          entityName: "Animal", propertiesToUpdate: ["name": "y"],
          predicate: try FetchPredicate(format: "name == %@", arguments: ["nobody"])))
      try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Owner")))
      var last = FetchRequest(entityName: "House")
      last.fetchLimit = 1
      try context.execute(BatchDeleteRequest(fetchRequest: last))
      return token
    }
    let transactions = try stack.history(after: token)
    #expect(
      transactions.map(\.told) == [
        ["update Animal/p1 name", "update Dog/p2 name"], ["update Dog/p2 name"],
        ["update House/p1 owner", "update House/p2 owner", "delete Owner/p1", "delete Animal/p1", "delete Dog/p2"],
        ["delete House/p1"],
      ])
    #expect(transactions.allSatisfy { $0.author == "batch" })
    let tombstones = (transactions[2].changes ?? []).suffix(2).map { $0.tombstone }
    #expect(tombstones == [["name": "y"], ["name": "z"]])
  }

  @Test("A row that changes its entity is recorded as one object's deletion and another's insertion")
  func reclassification() throws {
    let stack = try TestStack.tracked([.quake(), EntityDescription("Aftershock", superentity: "Quake")])
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a"), Quake.row("b")]))
      try context.execute(BatchInsertRequest(entityName: "Aftershock", objects: [Quake.row("b"), Quake.row("c")]))
      try context.execute(BatchInsertRequest(entityName: "Aftershock", objects: [Quake.row("b")]))
    }
    #expect(
      try stack.history().map(\.told) == [
        ["insert Quake/p1", "insert Quake/p2"], ["delete Quake/p2", "insert Aftershock/p2", "insert Aftershock/p4"],
        ["update Aftershock/p2 magnitude,place,time"],
      ])
  }

  @Test("A batch insert in several transactions has as many in history")
  func transactionSize() throws {
    let stack = try TestStack.tracked()
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = BatchInsertRequest(entityName: "Quake", objects: (1...5).map { Quake.row("\($0)") })
      request.transactionSize = 2
      try context.execute(request)
    }
    #expect(try stack.history().map { $0.changes?.count } == [2, 2, 1])
  }

  @Test("Rows of a failed save or batch are in no history, and its numbers are used by the next")
  func failures() throws {
    let stack = try TestStack.tracked()
    let context = stack.context()
    try context.performAndWait { () throws in
      context.transactionAuthor = "author"
      try Quake.insert("a", into: context)
      try Quake.insert("a", into: context)
      #expect(throws: ObjectGraphError.self) { try context.save() }
      context.reset()
      #expect(throws: ObjectGraphError.self) {
        try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a"), ["code": "b"]]))
      }
      #expect(try stack.rows("SELECT 1 FROM ACHANGE UNION ALL SELECT 1 FROM ATRANSACTION") == [])
      try Quake.insert("a", into: context)
      try context.save()
      // There is nothing new, so nothing is reported.
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a")]))
      try context.save()
    }
    let transactions = try stack.history()
    #expect(transactions.map(\.told) == [["insert Quake/p1"]])
    #expect(transactions.map(\.author) == ["author"] && transactions[0].transactionNumber == 1)
  }
}

extension HistoryTests {
  @Test("An author whose first transaction could not be committed is recorded by the next one")
  func failedCommit() throws {
    let stack = try TestStack.tracked()
    let store = try #require(stack.coordinator.openStores.first)
    let context = stack.context()
    try context.performAndWait { () throws in
      context.transactionAuthor = "new"
      context.name = "import"
      try Quake.insert("a", into: context)
      try store.withWriterAsItIs { $0.connection.refuse("COMMIT") }
      #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .authorization)
      try store.withWriterAsItIs { $0.connection.refuse(nil) }
      #expect(try stack.history().isEmpty)
      try context.save()
    }
    let transactions = try stack.history()
    #expect(transactions.map(\.author) == ["new"] && transactions.map(\.contextName) == ["import"])
    #expect(transactions.map(\.transactionNumber) == [1] && transactions[0].processID != nil)
  }

  @Test("A key cleared because its row changed its entity is recorded as an update of its own object")
  func emptiedKey() throws {
    let stack = try TestStack.tracked([
      EntityDescription("Animal", attributes: [.init("tag", .string)], uniquenessConstraints: [["tag"]]),
      EntityDescription(
        "Cat", superentity: "Animal",
        relationships: [.init("keeper", to: "Keeper", inverse: "cat")]),
      EntityDescription("Dog", superentity: "Animal"),
      EntityDescription("Keeper", relationships: [.init("cat", to: "Cat", inverse: "keeper")]),
    ])
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (cat, keeper) = (
        try context.insertNewObject(forEntityName: "Cat"), try context.insertNewObject(forEntityName: "Keeper")
      )
      try cat.setValue("t", forKey: "tag")
      try keeper.setObject(cat, forKey: "cat")
      try context.save()
      try context.execute(BatchInsertRequest(entityName: "Dog", objects: [["tag": "t"]]))
    }
    #expect(try stack.rows("SELECT ZCAT, Z_OPT FROM ZKEEPER") == ["NULL|2"])
    #expect(
      Set(try #require(try stack.history().last).told)
        == ["delete Cat/p1", "update Keeper/p1 cat", "insert Dog/p1"])
  }

  @Test("History keeps the preserved values of a deleted object")
  func tombstones() throws {
    var quake = EntityDescription.quake()
    for index in quake.attributes.indices where ["code", "time"].contains(quake.attributes[index].name) {
      quake.attributes[index].preservesValueInHistoryOnDeletion = true
    }
    let stack = try TestStack.tracked([
      quake,
      EntityDescription(
        "Aftershock", superentity: "Quake",
        attributes: [.init("after", .int64, isOptional: true, preservesValueInHistoryOnDeletion: true)]),
    ])
    let context = stack.context(.overwrite)
    try context.performAndWait { () throws in
      let a = try Quake.insert("a", into: context)
      let b = try context.insertNewObject(forEntityName: "Aftershock")
      b[Quake.code] = "b"
      b[Quake.time] = Date(timeIntervalSinceReferenceDate: 3)
      try b.setValue(.integer(4), forKey: "after")
      let c = try Quake.insert("c", into: context)
      try context.save()
      a[Quake.code] = "unsaved"
      try context.delete(a)
      c[Quake.code] = "b"
      try context.save()
    }
    let changes = try #require(try stack.history().last?.changes)
    #expect(changes.map(\.changedObjectID.entityName) == ["Quake", "Aftershock", "Quake"])
    let half = AttributeValue.date(Date(timeIntervalSinceReferenceDate: 0.5))
    #expect(changes[0].tombstone == ["code": "a", "time": half])
    #expect(
      changes[1].tombstone == [
        "after": 4, "code": "b", "time": .date(Date(timeIntervalSinceReferenceDate: 3)),
      ])
    #expect(changes[2].tombstone == nil)
  }

  @Test("A save's notification names its transaction, but only if history is kept")
  func token() throws {
    for isTracked in [true, false] {
      let stack = try TestStack { $0.tracksPersistentHistory = isTracked }
      let context = stack.context()
      let tokens = Lock<[PersistentHistoryToken?]>([])
      let observation = context.observe(.didSave) { news in tokens.withLock { $0.append(news.historyToken) } }
      let before = try stack.coordinator.currentPersistentHistoryToken()
      try context.performAndWait { () throws in
        try Quake.insert("a", into: context)
        try context.save()
      }
      let current = try stack.coordinator.currentPersistentHistoryToken()
      #expect(tokens.withLock { $0 } == [current])
      #expect(before?.transactionNumber == (isTracked ? 0 : nil))
      #expect(current?.transactionNumber == (isTracked ? 1 : nil))
      if let current {
        let data = try JSONEncoder().encode(current)
        #expect(try JSONDecoder().decode(PersistentHistoryToken.self, from: data) == current)
        #expect(current.description.contains(current.storeID))
      }
      withExtendedLifetime(observation) {}
    }
  }
}

// B1 to B4, B9: batch deletes by request and by object IDs, and the effects of delete rules on other rows.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("B1 B2 B3 B4 · batch delete")
struct BatchDeleteTests {
  /// A library with two labels, three artists, and two albums of three tracks each; four tracks are in a list.
  private func filled(_ stack: TestStack, _ context: ManagedObjectContext) throws {
    let label = try Library.make("Label", "Blue", in: context)
    try Library.make("Label", "Empty", in: context)
    let band = try Library.make("Band", "Can", in: context)
    let artist = try Library.make("Artist", "Nina", in: context)
    try Library.make("Artist", "Alone", in: context)
    try band.setObject(try Library.make("Manager", "M", in: context), forKey: "manager")
    try band.addObject(artist, forKey: "friends")
    for artist in [band, artist] { try artist.setObject(label, forKey: "label") }
    let list = try Library.make("Playlist", "List", in: context)
    for (name, artist) in [("A", band), ("B", artist)] {
      let album = try Library.make("Album", name, in: context)
      try album.setObject(artist, forKey: "artist")
      for number in 1...3 {
        let track = try Library.make("Track", "\(name)\(number)", in: context)
        try album.addObject(track, forKey: "tracks")
        if number < 3 { try list.addObject(track, forKey: "tracks") }
      }
    }
    try context.save()
    context.reset()
  }

  private func request(_ entity: String, _ format: String? = nil) throws -> BatchDeleteRequest {
    var request = BatchDeleteRequest(
      fetchRequest: FetchRequest(
        entityName: entity, predicate: try format.map { (format) throws in try FetchPredicate(format: format) }))
    request.resultType = .count
    return request
  }

  @Test(
    "A required inverse is not an obstacle if another relationship's cascade deletes its row too", .tags(.b3))
  func requiredInverseOfDeletedRows() throws {
    let stack = try TestStack([
      EntityDescription(
        "Owner", attributes: [.init("name", .string, isOptional: true)],
        relationships: [
          .init("pets", to: "Pet", inverse: "owner", isToMany: true),
          .init("favourites", to: "Pet", inverse: "admirer", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Pet",
        relationships: [
          .init("owner", to: "Owner", inverse: "pets", isOptional: false, minimumCount: 1),
          .init("admirer", to: "Owner", inverse: "favourites"),
        ]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      let (loved, other) = (
        try context.insertNewObject(forEntityName: "Pet"), try context.insertNewObject(forEntityName: "Pet")
      )
      for pet in [loved, other] { try pet.setObject(owner, forKey: "owner") }
      try loved.setObject(owner, forKey: "admirer")
      try context.save()
      guard
        case .deletionRefused(.requiredInverse("owner"), _, "pets", "Pet", 1) = objectGraphError({
          try context.execute(request("Owner"))
        })
      else { throw TestFailure("the pet that stays needs its owner") }
      try context.delete(other)
      try context.save()
      let deleted = try context.execute(request("Owner"))
      #expect(deleted == .count(2), "the owner, and the pet that is deleted with it")
    }
    #expect(try stack.rows("SELECT 1 FROM ZPET UNION ALL SELECT 1 FROM ZOWNER") == [])
  }

  @Test("Without a predicate every row of the entity is deleted, with a predicate the matching ones", .tags(.b1, .b9))
  func byPredicate() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (1...10).map { Quake.row("q\($0)", Double($0)) }))
      #expect(try context.execute(request("Quake", "magnitude > 7")) == .count(3))
      var some = try request("Quake", "magnitude <= 2")
      some.resultType = .objectIDs
      guard case .objectIDs(let objectIDs) = try context.execute(some) else { throw TestFailure("no IDs") }
      #expect(objectIDs.map { $0.uriRepresentation().suffix(8) } == ["Quake/p1", "Quake/p2"])
      #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY Z_PK") == ["q3", "q4", "q5", "q6", "q7"])
      #expect(try context.execute(request("Quake")) == .count(5))
      some.resultType = .statusOnly
      #expect(try context.execute(some) == .statusOnly(true))
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["10"], "keys are not handed out again")
  }

  @Test("A limit bounds the request, and an order and an offset choose the rows", .tags(.b4))
  func limit() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (1...10).map { Quake.row("q\($0)", Double($0 % 5)) }))
      var fetch = FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "magnitude > 0"))
      fetch.fetchLimit = 3
      try context.execute(BatchDeleteRequest(fetchRequest: fetch))
      #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY Z_PK") == ["q4", "q5", "q6", "q7", "q8", "q9", "q10"])
      fetch.sortDescriptors = [FetchSortDescriptor("magnitude", ascending: false)]
      fetch.fetchOffset = 1
      fetch.fetchLimit = 2
      try context.execute(BatchDeleteRequest(fetchRequest: fetch))
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY Z_PK") == ["q4", "q5", "q6", "q7", "q10"])
  }
}

extension BatchDeleteTests {
  @Test("Rows without relationships are deleted by the one statement a person would write", .tags(.b1))
  func oneStatement() throws {
    let stack = try TestStack()
    let lines = Lock<[String]>([])
    try stack.coordinator.close()
    var description = stack.description()
    description.sqlTrace = SQLTrace { line in lines.withLock { $0.append(line) } }
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    lines.withLock { $0 = [] }
    try context.performAndWait { () throws in
      try context.execute(request("Quake"))
      try context.execute(request("Quake", "magnitude > 7"))
    }
    let statements = lines.withLock { $0 }.filter { $0.hasPrefix("ObjectGraph: sql:") }
      .map { $0.dropFirst("ObjectGraph: sql: ".count) }
    #expect(
      statements == [
        "BEGIN IMMEDIATE", "DELETE FROM ZQUAKE AS t0", "COMMIT", "BEGIN IMMEDIATE",
        "DELETE FROM ZQUAKE AS t0 WHERE ((t0.ZMAGNITUDE > ?))", "COMMIT",
      ])
  }

  @Test("A predicate may follow to-one and to-many relationships", .tags(.b4))
  func joins() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(stack, context)
      #expect(
        try context.execute(request("Track", "album.artist.name = 'Nina' AND ANY lists.name = 'List'")) == .count(2))
      #expect(try context.execute(request("Label", "artists.@count = 0")) == .count(1))
      #expect(try context.execute(request("Album", "artist.label.name = 'None'")) == .count(0))
    }
    #expect(try stack.rows("SELECT ZTITLE FROM ZTRACK ORDER BY 1") == ["A1", "A2", "A3", "B3"])
    #expect(try stack.rows("SELECT count(*) FROM \(try joinTable(stack))") == ["2"])
  }

  private func joinTable(_ stack: TestStack, like name: String = "%TRACKS%") throws -> String {
    try #require(
      try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\_%\(name)' ESCAPE '\\'")
        .first)
  }

  @Test("Cascades reach any depth and end in any circle, and remaining rows lose their pairs and keys", .tags(.b3))
  func cascade() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(stack, context)
      var request = try request("Band")
      request.resultType = .changes
      guard case .changes(let changes) = try context.execute(request) else { throw TestFailure("no changes") }
      #expect(changes.deleted.map(\.entityName).sorted() == ["Album", "Band", "Track", "Track", "Track"])
      #expect(changes.updated.map(\.entityName) == ["Manager"])
      #expect(changes.inserted.isEmpty)
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZARTIST ORDER BY 1") == ["Alone", "Nina"])
    #expect(try stack.rows("SELECT ZTITLE FROM ZALBUM") == ["B"])
    #expect(try stack.rows("SELECT ZTITLE FROM ZTRACK ORDER BY 1") == ["B1", "B2", "B3"])
    #expect(try stack.rows("SELECT ZCLIENT, Z2_CLIENT, Z_OPT FROM ZMANAGER") == ["NULL|NULL|2"])
    #expect(try stack.rows("SELECT count(*) FROM \(try joinTable(stack))") == ["2"])
    #expect(try stack.rows("SELECT count(*) FROM \(try joinTable(stack, like: "%FRIENDS%"))") == ["0"])
    try context.performAndWait { () throws in
      context.reset()
      #expect(try Library.find("Playlist", "List", in: context).names("tracks") == ["B1", "B2"])
    }
  }

  @Test("Deny refuses the whole request and names the relationship, unless the others are deleted too", .tags(.b3))
  func deny() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(stack, context)
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request("Label")) }
      #expect(
        error
          == .deletionRefused(.deny, entity: "Label", relationship: "artists", destination: "Artist", count: 2))
      #expect(error?.code == 1600)
      #expect("\(try #require(error))".contains("'artists'"))
      #expect(try stack.rows("SELECT count(*) FROM ZLABEL") == ["2"])
      try context.execute(request("Artist"))
      #expect(try context.execute(request("Label")) == .count(2))
    }
  }

  private func owners(_ rule: DeleteRule, requiresOwner: Bool = false, isOrdered: Bool = true) throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            "things", to: "Thing", inverse: "owner", isToMany: true, isOrdered: isOrdered, deleteRule: rule)
        ]),
      EntityDescription("King", superentity: "Owner"),
      EntityDescription(
        "Thing", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("owner", to: "Owner", inverse: "things", isOptional: !requiresOwner)
        ]),
    ])
  }

  private func fillOwners(_ context: ManagedObjectContext) throws {
    for name in ["O", "P"] {
      let owner = try Library.make(name == "O" ? "King" : "Owner", name, in: context)
      for number in 1...2 {
        try owner.addObject(try Library.make("Thing", "\(name)\(number)", in: context), forKey: "things")
      }
    }
    try context.save()
  }
}

extension BatchDeleteTests {
  @Test("Nullify clears key, entity and order, and increments the version; no action leaves them", .tags(.b3))
  func nullify() throws {
    for rule in [DeleteRule.nullify, .noAction] {
      let stack = try owners(rule)
      let context = stack.context()
      try context.performAndWait { () throws in
        try fillOwners(context)
        #expect(try context.execute(request("Owner", "name = 'O'")) == .count(1))
      }
      let rows = try stack.rows(
        "SELECT ZNAME, ZOWNER IS NULL, Z1_OWNER IS NULL, Z_FOK_OWNER IS NULL, Z_OPT FROM ZTHING ORDER BY 1")
      let gone = rule == .nullify ? "1|1|1|2" : "0|0|0|1"
      #expect(rows == ["O1|\(gone)", "O2|\(gone)", "P1|0|0|0|1", "P2|0|0|0|1"])
    }
  }

  @Test("A required inverse refuses the whole request and deletes nothing", .tags(.b3))
  func requiredInverse() throws {
    let stack = try owners(.nullify, requiresOwner: true)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fillOwners(context)
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request("Owner")) }
      #expect(
        error
          == .deletionRefused(
            .requiredInverse("owner"), entity: "Owner", relationship: "things", destination: "Thing", count: 4))
      #expect(error?.code == 1570)
    }
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZOWNER), (SELECT sum(Z_OPT) FROM ZTHING)") == ["2|4"])
  }

  @Test(
    "Object IDs of one entity are deleted; IDs of several entities, temporary and foreign ones are refused", .tags(.b2))
  func byObjectIDs() throws {
    let stack = try owners(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fillOwners(context)
      let things = try context.fetchObjectIDs(FetchRequest(entityName: "Thing"))
      let owners = try context.fetchObjectIDs(FetchRequest(entityName: "Owner"))
      for mixed in [things + owners, owners] {
        let error = #expect(throws: ObjectGraphError.self) { () throws in
          try context.execute(BatchDeleteRequest(objectIDs: mixed))
        }
        #expect("\(try #require(error))".contains("expected IDs of one entity"))
      }
      let new = try Library.make("Thing", "new", in: context)
      #expect(throws: ObjectGraphError.self) { () throws in
        try context.execute(BatchDeleteRequest(objectIDs: [new.objectID]))
      }
      let other = try self.owners(.cascade)
      let otherContext = other.context()
      let foreign = try otherContext.performAndWait { () throws in
        try fillOwners(otherContext)
        return try otherContext.fetchObjectIDs(FetchRequest(entityName: "Thing"))
      }
      #expect(throws: ObjectGraphError.foreignObject(foreign[0])) { () throws in
        try context.execute(BatchDeleteRequest(objectIDs: foreign))
      }
      #expect(try stack.rows("SELECT count(*) FROM ZTHING") == ["4"])
      var request = BatchDeleteRequest(objectIDs: [things[0], things[0], things[3]])
      request.resultType = .count
      #expect(try context.execute(request) == .count(2))
      #expect(try context.execute(request) == .count(0), "what is gone already is passed over")
      #expect(try context.execute(BatchDeleteRequest(objectIDs: [])) == .statusOnly(true))
      // Cascades count, too.
      var king = BatchDeleteRequest(objectIDs: owners.filter { $0.entityName == "King" })
      king.resultType = .count
      #expect(try context.execute(king) == .count(2))
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZTHING") == ["P1"])
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER") == ["P"])
  }
}

extension BatchDeleteTests {
  @Test("Sub-entities stay if the request excludes them", .tags(.b1))
  func subentities() throws {
    let stack = try owners(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fillOwners(context)
      var fetch = FetchRequest(entityName: "Owner")
      fetch.includesSubentities = false
      try context.execute(BatchDeleteRequest(fetchRequest: fetch))
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZTHING") == ["O1", "O2"])
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER") == ["O"])
  }

  @Test("A batch delete does not check how many objects remaining relationships need or allow", .tags(.b3))
  func counts() throws {
    let stack = try TestStack([
      EntityDescription(
        "Team",
        relationships: [
          .init("players", to: "Player", inverse: "team", isToMany: true, isOptional: false, minimumCount: 2)
        ]),
      EntityDescription("Player", relationships: [.init("team", to: "Team", inverse: "players")]),
    ])
    stack.mayBreakRules = true
    let context = stack.context()
    try context.performAndWait { () throws in
      let team = try context.insertNewObject(forEntityName: "Team")
      let players = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Player") }
      try team.setObjects(players, forKey: "players")
      try context.save()
      try context.delete(players[0])
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.code) == [.relationshipLacksMinimumCount], "a save does")
      context.rollback()
      #expect(try context.execute(request("Player")) == .count(2))
    }
    #expect(try stack.rows("SELECT (SELECT COUNT(*) FROM ZTEAM), (SELECT COUNT(*) FROM ZPLAYER)") == ["1|0"])
  }

  @Test("A chain of 5,000 is deleted with its first link", .tags(.b3))
  func longChain() throws {
    let stack = try TestStack([
      EntityDescription(
        "Link",
        relationships: [
          RelationshipDescription("next", to: "Link", inverse: "previous", deleteRule: .cascade),
          RelationshipDescription("previous", to: "Link", inverse: "next"),
        ])
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      var last = try context.insertNewObject(forEntityName: "Link")
      for _ in 1..<5_000 {
        let link = try context.insertNewObject(forEntityName: "Link")
        try last.setObject(link, forKey: "next")
        last = link
      }
      try context.save()
      var fetch = FetchRequest(entityName: "Link", predicate: try FetchPredicate(format: "previous = nil"))
      fetch.fetchLimit = 1
      var request = BatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .count
      #expect(try context.execute(request) == .count(5_000))
    }
  }

  @Test("A fetch that only dictionaries can answer is refused", .tags(.b1))
  func wrongFetches() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var fetch = FetchRequest(entityName: "Quake")
      fetch.returnsDistinctResults = true
      let distinct = BatchDeleteRequest(fetchRequest: fetch)
      #expect(throws: ObjectGraphError.self) { () throws in try context.execute(distinct) }
      #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request("Quake", "magnitud > 7")) }
      #expect(throws: ObjectGraphError.unknownEntity(found: "Quak", expected: ["Quake"])) {
        () throws in try context.execute(request("Quak"))
      }
    }
  }
}

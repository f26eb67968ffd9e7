// B10, D2: one entity in several stores: where objects are stored, which stores are queried, and that nothing is half
// done.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("B10 · several stores hold the same entity", .tags(.b10))
struct SeveralStoresTests {
  @Test("New objects are stored in the first writable store, or in the assigned one")
  func insertion() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      let first = try context.make("Book", ["code": "a"])
      let second = try context.make("Book", ["code": "b"])
      try context.assign(second, to: files.stores[1])
      try context.save()
      #expect(first.objectID.persistentStore == files.stores[0])
      #expect(second.objectID.persistentStore == files.stores[1])
      // Both have the same key.
      #expect(first.objectID.uriRepresentation().hasSuffix("/p1"))
      #expect(second.objectID.uriRepresentation().hasSuffix("/p1"))
      #expect(first.objectID != second.objectID)
      first["title"] = "first"
      second["title"] = "second"
      try context.save()
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZTITLE, Z_OPT FROM ZBOOK") == ["a|first|2"])
    #expect(try files.rows(1, "SELECT ZCODE, ZTITLE, Z_OPT FROM ZBOOK") == ["b|second|2"])
    let other = files.context()
    try other.performAndWait { () throws in
      #expect(try other.codes(FetchRequest(entityName: "Book")) == ["a", "b"])
      let objects = Array(try other.fetch(FetchRequest(entityName: "Book")))
      #expect(objects[0] !== objects[1])
      try other.delete(objects[1])
      try other.save()
    }
    #expect(try files.codes(0) == ["a"])
    #expect(try files.codes(1) == [])
  }

  @Test("A child context's objects are stored where the child assigned them")
  func child() throws {
    let files = try SeveralStores(2)
    let parent = files.context()
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let author = try child.make("Author", ["name": "A"])
      let book = try child.make("Book", ["code": "a"])
      try child.assign(author, to: files.stores[1])
      try child.assign(book, to: files.stores[1])
      try book.setObject(author, forKey: "author")
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
      #expect(try child.codes(FetchRequest(entityName: "Book")) == ["a"])
      #expect(book.objectID.persistentStore == files.stores[1])
      #expect(try book.object(forKey: "author") === author)
    }
    #expect(try files.rows(1, "SELECT b.ZCODE, a.ZNAME FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR") == ["a|A"])
  }

  @Test("Objects read along relationships are of the same store, even if keys are equal")
  func relationships() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      for (number, store) in files.stores.enumerated() {
        let author = try context.make("Author", ["name": .string("author \(number)")])
        let tag = try context.make("Tag", ["name": .string("tag \(number)")])
        let books = try (0..<2).map { try context.make("Book", ["code": .string("\(number)\($0)")]) }
        for object in [author, tag] + books { try context.assign(object, to: store) }
        try author.setObjects(books, forKey: "books")
        try tag.setObjects(books, forKey: "books")
      }
      try context.save()
      context.reset()
      var request = FetchRequest(entityName: "Author", sortDescriptors: [FetchSortDescriptor("name")])
      request.relationshipKeyPathsForPrefetching = ["books.tags"]
      for (number, author) in try context.fetch(request).enumerated() {
        let books = try author.objects(forKey: "books")
        #expect(books.map { $0["code"].text } == ["\(number)0", "\(number)1"])
        for book in books {
          #expect(book.objectID.persistentStore == files.stores[number])
          #expect(try book.object(forKey: "author") === author)
          #expect(try book.objects(forKey: "tags").map { $0["name"].text } == ["tag \(number)"])
        }
      }
      let byAuthor = FetchRequest(
        entityName: "Book", predicate: try FetchPredicate(format: "author.name == 'author 1'"))
      #expect(try context.codes(byAuthor) == ["10", "11"])
      let author = try #require(try context.fetch(request).first)
      let ofAuthor = FetchRequest(
        entityName: "Book", predicate: try FetchPredicate(format: "author == %@", arguments: [author.objectID]))
      #expect(try context.codes(ofAuthor) == ["00", "01"])
      try context.delete(author)
      try context.save()
    }
    #expect(try files.codes(0) == [])
    #expect(try files.codes(1) == ["10", "11"])
    #expect(try files.rows(1, "SELECT count(*) FROM Z_2TAGS") == ["2"])
  }

  @Test("A relationship across stores is refused, by the change that makes it or by the save")
  func acrossStores() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      let (author, other) = (try context.make("Author"), try context.make("Author"))
      try context.assign(other, to: files.stores[1])
      let tag = try context.make("Tag")
      try context.assign(tag, to: files.stores[1])
      try context.save()
      let book = try context.make("Book", ["code": "a"])
      func across(_ key: String, _ object: ManagedObject, _ store: Int, _ destination: ManagedObject, _ there: Int)
        -> ObjectGraphError
      {
        .relationshipAcrossStores(
          key: key, object: object.objectID, store: files.path(store), destination: destination.objectID,
          destinationStore: files.path(there))
      }
      // If both stores are known, this fails at once and changes nothing.
      #expect(
        objectGraphError { try book.setObject(other, forKey: "author") } == across("author", book, 0, other, 1))
      #expect(objectGraphError { try other.addObject(book, forKey: "books") } == across("books", other, 1, book, 0))
      #expect(objectGraphError { try book.addObject(tag, forKey: "tags") } == across("tags", book, 0, tag, 1))
      #expect(try book.object(forKey: "author") == nil)
      // A linked object cannot be assigned to another store.
      try book.setObject(author, forKey: "author")
      #expect(
        objectGraphError { try context.assign(book, to: files.stores[1]) } == across("author", book, 1, author, 0))
      try context.save()
      #expect(objectGraphError { try book.setObject(other, forKey: "author") } != nil)
      #expect(try !other.objects(forKey: "books").contains(book))
      // The object with the same key in the other store is a different one.
      try other.removeObject(book, forKey: "books")
      #expect(try book.object(forKey: "author") === author)

      // For two new objects, the save reports it and leaves the context unchanged.
      let (newAuthor, newBook) = (try context.make("Author"), try context.make("Book", ["code": "b"]))
      try newBook.setObject(newAuthor, forKey: "author")
      try context.assign(newBook, to: files.stores[1])
      book["title"] = "changed"
      #expect(objectGraphError { try context.save() } == across("author", newBook, 1, newAuthor, 0))
      #expect(context.insertedObjects == [newAuthor, newBook] && context.updatedObjects == [book])
      #expect(try newBook.object(forKey: "author") === newAuthor)
      let newTag = try context.make("Tag")
      try newTag.addObject(newBook, forKey: "books")
      try context.assign(newAuthor, to: files.stores[1])
      #expect(objectGraphError { try context.save() } == across("tags", newBook, 1, newTag, 0))
      try context.assign(newTag, to: files.stores[1])
      try context.save()
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZTITLE, ZAUTHOR FROM ZBOOK") == ["a|changed|1"])
    #expect(try files.rows(1, "SELECT ZCODE, ZAUTHOR FROM ZBOOK") == ["b|2"])
    #expect(try files.rows(1, "SELECT count(*) FROM Z_2TAGS") == ["1"])
  }
}

extension SeveralStoresTests {
  @Test("Only new objects can be assigned to a store, and only to one that accepts them")
  func assignment() throws {
    let files = try SeveralStores(3) { number, description in
      if number == 1 { description.configuration = "Notes" }
    }
    var readOnly = PersistentStoreDescription(path: files.path(2))
    readOnly.isReadOnly = true
    try files.coordinator.remove(files.stores[2])
    let third = try files.coordinator.addPersistentStore(readOnly)
    let context = files.context()
    let other = files.context()
    try context.performAndWait { () throws in
      let book = try context.make("Book", ["code": "a"])
      for store in [files.stores[1], files.stores[2], third] {
        guard case .wrongStore = objectGraphError({ try context.assign(book, to: store) }) else {
          Issue.record("\(store) took a book")
          continue
        }
      }
      let foreign = other.performAndWait { objectGraphError { try other.assign(book, to: files.stores[0]) } }
      #expect(foreign == .foreignObject(book.objectID))
      try context.save()
      #expect(
        objectGraphError { try context.assign(book, to: files.stores[0]) }
          == .objectInStore(book.objectID, path: files.path(0)))
    }
  }

  @Test("A batch insert is sent to one store; updates and deletes are sent to all, or to the given ones")
  func batches() throws {
    let files = try SeveralStores(3)
    let context = files.context()
    try context.performAndWait { () throws in
      var insert = BatchInsertRequest(entityName: "Book", objects: [["code": "a"], ["code": "b"]])
      insert.resultType = .objectIDs
      try context.execute(insert)
      insert.affectedStores = [files.stores[2], files.stores[1]]
      let objectIDs = try #require(try context.execute(insert).objectIDs)
      #expect(objectIDs.map(\.persistentStore) == [files.stores[2], files.stores[2]])
      insert.affectedStores = [files.stores[1]]
      try context.execute(insert)

      var update = BatchUpdateRequest(
        entityName: "Book", propertiesToUpdate: ["title": "t"], predicate: try FetchPredicate(format: "code == 'a'"))
      update.resultType = .count
      #expect(try context.execute(update) == .count(3))
      update.affectedStores = [files.stores[1]]
      #expect(try context.execute(update) == .count(1))
      update.resultType = .objectIDs
      update.affectedStores = [files.stores[2], files.stores[0]]
      let updated = try #require(try context.execute(update).objectIDs)
      #expect(updated.map(\.persistentStore) == [files.stores[0], files.stores[2]])
      #expect(try files.rows(1, "SELECT Z_OPT FROM ZBOOK") == ["3", "1"])

      var delete = BatchDeleteRequest(
        fetchRequest: FetchRequest(entityName: "Book", predicate: try FetchPredicate(format: "code == 'b'")))
      delete.affectedStores = [files.stores[2]]
      delete.resultType = .count
      #expect(try context.execute(delete) == .count(1))
      delete.affectedStores = nil
      delete.resultType = .changes
      let changes = try #require(try context.execute(delete).changes)
      #expect(changes.deleted.map(\.persistentStore) == [files.stores[0], files.stores[1]])
      #expect(try context.codes(FetchRequest(entityName: "Book")) == ["a", "a", "a"])

      let all = Array(try context.fetch(FetchRequest(entityName: "Book")).map(\.objectID))
      var byID = BatchDeleteRequest(objectIDs: [all[2], all[0]])
      byID.affectedStores = [files.stores[0]]
      guard case .wrongStore = objectGraphError({ try context.execute(byID) }) else {
        Issue.record("an ID of another store was taken")
        return
      }
      byID.affectedStores = nil
      byID.resultType = .count
      #expect(try context.execute(byID) == .count(2))
    }
    #expect(try (0..<3).map { try files.codes($0) } == [[], ["a"], []])
  }

  /// The errors of every kind of request about stores.
  private func refusals(of stores: [PersistentStore], _ context: ManagedObjectContext) -> [ObjectGraphError?] {
    var insert = BatchInsertRequest(entityName: "Book", objects: [["code": "a"]])
    insert.affectedStores = stores
    var update = BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["title": "t"])
    update.affectedStores = stores
    var fetch = FetchRequest(entityName: "Book")
    fetch.affectedStores = stores
    return [
      objectGraphError { try context.execute(insert) }, objectGraphError { try context.execute(update) },
      objectGraphError { try context.execute(BatchDeleteRequest(fetchRequest: fetch)) },
      objectGraphError { _ = try context.fetch(fetch) }, objectGraphError { _ = try context.count(for: fetch) },
      objectGraphError { _ = try context.fetchDictionaries(fetch) },
    ]
  }

  @Test("Stores that a request cannot affect are refused", .tags(.b10))
  func wrongStores() throws {
    let files = try SeveralStores(2) { number, description in
      if number == 1 { description.configuration = "Notes" }
    }
    let others = try SeveralStores(1)
    let context = files.context()
    for wrong in [[files.stores[1]], [files.stores[0], others.stores[0]], []] {
      for error in context.performAndWait({ refusals(of: wrong, context) }) {
        guard case .wrongStore = error else {
          Issue.record("found \(String(describing: error)) for \(wrong)")
          return
        }
      }
    }
    try context.performAndWait { () throws in
      try files.coordinator.remove(files.stores[0])
      let book = try context.make("Book", ["code": "a"])
      #expect(objectGraphError { try context.save() } == .entityInNoStore("Book"))
      #expect(context.insertedObjects == [book])
    }
    try others.coordinator.close()
    try context.performAndWait { () throws in
      try files.coordinator.close()
      #expect(objectGraphError { try context.save() } == .noStore)
    }
  }

  @Test("A limited batch delete over several stores is refused, but allowed in one of them")
  func limitedDelete() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a", "b"], into: 0, context)
      try files.insert(["c", "d"], into: 1, context)
      var fetch = FetchRequest(entityName: "Book")
      fetch.fetchLimit = 1
      guard case .invalidBatch = objectGraphError({ try context.execute(BatchDeleteRequest(fetchRequest: fetch)) })
      else {
        Issue.record("a limit over two stores was taken")
        return
      }
      fetch.affectedStores = [files.stores[1]]
      try context.execute(BatchDeleteRequest(fetchRequest: fetch))
    }
    #expect(try files.codes(0) == ["a", "b"])
    #expect(try files.codes(1) == ["d"])
  }
}

extension SeveralStoresTests {
  @Test("A batch insert's handler writes to no store of the coordinator, but may read")
  func reentrance() throws {
    let files = try SeveralStores(2)
    let (context, other) = (files.context(), files.context())
    var errors: [ObjectGraphError?] = []
    var counts: [Int] = []
    try context.performAndWait { () throws in
      var insert = BatchInsertRequest(entityName: "Book") { row in
        if errors.count == 2 { return true }
        row["code"] = .string("\(errors.count)")
        var elsewhere = BatchInsertRequest(entityName: "Book", objects: [["code": "x"]])
        elsewhere.affectedStores = [files.stores[1 - errors.count]]
        errors.append(objectGraphError { try other.performAndWait { () throws in _ = try other.execute(elsewhere) } })
        counts.append((try? context.count(for: FetchRequest(entityName: "Book"))) ?? -1)
        return false
      }
      insert.affectedStores = [files.stores[0]]
      try context.execute(insert)
    }
    #expect(errors == [.reentrantRequest, .reentrantRequest])
    #expect(counts == [0, 0])
    #expect(try files.codes(0) == ["0", "1"])
  }

  @Test("A read-only store is read with the others, and never written")
  func readOnly() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["b", "d"], into: 1, context)
      try files.coordinator.remove(files.stores[1])
      var description = PersistentStoreDescription(path: files.path(1))
      description.isReadOnly = true
      // It comes first in the order this time, and new objects skip it.
      try files.coordinator.remove(files.stores[0])
      let readOnly = try files.coordinator.addPersistentStore(description)
      try files.coordinator.addPersistentStore(PersistentStoreDescription(path: files.path(0)))
      #expect(readOnly.isReadOnly)
      try context.make("Book", ["code": "a"])
      try context.save()
      try context.execute(BatchInsertRequest(entityName: "Book", objects: [["code": "c"]]))
      let sorted = FetchRequest(entityName: "Book", sortDescriptors: [FetchSortDescriptor("code")])
      #expect(try context.codes(sorted) == ["a", "b", "c", "d"])
      let update = BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["title": "t"])
      let refusal = ObjectGraphError.readOnlyStore(path: files.path(1))
      #expect(objectGraphError { try context.execute(update) } == refusal)
      for book in try context.fetch(sorted) { book["title"] = "t" }
      #expect(objectGraphError { try context.save() } == refusal)
      #expect(context.updatedObjects.count == 4)
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZTITLE FROM ZBOOK") == ["a|NULL", "c|NULL"])
  }

  @Test("A store that refuses does not change the others", arguments: [0, 1])
  func refusal(failing: Int) throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["a"], into: 1, context)
      try files.insert(["b", "c"], into: failing, context)
      var update = BatchUpdateRequest(
        entityName: "Book", propertiesToUpdate: ["code": "x"], predicate: nil)
      update.resultType = .count
      guard case .uniqueValuesTaken = objectGraphError({ try context.execute(update) }) else {
        Issue.record("two books have one code")
        return
      }
      #expect(try files.codes(1 - failing) == ["a"])
      #expect(try files.codes(failing) == ["a", "b", "c"])

      for (number, store) in files.stores.enumerated() {
        let book = try context.make("Book", ["code": .string(number == failing ? "a" : "new")])
        try context.assign(book, to: store)
      }
      guard case .constraintConflict(let conflicts) = objectGraphError({ try context.save() }) else {
        Issue.record("a taken code was stored")
        return
      }
      #expect(conflicts.map(\.databaseObjectID?.persistentStore) == [files.stores[failing]])
      #expect(context.insertedObjects.count == 2)
      #expect(try files.codes(1 - failing) == ["a"])
      let book = try #require(context.insertedObjects.first { $0["code"] == "a" })
      book["code"] = "other"
      try context.save()
    }
    #expect(try files.codes(1 - failing) == ["a", "new"])
    #expect(try files.codes(failing) == ["a", "b", "c", "other"])
  }

  @Test("Conflicts in several stores are resolved, and every object has its own row's version", .tags(.d5))
  func conflicts() throws {
    let files = try SeveralStores(2)
    let context = files.context(.mergeByPropertyObjectTrump)
    let failing = files.context(.error)
    try context.performAndWait { () throws in
      try files.insert(["a", "b"], into: 0, context)
      try files.insert(["c", "d"], into: 1, context)
      let request = FetchRequest(entityName: "Book")
      let books = Array(try context.fetch(request))
      for (number, book) in books.enumerated() { book["pages"] = .integer(Int64(100 + number)) }
      try failing.performAndWait { () throws in
        let others = Array(try failing.fetch(request))
        for other in others { other["pages"] = 2 }
        try context.execute(
          BatchUpdateRequest(
            entityName: "Book", propertiesToUpdate: ["title": "t"],
            predicate: try FetchPredicate(format: "code IN {'b', 'd'}")))
        guard case .optimisticLocking = objectGraphError({ try failing.save() }) else {
          Issue.record("a changed row was written over unseen")
          return
        }
        #expect(others.count(where: \.isUpdated) == 4)
      }
      let new = try context.make("Book", ["code": "e"])
      try context.assign(new, to: files.stores[1])
      try context.save()
      for book in books { book["pages"] = .integer(5) }
      new["pages"] = 6
      try context.save()
    }
    let select = "SELECT ZCODE, ZPAGES, ZTITLE, Z_OPT FROM ZBOOK ORDER BY 1"
    #expect(try files.rows(0, select) == ["a|5|NULL|3", "b|5|t|4"])
    #expect(try files.rows(1, select) == ["c|5|NULL|3", "d|5|t|4", "e|6|NULL|2"])
  }
}

extension SeveralStoresTests {
  @Test("If one store commits and another cannot, the error names both")
  func partialCommit() throws {
    let files = try SeveralStores(2) { number, description in
      if number == 1 { description.pragmas = [.init("journal_mode", "delete")] }
      description.busyTimeout = 10
    }
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
    }
    // Outside of write-ahead mode, a reader lets others write but not commit.
    let reader = try Connection(path: files.path(1), access: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.scalar("SELECT count(*) FROM ZBOOK")
    try context.performAndWait { () throws in
      let update = BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["title": "t"])
      guard case .partlyCommitted(let stores, let cause) = objectGraphError({ try context.execute(update) }) else {
        Issue.record("the second store has committed")
        return
      }
      #expect(stores == [files.path(0)])
      let code = if case .store(let error, _) = cause { Optional(error.code) } else { nil as ResultCode? }
      #expect(code == .busy, "\(cause)")
    }
    try reader.close()
    #expect(try files.rows(0, "SELECT ZTITLE FROM ZBOOK") == ["t"])
    #expect(try files.rows(1, "SELECT ZTITLE FROM ZBOOK") == ["NULL"])
  }

  @Test("If one store cannot commit, the others are saved, and saving again stores the rest, each row once")
  func partlyCommittedSave() throws {
    let files = try SeveralStores(2) { number, description in
      description.tracksPersistentHistory = true
      if number == 1 { description.pragmas = [.init("journal_mode", "delete")] }
      description.busyTimeout = 10
    }
    let context = files.context()
    let child = ManagedObjectContext(parent: context)
    let seen = Carried<[ManagedObject]>([])
    try context.performAndWait { () throws in
      for (number, codes) in [["a", "b", "c"], ["d", "e", "f"]].enumerated() {
        try files.insert(codes, into: number, context)
      }
    }
    let reader = try Connection(path: files.path(1), access: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.scalar("SELECT count(*) FROM ZBOOK")
    try context.performAndWait { () throws in
      let books = Array(try context.fetch(FetchRequest(entityName: "Book")))
      let new = try ["x", "y"].map { try context.make("Book", ["code": .string($0)]) }
      try context.assign(new[1], to: files.stores[1])
      let temporaryIDs = new.map(\.objectID)
      try child.performAndWait { () throws in
        seen.value = try temporaryIDs.map { try child.existingObject(with: $0) }
      }
      for book in [books[0], books[3]] { book["title"] = "changed" }
      for book in [books[1], books[4]] { try context.delete(book) }
      let news = Lock(0)
      let observation = context.observe(.didSave) { notification in
        news.withLock { $0 += notification.inserted.count + notification.updated.count + notification.deleted.count }
      }
      defer { observation.cancel() }
      guard case .partlyCommitted(let stores, _) = objectGraphError({ try context.save() }) else {
        Issue.record("the second store has committed")
        return
      }
      #expect(stores == [files.path(0)])
      #expect(new[0].objectID.persistentStore == files.stores[0] && !new[0].hasChanges && !books[0].hasChanges)
      #expect(context.insertedObjects == [new[1]] && new[1].objectID.isTemporaryID)
      #expect(context.updatedObjects == [books[3]] && books[3]["title"] == "changed")
      #expect(context.deletedObjects == [books[4]])
      #expect(news.withLock { $0 } == 3)
      try reader.close()
      // The objects in the first store can be changed and saved together with the rest.
      new[0]["title"] = "again"
      try context.save()
      #expect(!context.hasChanges && new[1].objectID.persistentStore == files.stores[1])
      let objectIDs = new.map(\.objectID)
      child.performAndWait {
        #expect(seen.value.map(\.objectID) == objectIDs, "a child learns the IDs of both parts")
        seen.value = []
      }
    }
    let select = "SELECT ZCODE, ZTITLE, Z_OPT FROM ZBOOK ORDER BY Z_PK"
    #expect(try files.rows(0, select) == ["a|changed|2", "c|NULL|1", "x|again|2"])
    #expect(try files.rows(1, select) == ["d|changed|2", "f|NULL|1", "y|NULL|1"])
    let changes = "SELECT count(*) FROM ACHANGE GROUP BY ZTRANSACTIONID ORDER BY 1"
    #expect(try files.rows(0, changes) == ["1", "3", "3"])
    #expect(try files.rows(1, changes) == ["3", "3"])
  }

  @Test("After a resolved conflict and a store that could not commit, new objects are reported")
  func newsAfterPartlyCommittedConflict() throws {
    let files = try SeveralStores(2) { number, description in
      if number == 1 { description.pragmas = [.init("journal_mode", "delete")] }
      description.busyTimeout = 10
    }
    let (context, other) = (files.context(), files.context())
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.performAndWait { () throws in
      for (number, codes) in [["a"], ["d"]].enumerated() { try files.insert(codes, into: number, context) }
    }
    let reader = try Connection(path: files.path(1), access: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.scalar("SELECT count(*) FROM ZBOOK")
    try context.performAndWait { () throws in
      let books = Array(try context.fetch(FetchRequest(entityName: "Book")))
      for book in books { book["title"] = "mine" }
      _ = try context.make("Book", ["code": "x"])
      let changedID = books[0].objectID
      try other.performAndWait { () throws in
        try other.existingObject(with: changedID)["title"] = "theirs"
        try other.save()
      }
      let news = Lock<[ManagedObjectID]>([])
      let observation = context.observe(.objectsDidChange) { notification in
        news.withLock { $0 += notification.inserted }
      }
      defer { observation.cancel() }
      context.processPendingChanges()
      guard case .partlyCommitted = objectGraphError({ try context.save() }) else {
        Issue.record("the second store has committed")
        return
      }
      let later = try context.make("Book", ["code": "y"])
      context.processPendingChanges()
      #expect(news.withLock { $0.contains(later.objectID) })
      try reader.close()
      try context.save()
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZTITLE FROM ZBOOK ORDER BY Z_PK") == ["a|mine", "x|NULL", "y|NULL"])
    #expect(try files.rows(1, "SELECT ZCODE, ZTITLE FROM ZBOOK") == ["d|mine"])
  }

  @Test(
    "A reset or rollback by an observer of a save that one store cannot commit drops the rest",
    arguments: [true, false])
  func undoingPartlyCommittedSave(isReset: Bool) throws {
    let files = try SeveralStores(2) { number, description in
      if number == 1 { description.pragmas = [.init("journal_mode", "delete")] }
      description.busyTimeout = 10
    }
    let context = files.context()
    try context.performAndWait { () throws in
      for (number, codes) in [["a"], ["d", "e", "f"]].enumerated() { try files.insert(codes, into: number, context) }
    }
    let reader = try Connection(path: files.path(1), access: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.scalar("SELECT count(*) FROM ZBOOK")
    try context.performAndWait { () throws in
      let books = Array(try context.fetch(FetchRequest(entityName: "Book")))
      for book in books[0...1] { book["title"] = "changed" }
      // There is nothing to store.
      books[2]["pages"] = books[2]["pages"]
      try context.delete(books[3])
      let new = try context.make("Book", ["code": "y"])
      try context.assign(new, to: files.stores[1])
      let observation = context.observe(.didSave) { [weak context] _ in
        if isReset { context?.reset() } else { context?.rollback() }
      }
      guard case .partlyCommitted = objectGraphError({ try context.save() }) else {
        Issue.record("the second store has committed")
        return
      }
      observation.cancel()
      #expect(!context.hasChanges && new.managedObjectContext == nil)
      if !isReset { #expect(books[1]["title"] == .null && !books[3].isDeleted) }
      try reader.close()
      try context.save()
    }
    let select = "SELECT ZCODE, ZTITLE FROM ZBOOK ORDER BY Z_PK"
    #expect(try files.rows(0, select) == ["a|changed"])
    #expect(try files.rows(1, select) == ["d|NULL", "e|NULL", "f|NULL"])
  }

  @Test(
    "History that one store cannot write prevents the others from committing", arguments: ["save", "update", "delete"])
  func historyBeforeCommit(_ request: String) throws {
    let files = try SeveralStores(2) { $1.tracksPersistentHistory = true }
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
    }
    let other = try Connection(path: files.path(1))
    try other.execute("CREATE TRIGGER full BEFORE INSERT ON ATRANSACTION BEGIN SELECT RAISE(ABORT, 'full'); END")
    try context.performAndWait { () throws in
      let books = Array(try context.fetch(FetchRequest(entityName: "Book")))
      let error = objectGraphError {
        switch request {
        case "save":
          for book in books { book["title"] = "t" }
          try context.save()
        case "update":
          try context.execute(BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["title": "t"]))
        default: try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Book")))
        }
      }
      guard case .store(let cause, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(cause.code == .constraint)
    }
    for number in 0..<2 { #expect(try files.rows(number, "SELECT ZTITLE, Z_OPT FROM ZBOOK") == ["NULL|1"]) }
    try other.close()
  }

  @Test("A unique value that is taken in one store is dropped there, and the other store's change is saved")
  func clashInOneStore() throws {
    let files = try SeveralStores(2)
    let context = files.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      let books = try ["a", "b", "taken"].map { try context.make("Book", ["code": .string($0)]) }
      for book in books.dropFirst() { try context.assign(book, to: files.stores[1]) }
      try context.save()
      books[0]["title"] = "one"
      books[1]["title"] = "two"
      books[1]["code"] = "taken"
      try context.save()
      #expect(books[0]["title"] == "one" && books[1]["title"] == "two" && books[1]["code"] == "b")
    }
    #expect(try files.rows(0, "SELECT ZCODE, ZTITLE FROM ZBOOK") == ["a|one"])
    #expect(try files.rows(1, "SELECT ZCODE, ZTITLE FROM ZBOOK ORDER BY 1") == ["b|two", "taken|NULL"])
  }
}

// D4, D9: query generations: a pinned context reads the state at one moment, whatever others store.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("D4 D9 · query generations", .tags(.d4, .d9))
struct QueryGenerationTests {
  private let byCode = FetchRequest(entityName: "Book", sortDescriptors: [FetchSortDescriptor("code")])

  /// A store with books `a`, `b` and `c` by one author, a context pinned to it, and one that writes.
  private func world(_ stores: Int = 1) throws -> (SeveralStores, pinned: ManagedObjectContext, ManagedObjectContext) {
    let files = try SeveralStores(stores)
    let (pinned, writer) = (files.context(), files.context())
    try writer.performAndWait { () throws in
      let author = try writer.make("Author", ["name": "A"])
      for (pages, code) in ["a", "b", "c"].enumerated() {
        let book = try writer.make("Book", ["code": .string(code), "pages": .integer(Int64(pages))])
        try book.setObject(author, forKey: "author")
      }
      try writer.save()
      writer.reset()
    }
    try pinned.performAndWait { () throws in try pinned.setQueryGeneration(from: .current) }
    return (files, pinned, writer)
  }

  /// Changes `a` without any context and `b` with one, deletes `c`, and adds `d`.
  private func change(_ writer: ManagedObjectContext) throws {
    try writer.performAndWait { () throws in
      try writer.execute(
        BatchUpdateRequest(
          entityName: "Book", propertiesToUpdate: ["title": "new"],
          predicate: try FetchPredicate(format: "code == 'a'")))
      writer.reset()
      let books = Array(try writer.fetch(byCode))
      books[1]["title"] = "new"
      try books[1].setObject(nil, forKey: "author")
      try writer.delete(books[2])
      try writer.make("Book", ["code": "d"])
      try writer.save()
    }
  }

  private func titles(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(byCode).map { $0["code"].text + " " + $0["title"].text }
  }

  @Test("A generation shows all stores at one moment, even one that is first read later")
  func sameMoment() throws {
    let files = try SeveralStores(2)
    let (pinned, writer) = (files.context(), files.context())
    func codes(_ store: Int) throws -> [String] {
      var request = byCode
      request.affectedStores = [files.stores[store]]
      return try pinned.codes(request)
    }
    try writer.performAndWait { () throws in
      for store in 0...1 { try files.insert(["a\(store)"], into: store, writer) }
    }
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      #expect(try codes(0) == ["a0"])
      try writer.performAndWait { () throws in
        for store in 0...1 { try files.insert(["b\(store)"], into: store, writer) }
      }
      #expect(try codes(1) == ["a1"])
      #expect(try codes(0) == ["a0"])
      try pinned.setQueryGeneration(from: nil)
      #expect(try codes(1) == ["a1", "b1"])
    }
  }

  private let old = ["a NULL", "b NULL", "c NULL"]
  private let new = ["a new", "b new", "d NULL"]

  @Test("A save without anything to store does not move the context from its generation", .tags(.d5))
  func idleSave() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    try pinned.performAndWait { () throws in
      let book = try #require(try pinned.fetch(byCode).first)
      try change(writer)
      book["pages"] = book["pages"]
      try pinned.save()
      try pinned.refreshAllObjects()
      #expect(try titles(pinned) == old)
    }
  }

  @Test("A pinned context still sees values, counts, relationships, faults and pages of its generation")
  func pinning() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    try pinned.performAndWait { () throws in
      #expect(try pinned.count(for: byCode) == 3)
      var paged = byCode
      paged.fetchBatchSize = 2
      let pages = try pinned.fetch(paged)
      let fault = try pinned.object(with: try #require(try pinned.fetchObjectIDs(byCode).last))
      #expect(fault.isFault)
      try change(writer)
      #expect(pages.map { $0["title"].text } == ["NULL", "NULL", "NULL"])
      // Its row is no longer in the store.
      #expect(fault["code"] == "c" && !fault.isDeleted)
      #expect(try pinned.existingObject(with: fault.objectID) === fault)
      try pinned.refreshAllObjects()
      #expect(fault["code"] == "c")
      #expect(try titles(pinned) == old)
      #expect(try pinned.count(for: byCode) == 3)
      let author = try #require(try pinned.fetch(FetchRequest(entityName: "Author")).first)
      #expect(try author.objects(forKey: "books").map { $0["code"].text } == ["a", "b", "c"])
      #expect(try pinned.fetchDictionaries(byCode).map { $0["title"].text } == ["NULL", "NULL", "NULL"])
      let changed = FetchRequest(entityName: "Book", predicate: try FetchPredicate(format: "title == 'new'"))
      #expect(try pinned.count(for: changed) == 0)
      pinned.reset()
      #expect(try titles(pinned) == old)
      let child = ManagedObjectContext(parent: pinned)
      try child.performAndWait { () throws in
        #expect(try titles(child) == old)
        #expect(try child.fetchDictionaries(byCode).map { $0["title"].text } == ["NULL", "NULL", "NULL"])
      }
      // A context that is not pinned sees the stored values and shares no cached row.
      let free = files.context()
      let seen = try free.performAndWait { () throws in try titles(free) }
      #expect(seen == new)
      #expect(try titles(pinned) == old)

      try pinned.setQueryGeneration(from: nil)
      #expect(pinned.queryGenerationToken == nil)
      #expect(try pinned.fetch(byCode).map { $0["code"].text } == ["a", "b", "d"])
      try pinned.refreshAllObjects()
      #expect(try titles(pinned) == new)
    }
  }
}

extension QueryGenerationTests {
  @Test("A context is pinned by its first read, and pinning it again shows the rows stored by then")
  func firstRead() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    try change(writer)
    try pinned.performAndWait { () throws in
      #expect(try titles(pinned) == new)
      let book = try #require(try pinned.fetch(byCode).first)
      try writer.performAndWait { () throws in
        try writer.execute(BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["title": "newer"]))
      }
      // A batch request of its own does not move it either, and uses the current state.
      let newer = try FetchPredicate(format: "title == 'newer'")
      var request = BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["pages": 9], predicate: newer)
      request.resultType = .count
      #expect(try pinned.count(for: FetchRequest(entityName: "Book", predicate: newer)) == 0)
      #expect(try pinned.execute(request).count ?? 0 > 0)
      #expect(try titles(pinned) == new)
      try pinned.setQueryGeneration(from: .current)
      #expect(book["title"] == "new")
      try pinned.refreshAllObjects()
      #expect(book["title"] == "newer" && book["pages"] == 9)
    }
  }

  @Test(
    "Pending deletions are refreshed too: when they are undone, the objects have the latest row",
    .tags(.d5))
  func refreshedDeletions() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    try pinned.performAndWait { () throws in
      let books = Array(try pinned.fetch(byCode))
      let author = try #require(try books[0].object(forKey: "author"))
      // Changes made before a deletion are also reverted.
      books[0]["pages"] = 7
      for book in books.prefix(2) { try pinned.delete(book) }
      pinned.processPendingChanges()
      try change(writer)
      try pinned.setQueryGeneration(from: .current)
      try pinned.refreshAllObjects()
      #expect(pinned.deletedObjects == [books[0], books[1]])
      #expect(books.prefix(2).map { $0["title"].text } == ["new", "new"])
      pinned.rollback()
      #expect(try titles(pinned) == new)
      #expect(books.prefix(2).map { $0["title"].text } == ["new", "new"] && books[0]["pages"] == 0)
      #expect(try books[1].object(forKey: "author") == nil && author.objects(forKey: "books") == [books[0]])
    }
  }

  @Test("Contexts on one token agree, whichever of them reads first")
  func sharing() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    let other = files.context()
    let token = try #require(pinned.performAndWait { pinned.queryGenerationToken })
    #expect(token != .current)
    try other.performAndWait { () throws in
      try other.setQueryGeneration(from: token)
      #expect(other.queryGenerationToken == token)
      #expect(try titles(other) == old)
    }
    try change(writer)
    try pinned.performAndWait { () throws in #expect(try titles(pinned) == old) }
    // The token alone also keeps it.
    try pinned.performAndWait { () throws in try pinned.setQueryGeneration(from: nil) }
    try other.performAndWait { () throws in try other.setQueryGeneration(from: .current) }
    try other.performAndWait { () throws in #expect(try other.codes(byCode) == ["a", "b", "d"]) }
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: token)
      pinned.reset()
      #expect(try titles(pinned) == old)
    }
  }

  @Test("A pinned context's own save moves it to a new generation, and does not move others")
  func ownSave() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    let (other, free) = (files.context(), files.context())
    let token = pinned.performAndWait { pinned.queryGenerationToken }
    try other.performAndWait { () throws in
      try other.setQueryGeneration(from: token)
      #expect(try titles(other) == old)
    }
    let kept = try free.performAndWait { () throws in
      let books = Array(try free.fetch(byCode))
      return books[0].objectID
    }
    try pinned.performAndWait { () throws in
      let books = Array(try pinned.fetch(byCode))
      try change(writer)
      try pinned.make("Book", ["code": "e"])
      try pinned.save()
      #expect(pinned.queryGenerationToken != token && pinned.queryGenerationToken != nil)
      #expect(try pinned.codes(byCode) == ["a", "b", "d", "e"])
      #expect(books.map { $0["title"].text } == ["NULL", "NULL", "NULL"])
      try pinned.refreshAllObjects()
      #expect(try titles(pinned) == new + ["e NULL"])
      books[0]["title"] = "mine"
      try pinned.save()
      #expect(try titles(pinned).first == "a mine")
    }
    try other.performAndWait { () throws in #expect(try titles(other) == old) }
    try free.performAndWait { () throws in
      let book = try free.existingObject(with: kept)
      try free.refresh(book, mergeChanges: false)
      #expect(book["title"] == "mine")
    }
  }

  @Test("A conflict with a newer row is found, resolved with it, or leaves the context pinned", .tags(.d5))
  func conflicts() throws {
    let (files, pinned, writer) = try world()
    let other = files.context()
    let token = pinned.performAndWait { pinned.queryGenerationToken }
    try other.performAndWait { () throws in try other.setQueryGeneration(from: token) }
    try pinned.performAndWait { () throws in
      let books = Array(try pinned.fetch(byCode))
      try change(writer)
      books[0]["pages"] = 100
      guard case .optimisticLocking(let conflicts) = objectGraphError({ try pinned.save() }) else {
        Issue.record("a changed row was written over unseen")
        return
      }
      #expect(conflicts.map(\.newVersion) == [2])
      #expect(conflicts.first?.persistedSnapshot?["title"] == "new")
      #expect(pinned.queryGenerationToken == token)
      #expect(books[0]["pages"] == 100 && books[0]["title"] == .null)
      #expect(try pinned.codes(byCode) == ["a", "b", "c"])
      pinned.mergePolicy = .mergeByPropertyObjectTrump
      try pinned.save()
      #expect(books[0]["pages"] == 100 && books[0]["title"] == "new")
      #expect(try pinned.codes(byCode) == ["a", "b", "d"])
      // A row of its generation that is deleted by now: no policy restores it.
      #expect(books[2]["code"] == "c")
      books[2]["title"] = "late"
      try pinned.save()
      #expect(try pinned.codes(byCode) == ["a", "b", "d"])
    }
    try other.performAndWait { () throws in #expect(try titles(other) == old) }
    #expect(try files.rows(0, "SELECT ZCODE, ZPAGES, ZTITLE FROM ZBOOK WHERE ZCODE = 'a'") == ["a|100|new"])
  }
}

extension QueryGenerationTests {
  @Test("Changes of others are not merged into a pinned context", .tags(.c1))
  func merging() throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    let free = files.context()
    try pinned.performAndWait { () throws in
      pinned.automaticallyMergesChangesFromParent = true
      let books = Array(try pinned.fetch(byCode))
      let changes = ChangedObjectIDs(updated: books.map(\.objectID))
      try change(writer)
      for error in [
        objectGraphError { try pinned.mergeChanges(fromContextDidSave: notification(writer)) },
        objectGraphError {
          try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [free, pinned])
        },
      ] {
        guard case .queryGeneration = error else {
          Issue.record("found \(String(describing: error))")
          continue
        }
      }
      #expect(try titles(pinned) == old)
      #expect(books.map(\.isDeleted) == [false, false, false])
    }
    // Changes that came in the meantime were queued, and are skipped.
    try pinned.performAndWait { () throws in
      try pinned.refreshAllObjects()
      #expect(try titles(pinned) == old)
      try pinned.setQueryGeneration(from: nil)
      try pinned.refreshAllObjects()
      #expect(try titles(pinned) == new)
    }
  }

  /// The notification of a save with an unrelated change.
  private func notification(_ writer: ManagedObjectContext) throws -> ContextNotification {
    let news = Lock<ContextNotification?>(nil)
    let observation = writer.observe(.didSave) { notification in news.withLock { $0 = notification } }
    defer { observation.cancel() }
    try writer.performAndWait { () throws in
      try writer.make("Note")
      try writer.save()
    }
    return try #require(news.withLock { $0 })
  }

  @Test("A generation holds the write-ahead log back until it is released, and a checkpoint reports that")
  func checkpoints() throws {
    let (files, pinned, writer) = try world()
    func logSize() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: files.path(0) + "-wal")[.size] as? Int
    }
    try pinned.performAndWait { () throws in _ = try titles(pinned) }
    var token = pinned.performAndWait { pinned.queryGenerationToken }
    try change(writer)
    let held = try files.coordinator.checkpoint(.passive)
    #expect(!held.isComplete && held.logFrames > held.checkpointedFrames)
    try pinned.performAndWait { () throws in try pinned.setQueryGeneration(from: nil) }
    #expect(try !files.coordinator.checkpoint(.passive).isComplete)
    #expect(token != nil)
    token = nil
    #expect(try files.coordinator.checkpoint(.truncate).isComplete)
    #expect(try logSize() == 0)
  }

  @Test("A closed store ends its generations")
  func closing() throws {
    let (files, pinned, _) = try world()
    try pinned.performAndWait { () throws in
      let book = try #require(try pinned.fetch(byCode).first)
      try files.coordinator.close()
      #expect(objectGraphError { _ = try pinned.fetch(byCode) } == .noStore)
      #expect(book["code"] == "a")
      #expect(objectGraphError { try pinned.setQueryGeneration(from: .current) } == .noStore)
    }
    try files.coordinator.destroyPersistentStore(at: files.path(0))
    #expect(!FileManager.default.fileExists(atPath: files.path(0)))
  }
}

extension QueryGenerationTests {
  @Test("Child contexts, tokens of other coordinators and stores without a write-ahead log are refused")
  func refusals() throws {
    let (files, pinned, _) = try world()
    defer { withExtendedLifetime(files) {} }
    let others = try SeveralStores(1) { _, description in
      description.pragmas = [.init("journal_mode", "delete")]
    }
    let child = ManagedObjectContext(parent: pinned)
    let other = others.context()
    let token = pinned.performAndWait { pinned.queryGenerationToken }
    let childToken = child.performAndWait { child.queryGenerationToken }
    #expect(childToken == nil)
    let errors = [
      child.performAndWait { objectGraphError { try child.setQueryGeneration(from: .current) } },
      child.performAndWait { objectGraphError { try child.setQueryGeneration(from: nil) } },
      other.performAndWait { objectGraphError { try other.setQueryGeneration(from: token) } },
      other.performAndWait { objectGraphError { try other.setQueryGeneration(from: .current) } },
    ]
    for error in errors {
      guard case .queryGeneration = error else {
        Issue.record("found \(String(describing: error))")
        continue
      }
    }
    #expect("\(errors[3].map { "\($0)" } ?? "")".contains(others.path(0)))
    #expect("\(errors[3].map { "\($0)" } ?? "")".contains("delete"))
  }

  @Test("Many contexts read one generation at once, while others write", .tags(.d6))
  func concurrency() async throws {
    let (files, pinned, writer) = try world()
    defer { withExtendedLifetime(files) {} }
    let token = try #require(pinned.performAndWait { pinned.queryGenerationToken })
    let seen = try pinned.performAndWait { () throws in try titles(pinned) }
    #expect(seen == old)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<20 { try change(writer) } }
      for _ in 0..<4 {
        let context = files.context()
        group.addTask {
          for round in 0..<20 {
            try await context.perform {
              if round % 5 == 0 { try context.setQueryGeneration(from: token) }
              if round % 3 == 0 { context.reset() }
              #expect(try titles(context) == old)
              try context.refreshAllObjects()
              #expect(try context.count(for: byCode) == 3)
              if round % 7 == 6 { try context.setQueryGeneration(from: .current) }
              if round % 7 == 6 { try context.setQueryGeneration(from: token) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Several stores are pinned together, a read-only one too")
  func severalStores() throws {
    let (files, _, writer) = try world(2)
    try writer.performAndWait { () throws in try files.insert(["x"], into: 1, writer) }
    let readers = PersistentStoreCoordinator(managedObjectModel: try SeveralStores.model())
    for number in 0..<2 {
      var description = PersistentStoreDescription(path: files.path(number))
      description.isReadOnly = true
      try readers.addPersistentStore(description)
    }
    let pinned = ManagedObjectContext(coordinator: readers)
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      #expect(try pinned.codes(byCode) == ["a", "b", "c", "x"])
      try change(writer)
      try writer.performAndWait { () throws in
        try writer.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Book")))
      }
      #expect(try pinned.codes(byCode) == ["a", "b", "c", "x"])
      try pinned.setQueryGeneration(from: nil)
      #expect(try pinned.codes(byCode) == [])
    }
    try readers.close()
  }

  /// The stored values of a book.
  private struct Book: Equatable, CustomStringConvertible {
    var code: String
    var pages: Int64
    var author: String?

    var description: String { "\(code) \(pages) \(author ?? "-")" }
  }

  @Test("Whatever others write, a pinned context sees the model from when it was pinned", arguments: 0..<6)
  func equivalence(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let files = try SeveralStores(1)
    let writer = files.context(.mergeByPropertyObjectTrump)
    var model: [String: Book] = [:]
    try writer.performAndWait { () throws in
      for name in ["A", "B"] { try writer.make("Author", ["name": .string(name)]) }
      try writer.save()
    }
    var pins: [(context: ManagedObjectContext, model: [String: Book])] = []
    for step in 0..<60 {
      try write(&model, writer, &random, step)
      if Int.random(in: 0..<4, using: &random) == 0 {
        let context = files.context()
        let token = pins.randomElement(using: &random)
        try context.performAndWait { () throws in
          if let token, Bool.random(using: &random) {
            let shared = token.context.performAndWait { token.context.queryGenerationToken }
            try context.setQueryGeneration(from: shared)
            pins.append((context, token.model))
          } else {
            try context.setQueryGeneration(from: .current)
            _ = try context.count(for: FetchRequest(entityName: "Author"))
            pins.append((context, model))
          }
        }
        if pins.count > 4 { pins.removeFirst() }
      }
      for pin in pins {
        let comment: Comment = "seed \(seed), step \(step)"
        let expected = pin.model.values.sorted { $0.code < $1.code }
        try pin.context.performAndWait { () throws in
          if Bool.random(using: &random) { pin.context.reset() }
          if Bool.random(using: &random) { try pin.context.refreshAllObjects() }
          #expect(try books(pin.context, &random) == expected, comment)
          let many = FetchRequest(entityName: "Book", predicate: try FetchPredicate(format: "pages > 5"))
          #expect(try pin.context.count(for: many) == expected.count { $0.pages > 5 }, comment)
          for author in try pin.context.fetch(FetchRequest(entityName: "Author")) {
            let codes = try author.objects(forKey: "books").map { $0["code"].text }.sorted()
            #expect(codes == expected.filter { $0.author == author["name"].text }.map(\.code), comment)
          }
        }
      }
    }
  }

  private func books(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws -> [Book] {
    var request = byCode
    request.fetchBatchSize = Bool.random(using: &random) ? 3 : 0
    if Bool.random(using: &random) { request.relationshipKeyPathsForPrefetching = ["author"] }
    return try context.fetch(request).map { book in
      guard case .integer(let pages) = book["pages"] else { return Book(code: book["code"].text, pages: -1) }
      return Book(code: book["code"].text, pages: pages, author: try book.object(forKey: "author")?["name"].text)
    }
  }

  /// One random write: objects, or a batch request.
  private func write(
    _ model: inout [String: Book], _ context: ManagedObjectContext, _ random: inout SeededGenerator, _ step: Int
  ) throws {
    let pages = Int64.random(in: 0...10, using: &random)
    let limit = Int64.random(in: 0...10, using: &random)
    let condition = try FetchPredicate(format: "pages == %@", arguments: [limit])
    var books = model
    try context.performAndWait { () throws in
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        for (code, book) in books where book.pages == limit { books[code]?.pages = pages }
        try context.execute(
          BatchUpdateRequest(entityName: "Book", propertiesToUpdate: ["pages": .integer(pages)], predicate: condition))
      case 1:
        books = books.filter { $0.value.pages != limit }
        try context.execute(
          BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Book", predicate: condition)))
      case 2:
        let code = "batch \(step)"
        books[code] = Book(code: code, pages: pages)
        try context.execute(
          BatchInsertRequest(entityName: "Book", objects: [["code": .string(code), "pages": .integer(pages)]]))
      case 3:
        let authors = Array(try context.fetch(FetchRequest(entityName: "Author")))
        for number in 0..<Int.random(in: 1...3, using: &random) {
          let code = "book \(step) \(number)"
          let author = authors.randomElement(using: &random)
          let book = try context.make("Book", ["code": .string(code), "pages": .integer(pages)])
          try book.setObject(author, forKey: "author")
          books[code] = Book(code: code, pages: pages, author: author?["name"].text)
        }
        try context.save()
      default:
        context.reset()
        guard let code = books.keys.sorted().randomElement(using: &random) else { return }
        let request = FetchRequest(
          entityName: "Book", predicate: try FetchPredicate(format: "code == %@", arguments: [code]))
        guard let book = try context.fetch(request).first else { return }
        if Bool.random(using: &random) {
          books[code] = nil
          try context.delete(book)
        } else {
          books[code]?.pages = pages
          books[code]?.author = nil
          book["pages"] = .integer(pages)
          try book.setObject(nil, forKey: "author")
        }
        try context.save()
      }
    }
    model = books
  }
}

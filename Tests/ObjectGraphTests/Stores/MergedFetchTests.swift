// B10, D3: fetches over several stores: one order and one window for all stores.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B10 D3 · fetches over several stores", .tags(.b10, .d3))
struct MergedFetchTests {
  /// The expected values of a book.
  private struct Expected: Equatable {
    var store: Int
    var key: Int
    var code: String
    var pages: Int64?
    var title: String?
    var author: String?
    var isNovel: Bool
  }

  /// Random books in some stores, in the order of their stores and keys.
  private struct World {
    let files: SeveralStores
    let context: ManagedObjectContext
    var books: [Expected] = []
    var random: SeededGenerator

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      files = try SeveralStores(Int.random(in: 2...3, using: &random))
      context = files.context()
      let titles = ["Ä", "ä", "a", "A", "Zebra", "zebra", "", "𝔸", "ﬁ", "é", "e\u{301}"]
      try context.performAndWait { () throws in
        for (number, store) in files.stores.enumerated() {
          var authors: [ManagedObject] = []
          for name in ["Ann", "bob", "Çem"] where Bool.random(using: &random) {
            let author = try context.make("Author", ["name": .string(name)])
            try context.assign(author, to: store)
            authors.append(author)
          }
          for key in 0..<Int.random(in: 0...12, using: &random) {
            let isNovel = Bool.random(using: &random)
            let book = Expected(
              store: number, key: key, code: "\(number)-\(key)",
              pages: Int.random(in: 0..<5, using: &random) == 0 ? nil : .random(in: -3...3, using: &random),
              title: Int.random(in: 0..<4, using: &random) == 0 ? nil : titles.randomElement(using: &random),
              author: nil, isNovel: isNovel)
            let object = try context.make(isNovel ? "Novel" : "Book", ["code": .string(book.code)])
            object["pages"] = book.pages.map { .integer($0) } ?? .null
            object["title"] = book.title.map { .string($0) } ?? .null
            try context.assign(object, to: store)
            let author = Bool.random(using: &random) ? authors.randomElement(using: &random) : nil
            try object.setObject(author, forKey: "author")
            books.append(book)
            books[books.count - 1].author = author.map { $0["name"].text }
          }
          // One save per store, so that keys are in the order of the list.
          try context.save()
        }
        context.reset()
      }
    }

    /// A random request, and its expected result.
    mutating func request() throws -> (FetchRequest<ManagedObject>, [Expected]) {
      var request = FetchRequest(entityName: "Book")
      var found = books
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        request.predicate = try FetchPredicate(format: "pages > 0")
        found = found.filter { ($0.pages ?? 0) > 0 }
      case 1:
        request.predicate = try FetchPredicate(format: "author.name == 'Ann' OR title == nil")
        found = found.filter { $0.author == "Ann" || $0.title == nil }
      case 2:
        request.entityName = "Novel"
        found = found.filter(\.isNovel)
      default: break
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let wanted = files.stores.indices.filter { _ in Bool.random(using: &random) }
        if !wanted.isEmpty {
          request.affectedStores = wanted.map { files.stores[$0] }.shuffled(using: &random)
          found = found.filter { wanted.contains($0.store) }
        }
      }
      sort(&request, &found)
      request.fetchOffset = Int.random(in: 0..<3, using: &random) == 0 ? .random(in: 0...10, using: &random) : 0
      request.fetchLimit = Bool.random(using: &random) ? .random(in: 0...15, using: &random) : 0
      found = Array(found.dropFirst(request.fetchOffset))
      if request.fetchLimit > 0 { found = Array(found.prefix(request.fetchLimit)) }
      return (request, found)
    }

    private mutating func sort(_ request: inout FetchRequest<ManagedObject>, _ found: inout [Expected]) {
      // The least important one comes first, because sorting is stable.
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let ascending = Bool.random(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 4:
          request.sortDescriptors.insert(
            FetchSortDescriptor("title", ascending: ascending, selector: .localizedCompare), at: 0)
          // In the order in which people would look for them.
          let titles = ["", "a", "A", "ä", "Ä", "é", "ﬁ", "zebra", "Zebra", "𝔸"]
          found = stable(found, ascending) { left, right in
            let positions = [left, right].map { book in book.title.map { titles.firstIndex(of: $0) ?? -2 } ?? -1 }
            return positions[0] < positions[1]
          }
        case 0:
          request.sortDescriptors.insert(FetchSortDescriptor("pages", ascending: ascending), at: 0)
          found = stable(found, ascending) { ($0.pages ?? .min) < ($1.pages ?? .min) }
        case 1:
          request.sortDescriptors.insert(FetchSortDescriptor("title", ascending: ascending), at: 0)
          found = stable(found, ascending) { bytes($0.title, $1.title) }
        case 2:
          request.sortDescriptors.insert(FetchSortDescriptor("author.name", ascending: ascending), at: 0)
          found = stable(found, ascending) { bytes($0.author, $1.author) }
        default:
          request.sortDescriptors.insert(
            FetchSortDescriptor("title", ascending: ascending, options: .caseInsensitive), at: 0)
          found = stable(found, ascending) { bytes(folded($0.title), folded($1.title)) }
        }
      }
    }

    private func stable(
      _ books: [Expected], _ ascending: Bool, _ precedes: (Expected, Expected) -> Bool
    ) -> [Expected] {
      books.enumerated().sorted { left, right in
        let (one, other) = ascending ? (left.element, right.element) : (right.element, left.element)
        if precedes(one, other) { return true }
        return precedes(other, one) ? false : left.offset < right.offset
      }.map(\.element)
    }

    private func bytes(_ left: String?, _ right: String?) -> Bool {
      guard let right else { return false }
      guard let left else { return true }
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Folds these texts letter by letter, except for the ligature.
    private func folded(_ text: String?) -> String? {
      text.map { $0 == "ﬁ" ? "fi" : $0 == "𝔸" ? $0 : $0.lowercased() }
    }
  }

  @Test("Order, window, predicate and affected stores give the same as one list", arguments: 0..<12)
  func equivalence(seed: UInt64) throws {
    var world = try World(seed: seed)
    for step in 0..<40 {
      let (request, expected) = try world.request()
      let codes = expected.map(\.code)
      let context = world.context
      let comment: Comment = "seed \(seed), step \(step): \(request)"
      try context.performAndWait { () throws in
        #expect(try context.codes(request) == codes, comment)
        let objectIDs = try context.fetch(request).objectIDs
        #expect(try context.fetchObjectIDs(request) == objectIDs, comment)
        #expect(try context.count(for: request) == codes.count, comment)
        var batched = request
        batched.fetchBatchSize = 3
        context.reset()
        #expect(try context.codes(batched) == codes, comment)
        context.reset()
        batched.fetchBatchSize = 0
        batched.includesPropertyValues = false
        #expect(try context.codes(batched) == codes, comment)
        var dictionaries = request
        dictionaries.propertiesToFetch = ["code", "objectID", "author.name"]
        let rows = try context.fetchDictionaries(dictionaries)
        #expect(
          rows.map { [$0["code"].text, $0["author.name"].text] } == expected.map { [$0.code, $0.author ?? "NULL"] },
          comment)
        #expect(rows.compactMap { $0.objectID(forKey: "objectID") } == objectIDs, comment)
        // The same with a child.
        let child = ManagedObjectContext(parent: context)
        try child.performAndWait { () throws in #expect(try child.codes(request) == codes, comment) }
        context.reset()
      }
    }
  }

  @Test("Unsaved changes are ordered among the rows of all stores")
  func pendingChanges() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["c", "a"], into: 0, context)
      try files.insert(["d", "b"], into: 1, context)
      let new = try context.make("Book", ["code": "bb"])
      try context.assign(new, to: files.stores[1])
      try context.make("Book", ["code": "0"])
      let plain = FetchRequest(entityName: "Book")
      #expect(try context.codes(plain) == ["c", "a", "d", "b", "bb", "0"])
      let book = try #require(try context.fetch(plain).first { $0["code"] == "d" })
      book["code"] = "aa"
      #expect(try context.codes(plain).prefix(4) == ["c", "a", "aa", "b"])
      var sorted = FetchRequest(entityName: "Book", sortDescriptors: [FetchSortDescriptor("code")])
      #expect(try context.codes(sorted) == ["0", "a", "aa", "b", "bb", "c"])
      #expect(try context.fetchObjectIDs(sorted).count == 6)
      sorted.fetchBatchSize = 2
      #expect(try context.codes(sorted) == ["0", "a", "aa", "b", "bb", "c"])
      sorted.affectedStores = [files.stores[1]]
      #expect(try context.codes(sorted) == ["aa", "b", "bb"])
      #expect(try context.count(for: sorted) == 3)
      sorted.affectedStores = [files.stores[0]]
      sorted.fetchBatchSize = 0
      #expect(try context.codes(sorted) == ["0", "a", "c"])
    }
  }
}

extension MergedFetchTests {
  @Test("Groups, aggregates and distinct rows over several stores are refused, but allowed for one")
  func aggregates() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a", "b"], into: 0, context)
      try files.insert(["c", "d", "e"], into: 1, context)
      var grouped = FetchRequest(entityName: "Book")
      grouped.propertiesToGroupBy = ["pages"]
      grouped.propertiesToFetch = ["pages"]
      var distinct = FetchRequest(entityName: "Book")
      distinct.returnsDistinctResults = true
      var summed = FetchRequest(entityName: "Book")
      summed.propertiesToFetch = [.expression(ExpressionDescription("sum", .aggregate(.sum, FetchPath("pages"))))]
      for (request, count) in [(grouped, 3), (distinct, 3), (summed, 1)] {
        guard case .invalidFetch = objectGraphError({ _ = try context.fetchDictionaries(request) }) else {
          Issue.record("an answer over two stores: \(request)")
          continue
        }
        var one = request
        one.affectedStores = [files.stores[1]]
        #expect(try context.fetchDictionaries(one).count == count)
      }
    }
  }

  @Test("An asynchronous fetch reads all stores")
  func asynchronous() async throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a", "c"], into: 0, context)
      try files.insert(["b"], into: 1, context)
    }
    var request = FetchRequest(entityName: "Book", sortDescriptors: [FetchSortDescriptor("code")])
    #expect(try await context.fetch(request) { $0.map { $0["code"].text } } == ["a", "b", "c"])
    request.includesPendingChanges = false
    request.fetchLimit = 2
    #expect(try await context.fetch(request) { $0.map { $0["code"].text } } == ["a", "b"])
  }

  @Test("Merging reads each row from its own store, even if keys are equal", .tags(.c1))
  func merging() throws {
    let files = try SeveralStores(2)
    let (context, observer) = (files.context(), files.context())
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
    }
    try observer.performAndWait { () throws in
      let books = Array(try observer.fetch(FetchRequest(entityName: "Book")))
      var update = BatchUpdateRequest(
        entityName: "Book", propertiesToUpdate: ["title": "t"], predicate: try FetchPredicate(format: "code == 'b'"))
      update.resultType = .changes
      let result = try context.performAndWait { () throws in try context.execute(update) }
      let changes = try #require(result.changes)
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [observer])
      #expect(books.map { $0["title"].text } == ["NULL", "t"])
    }
  }
}

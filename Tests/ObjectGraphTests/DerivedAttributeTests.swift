// D10: saves update derived attributes like the triggers of Core Data's stores.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D10 · derived attributes", .tags(.d10))
struct DerivedAttributeTests {
  private func library() throws -> TestStack {
    func derived(_ name: String, _ type: AttributeType, _ expression: String) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true, derivationExpression: expression)
    }
    return try TestStack([
      EntityDescription(
        "Author", attributes: [.init("name", .string)],
        relationships: [.init("books", to: "Book", inverse: "author", isToMany: true)]),
      EntityDescription(
        "Book",
        attributes: [
          .init("title", .string), derived("canonicalTitle", .string, "canonical:(title)"),
          derived("copy", .string, "title"), derived("authorName", .string, "author.name"),
          derived("loudName", .string, "uppercase:(author.name)"), derived("pagesCount", .int32, "pages.@count"),
          derived("words", .int64, "pages.words.@sum"), derived("changedAt", .date, "now()"),
          derived("other", .int64, "pages.@sum.words"),
        ],
        relationships: [
          .init("author", to: "Author", inverse: "books"),
          .init("pages", to: "Page", inverse: "book", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Page", attributes: [.init("words", .int32)], relationships: [.init("book", to: "Book", inverse: "pages")]),
    ])
  }

  @Test("A child saves again after its parent has stored another time of change", .tags(.d6))
  func child() throws {
    let stack = try library()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let book = try parent.insertNewObject(forEntityName: "Book")
      book["title"] = "0"
      try parent.save()
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: book.objectID)
        for title in ["1", "2"] {
          mine["title"] = .string(title)
          try child.save()
          try parent.save()
        }
      }
    }
    #expect(try stack.rows("SELECT ZTITLE, ZCOPY FROM ZBOOK") == ["2|2"])
  }

  @Test("Counts, sums, copies, text forms and times follow what they are derived from")
  func follow() throws {
    let stack = try library()
    let sql =
      "SELECT ZCANONICALTITLE, ZCOPY, ZAUTHORNAME, ZLOUDNAME, ZPAGESCOUNT, ZWORDS, ZOTHER, Z_OPT FROM ZBOOK ORDER BY Z_PK"
    let context = stack.context()
    try context.performAndWait { () throws in
      let author = try context.insertNewObject(forEntityName: "Author")
      author["name"] = "Ada"
      let books = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Book") }
      for book in books {
        book["title"] = "Élan VITAL"
        try book.setObject(author, forKey: "author")
      }
      let pages = try (1...3).map { words in
        let page = try context.insertNewObject(forEntityName: "Page")
        page["words"] = .integer(Int64(words * 10))
        try page.setObject(books[0], forKey: "book")
        return page
      }
      let start = Date()
      try context.save()
      #expect(
        try stack.rows(sql) == ["elan vital|Élan VITAL|Ada|ADA|3|60|60|1", "elan vital|Élan VITAL|Ada|ADA|0|0|0|1"])
      #expect(books[0]["pagesCount"] == 3 && books[0][AttributeKey<Date>("changedAt")] ?? .distantPast >= start)

      // A page moves, another changes, a third is deleted; the author is renamed.
      try pages[0].setObject(books[1], forKey: "book")
      try context.save()
      #expect(
        try stack.rows(sql).map { $0.split(separator: "|").dropFirst(4).joined(separator: "|") } == [
          "2|50|50|2", "1|10|10|2",
        ])
      pages[1]["words"] = 5
      try context.save()
      #expect(try stack.rows("SELECT ZPAGESCOUNT, ZWORDS FROM ZBOOK ORDER BY Z_PK") == ["2|35", "1|10"])
      try context.delete(pages[2])
      author["name"] = "Grace"
      try context.save()
      #expect(
        try stack.rows(sql).map { $0.split(separator: "|").dropFirst(2).dropLast().joined(separator: "|") }
          == ["Grace|GRACE|1|5|5", "Grace|GRACE|1|10|10"])
      // Without changes, nothing is derived.
      let before = try stack.rows("SELECT ZCHANGEDAT, Z_OPT FROM ZBOOK ORDER BY Z_PK")
      try context.save()
      #expect(try stack.rows("SELECT ZCHANGEDAT, Z_OPT FROM ZBOOK ORDER BY Z_PK") == before)
    }
  }

  /// A book of pages, with attributes of the page's types to aggregate.
  private func aggregates(_ derivations: [(String, AttributeType, String)], isOptional: Bool = true) throws -> TestStack
  {
    try TestStack([
      EntityDescription(
        "Book",
        attributes: derivations.map {
          AttributeDescription($0.0, $0.1, isOptional: isOptional, derivationExpression: $0.2)
        },
        relationships: [.init("pages", to: "Page", inverse: "book", isToMany: true)]),
      EntityDescription(
        "Page",
        attributes: [
          .init("words", .int64, isOptional: true), .init("height", .double, isOptional: true),
          .init("price", .decimal, isOptional: true), .init("read", .date, isOptional: true),
          .init("title", .string, isOptional: true), .init("done", .boolean, isOptional: true),
        ], relationships: [.init("book", to: "Book", inverse: "pages")]),
    ])
  }

  @Test("Sums, averages, minima and maxima over a relationship, of every type")
  func aggregates() throws {
    let stack = try aggregates([
      ("wordsSum", .int64, "pages.words.@sum"), ("wordsAverage", .double, "pages.words.@avg"),
      ("wordsLeast", .int32, "pages.words.@min"), ("wordsGreatest", .double, "pages.words.@max"),
      ("heightSum", .double, "pages.height.@sum"), ("heightAverage", .float, "pages.@avg.height"),
      ("priceSum", .decimal, "pages.price.@sum"), ("priceAverage", .decimal, "pages.price.@avg"),
      ("priceLeast", .decimal, "pages.@min.price"), ("readLast", .date, "pages.read.@max"),
      ("titleFirst", .string, "pages.title.@min"), ("doneCount", .int16, "pages.done.@sum"),
      ("count", .int32, "pages.@count"),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let book = try context.insertNewObject(forEntityName: "Book")
      func values(_ names: String...) -> [AttributeValue] { names.map { book[$0] } }
      try context.save()
      #expect(
        values("wordsSum", "wordsAverage", "wordsLeast", "priceSum", "priceAverage", "titleFirst", "count")
          == [0, .null, .null, .decimal(0), .null, .null, 0])
      let pages = try (0..<4).map { number in
        let page = try context.insertNewObject(forEntityName: "Page")
        try page.setObject(book, forKey: "book")
        // The last page only has its book.
        if number == 3 { return page }
        page["words"] = .integer([10, 40, 31][number])
        page["height"] = .real([1.5, 2, 0.25][number])
        page["price"] = .decimal(Decimal(string: ["0.1", "0.2", "0.6"][number]) ?? 0)
        page["read"] = .date(Date(timeIntervalSinceReferenceDate: [5, 7, 6][number]))
        page["title"] = .string(["b", "c", "é"][number])
        page["done"] = .boolean(number != 1)
        return page
      }
      try context.save()
      #expect(values("wordsSum", "wordsAverage", "wordsLeast", "wordsGreatest") == [81, .real(27), 10, .real(40)])
      #expect(values("heightSum", "heightAverage") == [.real(3.75), .real(1.25)])
      let prices = ["0.9", "0.3", "0.1"].map { AttributeValue.decimal(Decimal(string: $0) ?? 0) }
      #expect(values("priceSum", "priceAverage", "priceLeast") == prices)
      #expect(
        values("readLast", "titleFirst", "doneCount", "count")
          == [.date(Date(timeIntervalSinceReferenceDate: 7)), "b", 2, 4])
      // They reflect a changed value, a deleted page, and sums that are too large for an integer.
      pages[0]["words"] = 100
      try context.delete(pages[1])
      try context.save()
      #expect(values("wordsSum", "wordsLeast", "count") == [131, 31, 3])
      pages[0]["words"] = .integer(.max)
      try context.save()
      #expect(
        values("wordsSum", "wordsLeast") == [.null, 31] && book["wordsAverage"] == .real((Double(Int64.max) + 31) / 2))
    }
  }

  @Test("A required derived value need not be set, and one that is computed as null is not saved")
  func required() throws {
    let stack = try aggregates(
      [("wordsGreatest", .int64, "pages.words.@max"), ("count", .int64, "pages.@count")], isOptional: false)
    let context = stack.context()
    try context.performAndWait { () throws in
      let book = try context.insertNewObject(forEntityName: "Book")
      func failures(_ body: () throws -> Void) -> [String]? {
        do { try body() } catch ObjectGraphError.validation(let failures) {
          return failures.map { "\($0.code.rawValue) \($0.key)" }
        } catch { return ["\(error)"] }
        return nil
      }
      #expect(failures { try book.validateValues() } == ["1570 wordsGreatest"])
      #expect(failures { try context.save() } == ["1570 wordsGreatest"])
      let page = try context.insertNewObject(forEntityName: "Page")
      page["words"] = 5
      try page.setObject(book, forKey: "book")
      #expect(book["wordsGreatest"] == .null && failures { try book.validateForInsert() } == nil)
      try context.save()
      #expect(book["wordsGreatest"] == 5 && book["count"] == 1)
      page["words"] = .null
      #expect(failures { try context.save() } == ["1570 wordsGreatest"])
      page["words"] = 6
      try context.save()
      #expect(try stack.rows("SELECT ZWORDSGREATEST, ZCOUNT FROM ZBOOK") == ["6|1"])
    }
  }

  @Test(
    "A derivation that is not computed is refused with the model, and the message says what is expected",
    arguments: [
      ("median:(pages.words)", AttributeType.int64, "the function \"median:\"; expected canonical:(…), uppercase:(…)"),
      ("pages.words.@median", .int64, "the aggregate @median; expected @count, @sum, @avg, @min, @max"),
      ("pages.words.@count", .int64, "expected it right behind a relationship"),
      ("pages.@sum", .int64, "expected a relationship and an attribute, such as pages.words.@sum"),
      ("@sum.words", .int64, "expected a relationship, and one aggregate behind it"),
      ("pages.@sum.@max.words", .int64, "expected a relationship, and one aggregate behind it"),
      ("canonical:(pages.@count)", .string, "found"), ("canonical:(title", .string, "the function"),
      ("", .string, "expected names"), ("title..x", .string, "expected names"),
      ("page.words.@sum", .int64, "where page is no to-many relationship of Book; expected a to-many"),
      ("title.@count", .int64, "where title is no to-many relationship of Book"),
      ("pages.word.@sum", .int64, "where word is no attribute of Page; expected one of title, words"),
      ("pages.title.@sum", .int64, "@sum of a string; expected one of numbers"),
      ("pages.words", .int64, "expected an aggregate, such as pages.words.@sum"),
      ("author.nam", .string, "where nam is no attribute of Author; expected one of name"),
      ("writer.name", .string, "where writer is no relationship of Book"),
      ("author.books.title", .string, "a path of 3 names"), ("titel", .string, "where titel is no attribute of Book"),
      ("title", .int64, "which gives a string; expected one that gives an int64"),
      ("pages.words.@avg", .int64, "which gives a floating-point number; expected one that gives an int64"),
      ("uppercase:(number)", .string, "uppercase: of an int64; expected a string in it"),
      ("now()", .string, "which gives a date; expected one that gives a string"),
    ])
  func unknown(expression: String, type: AttributeType, part: String) throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [
        EntityDescription(
          "Author", attributes: [.init("name", .string)],
          relationships: [
            .init("books", to: "Book", inverse: "author", isToMany: true)
          ]),
        EntityDescription(
          "Book",
          attributes: [
            .init("title", .string), .init("number", .int64),
            .init("derived", type, isOptional: true, derivationExpression: expression),
          ],
          relationships: [
            .init("author", to: "Author", inverse: "books"),
            .init("pages", to: "Page", inverse: "book", isToMany: true),
          ]),
        EntityDescription(
          "Page", attributes: [.init("title", .string), .init("words", .int64)],
          relationships: [.init("book", to: "Book", inverse: "pages")]),
      ])
    }
    #expect(error?.problems.count == 1)
    let problem = try #require(error?.problems.first)
    #expect(problem.part == .derivation(ofAttribute: "derived") && problem.entityName == "Book")
    #expect(
      problem.description.contains(part) && problem.description.contains(expression.debugDescription), "\(problem)")
  }
}

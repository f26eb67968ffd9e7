// D10: derived attributes are kept up by saves, as the triggers of Core Data's stores keep them up.
import Foundation
import CoreDataModel
import ObjectGraph
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
          derived("words", .int64, "pages.@sum.words"), derived("changedAt", .date, "now()"),
          derived("other", .int16, "max:(pages.schema)"),
        ],
        relationships: [
          .init("author", to: "Author", inverse: "books"),
          .init("pages", to: "Page", inverse: "book", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Page", attributes: [.init("words", .int32)], relationships: [.init("book", to: "Book", inverse: "pages")]),
    ])
  }

  @Test("Counts, sums, copies, forms of text and times follow what they are derived from")
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
        book["other"] = 7
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
        try stack.rows(sql) == ["elan vital|Élan VITAL|Ada|ADA|3|60|7|1", "elan vital|Élan VITAL|Ada|ADA|0|0|7|1"])
      #expect(books[0]["pagesCount"] == 3 && books[0][AttributeKey<Date>("changedAt")] ?? .distantPast >= start)

      // A page moves, another changes, a third goes; the author is called otherwise.
      try pages[0].setObject(books[1], forKey: "book")
      try context.save()
      #expect(
        try stack.rows(sql).map { $0.split(separator: "|").dropFirst(4).joined(separator: "|") } == [
          "2|50|7|2", "1|10|7|2",
        ])
      pages[1]["words"] = 5
      try context.save()
      #expect(try stack.rows("SELECT ZPAGESCOUNT, ZWORDS FROM ZBOOK ORDER BY Z_PK") == ["2|35", "1|10"])
      try context.delete(pages[2])
      author["name"] = "Grace"
      try context.save()
      #expect(
        try stack.rows(sql).map { $0.split(separator: "|").dropFirst(2).dropLast().joined(separator: "|") }
          == ["Grace|GRACE|1|5|7", "Grace|GRACE|1|10|7"])
      // Nothing changed, nothing is derived.
      let before = try stack.rows("SELECT ZCHANGEDAT, Z_OPT FROM ZBOOK ORDER BY Z_PK")
      try context.save()
      #expect(try stack.rows("SELECT ZCHANGEDAT, Z_OPT FROM ZBOOK ORDER BY Z_PK") == before)
    }
  }
}

// D1: each mistake in a model is reported with its entity and property, and what only looks like a mistake is allowed.
import CoreDataModel
import MissionTags
import Testing

@Suite("D1 · mistakes in models", .tags(.d1))
struct ModelCheckTests {
  private static let name = AttributeDescription("name", .string)

  /// Entities and all mistakes in them.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let entities: [EntityDescription]
    let problems: [String]

    init(_ problems: String..., in entities: [EntityDescription]) {
      testDescription = problems.joined(separator: "; ")
      self.entities = entities
      self.problems = problems
    }
  }

  private func check(_ mistake: Mistake) {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: mistake.entities) }
    #expect(error?.problems.map(\.description) == mistake.problems)
  }

  /// A book with pages, one of its relationships and the page's inverse as given.
  private static func library(
    pages: RelationshipDescription = RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true),
    book: RelationshipDescription? = RelationshipDescription("book", to: "Book", inverse: "pages")
  ) -> [EntityDescription] {
    [
      EntityDescription("Book", attributes: [name], relationships: [pages]),
      EntityDescription("Page", attributes: [name], relationships: [book].compactMap(\.self)),
    ]
  }

  @Test(
    "256 levels of super-entities are accepted; with more, each entity that is too deep is reported once", .tags(.d10))
  func levels() throws {
    func chain(_ levels: Int) -> [EntityDescription] {
      (0...levels).map { level in
        EntityDescription(
          "E\(level)", superentity: level == 0 ? nil : "E\(level - 1)",
          attributes: level == 0 ? [ModelCheckTests.name] : [])
      }
    }
    let model = try ManagedObjectModel(entities: chain(256))
    #expect(model.entities.count == 257)
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: chain(258)) }
    #expect(
      error?.problems.map(\.description)
        == [257, 258].map {
          "entity E\($0): found more than 256 levels of super-entities; expected at most 256"
        })
  }

  @Test(
    "Inheritance ends at a root, and no inherited property is declared again",
    arguments: [
      Mistake(
        "entity A: found the super-entity Z; expected an entity of the model",
        in: [EntityDescription("A", superentity: "Z", attributes: [name])]),
      Mistake(
        "entity A: found inheritance in a circle: A from B from A; expected super-entities that lead to a root",
        "entity B: found inheritance in a circle: B from A from B; expected super-entities that lead to a root",
        in: [
          EntityDescription("A", superentity: "B", attributes: [name]), EntityDescription("B", superentity: "A"),
          EntityDescription("C", superentity: "A"), EntityDescription("D", attributes: [name]),
        ]),
      Mistake(
        "entity C, relationship name: found a property that is inherited from A; expected inherited properties not to be "
          + "declared again",
        in: [
          EntityDescription("A", attributes: [name]), EntityDescription("B", superentity: "A"),
          EntityDescription("C", superentity: "B", relationships: [.init("name", to: "A", inverse: nil)]),
        ]),
      Mistake(
        "found the entities A and A; expected names that differ in more than case, which SQL ignores",
        in: [EntityDescription("A", attributes: [name]), EntityDescription("A", attributes: [name])]),
      Mistake(
        "entity A, relationship name: found the name again; expected each property once",
        in: [EntityDescription("A", attributes: [name], relationships: [.init("name", to: "A", inverse: nil)])]),
    ])
  func inheritance(mistake: Mistake) { check(mistake) }

  @Test(
    "A relationship has an entity as its destination, and an inverse",
    arguments: [
      Mistake(
        "entity Book, relationship pages: found the destination Pge; expected an entity of the model",
        "entity Page, relationship book: found the inverse Book.pages, which leads to Pge; expected one that leads to Page",
        in: library(pages: .init("pages", to: "Pge", inverse: "book", isToMany: true))),
      Mistake(
        "entity Book, relationship pages: found the inverse bok; expected a relationship of Page",
        "entity Page, relationship book: found the inverse Book.pages, which has the inverse bok; expected one whose "
          + "inverse is book",
        in: library(pages: .init("pages", to: "Page", inverse: "bok", isToMany: true))),
      Mistake(
        "entity Book, relationship pages: found no inverse; expected one, because a to-many relationship is stored by what "
          + "leads back",
        in: library(pages: .init("pages", to: "Page", inverse: nil, isToMany: true), book: nil)),
      Mistake(
        "entity Book, relationship pages: found the inverse Page.book, which has no inverse; expected one whose inverse is "
          + "pages",
        in: library(book: .init("book", to: "Book", inverse: nil))),
      Mistake(
        "entity Book, relationship pages: found the inverse Page.book, which leads to Page; expected one that leads to Book",
        "entity Page, relationship book: found the inverse pages; expected a relationship of Page",
        in: library(book: .init("book", to: "Page", inverse: "pages"))),
      Mistake(
        "entity Book, relationship pages: found the inverse Leaf.book, which Leaf inherits from Page; expected the "
          + "destination Page, or an inverse that Leaf declares itself",
        "entity Page, relationship book: found the inverse Book.pages, which leads to Leaf; expected one that leads to Page",
        in: library(pages: .init("pages", to: "Leaf", inverse: "book", isToMany: true))
          + [EntityDescription("Leaf", superentity: "Page")]),
    ])
  func inverses(mistake: Mistake) { check(mistake) }
}

extension ModelCheckTests {
  @Test(
    "Counts and order fit the kind of relationship",
    arguments: [
      Mistake(
        "entity Page, relationship book: found an ordered to-one relationship; expected order in a to-many relationship only",
        in: library(book: .init("book", to: "Book", inverse: "pages", isOrdered: true))),
      Mistake(
        "entity Page, relationship book: found counts from 2 to 1; expected 0 or 1 to 1 in a to-one relationship",
        in: library(book: .init("book", to: "Book", inverse: "pages", minimumCount: 2))),
      Mistake(
        "entity Page, relationship book: found counts from 0 to 5; expected 0 or 1 to 1 in a to-one relationship",
        in: library(book: .init("book", to: "Book", inverse: "pages", maximumCount: 5))),
      Mistake(
        "entity Book, relationship pages: found counts from 9 to 3; expected a minimum that is not above the maximum",
        in: library(
          pages: .init("pages", to: "Page", inverse: "book", isToMany: true, minimumCount: 9, maximumCount: 3))),
      Mistake(
        "entity Book, relationship pages: found counts from 0 to -1; expected none below 0, where a maximum of 0 is no "
          + "limit",
        in: library(pages: .init("pages", to: "Page", inverse: "book", isToMany: true, maximumCount: -1))),
      Mistake(
        "entity Book, relationship pages: found counts from -1 to 3; expected none below 0, where a maximum of 0 is no "
          + "limit",
        in: library(
          pages: .init("pages", to: "Page", inverse: "book", isToMany: true, minimumCount: -1, maximumCount: 3))),
    ])
  func counts(mistake: Mistake) { check(mistake) }

  @Test(
    "Validation rules fit their type and their default",
    arguments: [
      (AttributeType.string, [ValidationRule.range(minimum: 1, maximum: nil)], "found a range for a string; expected"),
      (.boolean, [.range(minimum: 1, maximum: nil)], "found a range for a boolean; expected"),
      (.int16, [.range(minimum: 40_000, maximum: nil)], "found the minimum 40000; expected an int16"),
      (.double, [.range(minimum: nil, maximum: .real(.nan))], "found the maximum nan; expected a double"),
      (.double, [.range(minimum: nil, maximum: nil)], "found a range without bounds; expected a minimum or a maximum"),
      (
        .double, [.range(minimum: 2, maximum: 1)], "found a range from 2.0 to 1.0; expected a minimum that is not above"
      ),
      (
        .int32, [.length(minimum: 1, maximum: nil)],
        "found a length for an int32, -2147483648 to 2147483647; expected a length for strings or binary"
      ),
      (
        .string, [.length(minimum: nil, maximum: nil)], "found a length without bounds; expected a minimum or a maximum"
      ),
      (.string, [.length(minimum: -1, maximum: nil)], "found a length below 0; expected at least 0"),
      (.string, [.length(minimum: 3, maximum: 2)], "found a length from 3 to 2; expected a minimum that is not above"),
      (.uri, [.pattern("a")], "found a pattern for a URI; expected a pattern for strings"),
      (.string, [.pattern("(a")], "found the pattern \"(a\"; expected a regular expression"),
    ])
  func rules(type: AttributeType, rules: [ValidationRule], problem: String) throws {
    let attribute = AttributeDescription("a", type, validationRules: rules)
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [EntityDescription("E", attributes: [attribute])])
    }
    #expect(error?.problems.count == 1)
    let text = error?.problems.first?.description ?? ""
    #expect(text.hasPrefix("entity E, attribute a: " + problem), "\(text)")
  }

  @Test("A default keeps the rules of its attribute")
  func brokenDefault() {
    check(
      Mistake(
        "entity E, attribute a: found the default 11; expected at most 10",
        in: [
          EntityDescription(
            "E",
            attributes: [
              AttributeDescription(
                "a", .int16, defaultValue: 11, validationRules: [.range(minimum: 1, maximum: 10)])
            ])
        ]))
  }
}

extension ModelCheckTests {
  @Test("Constraints and indexes name properties that have a column")
  func indexes() {
    let columns = "stored attributes and to-one relationships"
    var library = ModelCheckTests.library()
    library[0].attributes.append(AttributeDescription("mood", .string, isTransient: true))
    library[0].uniquenessConstraints = [["mood"], ["pages"], ["title"]]
    library[0].fetchIndexes = [
      FetchIndexDescription("a", on: ["mood", "pages", "title"]), FetchIndexDescription("b", on: []),
      FetchIndexDescription("b", on: ["name", "name"]), FetchIndexDescription("1", on: ["name"]),
    ]
    library[1].uniquenessConstraints = [["book"]]
    check(
      Mistake(
        "entity Book, uniqueness constraint [mood]: found the transient attribute mood; expected stored attributes",
        "entity Book, uniqueness constraint [pages]: found the to-many relationship pages; expected stored attributes",
        "entity Book, uniqueness constraint [title]: found title, which is no property; expected stored attributes",
        "entity Book, fetch index a: found the transient attribute mood; expected " + columns,
        "entity Book, fetch index a: found the to-many relationship pages; expected " + columns,
        "entity Book, fetch index a: found title, which is no property; expected " + columns,
        "entity Book, fetch index b: found no property; expected " + columns,
        "entity Book, fetch index b: found a property twice; expected each once",
        "entity Book, fetch index b: found the name again; expected each fetch index once",
        "entity Book, fetch index \"1\": found the name \"1\"; expected ASCII letters, digits and underscores, a letter "
          + "first",
        "entity Page, uniqueness constraint [book]: found the relationship book; expected stored attributes",
        in: library))
  }

  @Test("Names that would collide in a table or an index are refused")
  func clashes() {
    let attributes = ["a", "b", "a_b"].map { AttributeDescription($0, .string) }
    check(
      Mistake(
        "found two tables or indexes that would be named Z_E_UNIQUE_a_b in a store; expected other names of an entity, an "
          + "attribute or an index",
        in: [EntityDescription("E", attributes: attributes, uniquenessConstraints: [["a", "b"], ["a_b"]])]))
    check(
      Mistake(
        "found two tables or indexes that would be named ZA_ZB_INDEX in a store; expected other names of an entity, an "
          + "attribute or an index",
        in: [
          EntityDescription("A", relationships: [.init("b", to: "A", inverse: nil)]),
          EntityDescription("A_Zb_index", attributes: attributes),
        ]))
  }

  @Test("Abstract roots, one-way to-one relationships, self-relationships and every delete rule are allowed")
  func allowed() throws {
    let model = try ManagedObjectModel(
      entities: ModelCheckTests.library() + [
        EntityDescription("Shape", isAbstract: true),
        EntityDescription(
          "Person", superentity: "Shape",
          relationships: [
            .init("friends", to: "Person", inverse: "friends", isToMany: true, deleteRule: .noAction),
            .init("spouse", to: "Person", inverse: "spouse", isOptional: false, minimumCount: 1, deleteRule: .deny),
            .init("parent", to: "Person", inverse: "children", deleteRule: .nullify),
            .init(
              "children", to: "Person", inverse: "parent", isToMany: true, isOrdered: true, maximumCount: 20,
              deleteRule: .cascade),
            .init("favourite", to: "Book", inverse: nil),
          ]),
      ])
    #expect(model.entities.map(\.name) == ["Book", "Page", "Shape", "Person"])
    #expect(DeleteRule.allCases.map(\.rawValue) == ["no_action", "nullify", "cascade", "deny"])
  }
}

// D1: each mistake in a model is said with its entity and property, and what only looks like one is allowed.
import ObjectGraph
import Testing

@Suite("D1 · mistakes in models", .tags(.d1))
struct ModelCheckTests {
  private static let name = AttributeDescription("name", .string)

  /// Entities and all that is wrong with them.
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
    #expect(throws: ModelError(problems: mistake.problems)) { try ManagedObjectModel(entities: mistake.entities) }
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
    "Inheritance leads to a root, and nothing inherited is declared again",
    arguments: [
      Mistake(
        "entity A: its super-entity Z is no entity of the model",
        in: [EntityDescription("A", superentity: "Z", attributes: [name])]),
      Mistake(
        "entity A: it inherits from itself: A from B from A", "entity B: it inherits from itself: B from A from B",
        in: [
          EntityDescription("A", superentity: "B", attributes: [name]), EntityDescription("B", superentity: "A"),
          EntityDescription("C", superentity: "A"), EntityDescription("D", attributes: [name]),
        ]),
      Mistake(
        "entity C: property name: it is inherited from A and may not be declared again",
        in: [
          EntityDescription("A", attributes: [name]), EntityDescription("B", superentity: "A"),
          EntityDescription("C", superentity: "B", relationships: [.init("name", to: "A", inverse: nil)]),
        ]),
      Mistake(
        "the model has the entity A twice",
        in: [EntityDescription("A", attributes: [name]), EntityDescription("A", attributes: [name])]),
      Mistake(
        "entity A: relationship name: the entity has the property twice",
        in: [EntityDescription("A", attributes: [name], relationships: [.init("name", to: "A", inverse: nil)])]),
    ])
  func inheritance(mistake: Mistake) { check(mistake) }

  @Test(
    "Relationships lead to an entity and back",
    arguments: [
      Mistake(
        "entity Book: relationship pages: its destination Pge is no entity of the model",
        "entity Page: relationship book: its inverse Book.pages leads to Pge; expected Page",
        in: library(pages: .init("pages", to: "Pge", inverse: "book", isToMany: true))),
      Mistake(
        "entity Book: relationship pages: its inverse bok is no relationship of Page",
        "entity Page: relationship book: its inverse Book.pages has the inverse bok; expected the inverse book",
        in: library(pages: .init("pages", to: "Page", inverse: "bok", isToMany: true))),
      Mistake(
        "entity Book: relationship pages: it has no inverse; a to-many relationship needs one, because the other end "
          + "stores it",
        in: library(pages: .init("pages", to: "Page", inverse: nil, isToMany: true), book: nil)),
      Mistake(
        "entity Book: relationship pages: its inverse Page.book has no inverse; expected the inverse pages",
        in: library(book: .init("book", to: "Book", inverse: nil))),
      Mistake(
        "entity Book: relationship pages: its inverse Page.book leads to Page; expected Book",
        "entity Page: relationship book: its inverse pages is no relationship of Page",
        in: library(book: .init("book", to: "Page", inverse: "pages"))),
      Mistake(
        "entity Book: relationship pages: its inverse book is inherited by Leaf from Page; expected the destination "
          + "Page, or an inverse that Leaf declares itself",
        "entity Page: relationship book: its inverse Book.pages leads to Leaf; expected Page",
        in: library(pages: .init("pages", to: "Leaf", inverse: "book", isToMany: true))
          + [EntityDescription("Leaf", superentity: "Page")]),
    ])
  func inverses(mistake: Mistake) { check(mistake) }

  @Test(
    "Counts and order fit the kind of relationship",
    arguments: [
      Mistake(
        "entity Page: relationship book: it is ordered; only a to-many relationship can be",
        in: library(book: .init("book", to: "Book", inverse: "pages", isOrdered: true))),
      Mistake(
        "entity Page: relationship book: found counts from 2 to 1; a to-one relationship has 0 or 1 to 1",
        in: library(book: .init("book", to: "Book", inverse: "pages", minimumCount: 2))),
      Mistake(
        "entity Page: relationship book: found counts from 0 to 5; a to-one relationship has 0 or 1 to 1",
        in: library(book: .init("book", to: "Book", inverse: "pages", maximumCount: 5))),
      Mistake(
        "entity Book: relationship pages: the minimum count 9 is above the maximum count 3",
        in: library(
          pages: .init("pages", to: "Page", inverse: "book", isToMany: true, minimumCount: 9, maximumCount: 3))),
      Mistake(
        "entity Book: relationship pages: found counts from -1 to 3; expected none below 0, where 0 is no maximum",
        in: library(
          pages: .init("pages", to: "Page", inverse: "book", isToMany: true, minimumCount: -1, maximumCount: 3))),
    ])
  func counts(mistake: Mistake) { check(mistake) }

  @Test(
    "Validation rules fit their type and their default",
    arguments: [
      (AttributeType.string, [ValidationRule.range(minimum: 1, maximum: nil)], "a range is for numbers"),
      (.boolean, [.range(minimum: 1, maximum: nil)], "a range is for numbers"),
      (.int16, [.range(minimum: 40_000, maximum: nil)], "the minimum: found 40000; expected an int16"),
      (.double, [.range(minimum: nil, maximum: .real(.nan))], "the maximum: found nan; expected a double"),
      (.double, [.range(minimum: nil, maximum: nil)], "the range has neither minimum nor maximum"),
      (.double, [.range(minimum: 2, maximum: 1)], "the minimum 2.0 is above the maximum 1.0"),
      (.int32, [.length(minimum: 1, maximum: nil)], "a length is for strings and binary data"),
      (.string, [.length(minimum: nil, maximum: nil)], "the length has neither minimum nor maximum"),
      (.string, [.length(minimum: -1, maximum: nil)], "a length is at least 0"),
      (.string, [.length(minimum: 3, maximum: 2)], "the minimum length 3 is above the maximum length 2"),
      (.uri, [.pattern("a")], "a pattern is for strings"),
      (.string, [.pattern("(a")], "the pattern \"(a\" is no regular expression"),
    ])
  func rules(type: AttributeType, rules: [ValidationRule], problem: String) throws {
    let attribute = AttributeDescription("a", type, validationRules: rules)
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [EntityDescription("E", attributes: [attribute])])
    }
    #expect(error?.problems.count == 1)
    #expect(
      error?.problems.first?.hasPrefix("entity E: attribute a: " + problem) == true, "\(String(describing: error))")
  }

  @Test("A default keeps the rules of its attribute")
  func brokenDefault() {
    check(
      Mistake(
        "entity E: attribute a: default: found 11; expected at most 10",
        in: [
          EntityDescription(
            "E",
            attributes: [
              AttributeDescription(
                "a", .int16, defaultValue: 11, validationRules: [.range(minimum: 1, maximum: 10)])
            ])
        ]))
  }

  @Test("Constraints and indexes name properties that have a column")
  func indexes() {
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
        "entity Book: uniqueness constraint [\"mood\"] names mood, which is transient and has no column",
        "entity Book: uniqueness constraint [\"pages\"] names pages, which is a to-many relationship and has no column",
        "entity Book: uniqueness constraint [\"title\"] names title, which is no attribute",
        "entity Book: fetch index a: it names mood, which is transient and has no column",
        "entity Book: fetch index a: it names pages, which is a to-many relationship and has no column",
        "entity Book: fetch index a: it names title, which is no property",
        "entity Book: fetch index b: it names no property", "entity Book: fetch index b: the entity has it twice",
        "entity Book: fetch index b: it names a property twice",
        "entity Book: fetch index \"1\": a name is ASCII letters, digits and underscores, a letter first",
        "entity Page: uniqueness constraint [\"book\"] names book, which is a relationship; expected attributes",
        in: library))
  }

  @Test("Names that meet in one table or index are refused")
  func clashes() {
    let attributes = ["a", "b", "a_b"].map { AttributeDescription($0, .string) }
    check(
      Mistake(
        "two tables or indexes of the store would be named Z_E_UNIQUE_a_b; rename an entity, attribute or index of it",
        in: [EntityDescription("E", attributes: attributes, uniquenessConstraints: [["a", "b"], ["a_b"]])]))
    check(
      Mistake(
        "two tables or indexes of the store would be named ZA_ZB_INDEX; rename an entity, attribute or index of it",
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

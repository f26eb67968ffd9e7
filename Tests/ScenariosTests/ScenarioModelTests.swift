// D1: the model of a scenario file, with inheritance, relationships, indexes and validation rules, and mistakes in it.
import CoreDataModel
import Foundation
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("D1 · models in scenario files", .tags(.d1))
struct ScenarioModelTests {
  /// A scenario whose model has more entities than the filled one.
  private static let library = """
    scenario: library
    entity: Quake
    source: {generate: {rows: 5}}
    cells: [{strategy: save}]
    model:
      Quake:
        attributes:
          code: {type: string, min_length: 2, max_length: 12, pattern: "[a-z0-9]+"}
          magnitude: {type: double, optional: true, min: -2, max: 10, default: 4.5}
          time: {type: date, min: 2001-01-01}
        indexes: {by_time: [time], by_size: [magnitude, time]}
      Work:
        abstract: true
        attributes:
          title: {type: string}
          mood: {type: string, optional: true, transient: true}
        relationships:
          author: {to: Author, inverse: works, optional: false, min: 1}
          quake: {to: Quake, inverse: null}
        unique: [[title]]
      Author:
        relationships:
          works: {to: Work, inverse: author, many: true, ordered: true, max: 99, delete: cascade}
      Novel:
        parent: Work
        attributes:
          pages: {type: int32}
        unique: [[pages, title]]
        indexes: {by_author: [author, title]}
      Thriller: {parent: Novel}
    """

  private func library(_ old: String, _ new: String) -> String {
    #expect(Self.library.contains(old), "the library has no \(old)")
    return Self.library.replacing(old, with: new)
  }

  @Test("Inheritance, relationships, indexes and rules are read")
  func everything() throws {
    let model = try read(Self.library).model
    #expect(model.entities.map(\.name) == ["Author", "Quake", "Work", "Novel", "Thriller"])
    let date = AttributeValue.date(Date(timeIntervalSinceReferenceDate: 0))
    #expect(
      model["Quake"]
        == EntityDescription(
          "Quake",
          attributes: [
            .init(
              "code", .string, validationRules: [.length(minimum: 2, maximum: 12), .pattern("[a-z0-9]+")]),
            .init(
              "magnitude", .double, isOptional: true, defaultValue: 4.5,
              validationRules: [.range(minimum: .real(-2), maximum: .real(10))]),
            .init("time", .date, validationRules: [.range(minimum: date, maximum: nil)]),
          ],
          fetchIndexes: [.init("by_time", on: ["time"]), .init("by_size", on: ["magnitude", "time"])]))
    #expect(
      model["Work"]
        == EntityDescription(
          "Work", isAbstract: true,
          attributes: [.init("title", .string), .init("mood", .string, isOptional: true, isTransient: true)],
          relationships: [
            .init("author", to: "Author", inverse: "works", isOptional: false, minimumCount: 1),
            .init("quake", to: "Quake", inverse: nil),
          ], uniquenessConstraints: [["title"]]))
    #expect(
      model["Author"]?.relationships == [
        .init(
          "works", to: "Work", inverse: "author", isToMany: true, isOrdered: true, maximumCount: 99,
          deleteRule: .cascade)
      ])
    #expect(
      model["Novel"]
        == EntityDescription(
          "Novel", superentity: "Work", attributes: [.init("pages", .int32)],
          uniquenessConstraints: [["pages", "title"]], fetchIndexes: [.init("by_author", on: ["author", "title"])]))
    #expect(model.entity("Thriller", isKindOf: "Work"))
  }

  @Test("Everything in a model counts in the fingerprint")
  func fingerprint() throws {
    let changes = [
      ("min: -2", "min: -3"), ("max_length: 12", "max_length: 13"), ("[a-z0-9]+", "[a-z]+"), ("abstract: true", ""),
      ("transient: true", "transient: false"), ("by_time: [time]", "by_time: [code]"),
      ("delete: cascade", "delete: deny"),
      ("max: 99", "max: 98"), ("Thriller: {parent: Novel}", "Thriller: {parent: Work}"),
      ("ordered: true", "ordered: false"),
    ]
    let fingerprints = try changes.map { try read(library($0.0, $0.1)).fingerprint } + [read(Self.library).fingerprint]
    #expect(Set(fingerprints).count == fingerprints.count)
  }

  @Test(
    "Mistakes are reported at their location, with what was expected and the nearest word",
    arguments: [
      (
        "parent: Novel", "parent: Novell",
        "30:22: found the entity 'Novell'; expected one of Quake, Work, Author, "
          + "Novel, Thriller; did you mean 'Novel'?"
      ),
      (
        "to: Author", "to: Autor",
        "18:20: found the entity 'Autor'; expected one of Quake, Work, Author, Novel, "
          + "Thriller; did you mean 'Author'?"
      ),
      (
        "inverse: author", "inverse: autor",
        "23:34: found the relationship 'autor'; expected one of author, quake; did "
          + "you mean 'author'?"
      ),
      (
        "inverse: null", "inverse: works",
        "19:35: found an inverse in 'Quake', which has no relationship; expected "
          + "relationships: in Quake with one that leads back, or inverse: null"
      ),
      (
        "inverse: works, ", "",
        "18:15: found no key 'inverse'; expected one, such as inverse: book, or inverse: null for "
          + "none"
      ),
      ("to: Author, ", "", "18:15: found no key 'to'; expected one, such as to: Page"),
      (
        "ordered: true", "orderd: true",
        "23:54: found the key 'orderd'; expected one of to, inverse, many, ordered, "
          + "optional, min, max, delete; did you mean 'ordered'?"
      ),
      (
        "delete: cascade", "delete: cascad",
        "23:86: found 'cascad'; expected one of no_action, nullify, cascade, deny; "
          + "did you mean 'cascade'?"
      ),
      ("max: 99", "max: -1", "23:74: found -1; expected a whole number from 0 to 1000000000"),
      (
        "many: true, ", "",
        "23:7: found an ordered to-one relationship; expected order in a to-many relationship only|"
          + "23:7: found counts from 0 to 99; expected 0 or 1 to 1 in a to-one relationship"
      ),
      ("min: 1}", "min: 2}", "18:7: found counts from 2 to 1; expected 0 or 1 to 1 in a to-one relationship"),
      ("abstract: true", "abstract: yes", "13:15: found 'yes'; expected one of true, false"),
      (
        "[[pages, title]]", "[[pages, titel]]",
        "28:22: found the attribute 'titel'; expected one of pages, title, mood; "
          + "did you mean 'title'?"
      ),
      ("[[title]]", "[[mood]]", "20:13: found the transient attribute mood; expected stored attributes"),
      (
        "[author, title]", "[author, autor]",
        "29:35: found the property 'autor'; expected one of pages, title, mood, "
          + "author, quake; did you mean 'author'?"
      ),
      ("by_time: [time]", "by_time: time", "11:24: found 'time'; expected a list of property names, such as [code]"),
      ("by_time: [time]", "by_time: []", "11:24: found an empty list; expected the names of properties"),
      (
        "{by_time: [time], by_size: [magnitude, time]}", "[time]",
        "11:14: found a list; expected a mapping of index "
          + "names, such as {by_code: [code]}"
      ),
      (
        "by_time: [time]", "by-time: [time]",
        "11:15: found the index name 'by-time'; expected ASCII letters, digits and "
          + "underscores, a letter first"
      ),
      (
        "pages: {type: int32}", "pages: {type: int32}\n      title: {type: int32}",
        "28:7: found a property that is inherited from Work; expected "
          + "inherited properties not to be declared again"
      ),
      (
        "type: int32", "type: derived",
        "27:21: found the attribute type 'derived', which is not supported; expected an "
          + "attribute of the result's type, which the program keeps right"
      ),
      (
        "type: int32", "type: composite",
        "27:21: found the attribute type 'composite', which is not supported; expected "
          + "an attribute for each part"
      ),
      (
        "type: int32", "type: binary, external_storage: true",
        "27:29: found the key 'external_storage', which is not "
          + "supported; expected binary data that is kept in the store's file"
      ),
      (
        "type: int32", "type: boolean, min: 1",
        "27:35: found a range for a boolean; expected a range for numbers, "
          + "decimals or dates"
      ),
      (
        "type: int32", "type: int32, min: few",
        "27:33: found 'few'; expected a minimum that is a whole number from "
          + "-2147483648 to 2147483647"
      ),
      (
        "type: int32", "type: int32, min: 3, max: 2",
        "27:41: found a range from 3 to 2; expected a minimum that is not "
          + "above the maximum"
      ),
      ("type: int32", "type: int32, min: ~", "27:33: found a range without bounds; expected a minimum or a maximum"),
      ("type: int32", "type: int32, min: 3, default: 2", "27:45: found the default 2; expected at least 3"),
      (
        "type: int32", "type: int32, max_length: 2",
        "27:40: found a length for an int32, -2147483648 to 2147483647; "
          + "expected a length for strings or binary data"
      ),
      (
        "min_length: 2", "min_length: 20",
        "8:56: found a length from 20 to 12; expected a minimum that is not above the "
          + "maximum"
      ),
      ("min_length: 2", "min_length: two", "8:40: found 'two'; expected a whole number from 0 to 1000000000"),
      ("[a-z0-9]+", "[a-z", "8:68: found the pattern \"[a-z\"; expected a regular expression: expected ']'"),
    ])
  func mistakes(old: String, new: String, expected: String) {
    let found = complaints(library(old, new)).map { String($0.dropFirst("Scenarios/x.yml:".count)) }
    #expect(found == expected.split(separator: "|").map(String.init))
  }
}

extension ScenarioModelTests {
  @Test(
    "The source's entity has rows and columns that every engine knows",
    arguments: [
      ("Work", "2:9: found the abstract entity 'Work'; expected an entity that has rows of its own"),
      (
        "Novel",
        "2:9: found the entity 'Novel', whose parent is 'Work'; expected an entity without parent, whose table "
          + "every engine knows"
      ),
    ])
  func wrongIngestedEntity(name: String, complaint: String) {
    #expect(complaints(library("entity: Quake", "entity: \(name)")).contains("Scenarios/x.yml:" + complaint))
  }

  @Test("The source's entity has neither transient attributes nor required relationships")
  func wrongIngestedProperties() {
    let text = library("time: {type: date, min: 2001-01-01}", "time: {type: date, transient: true}").replacing(
      "    indexes: {by_time: [time], by_size: [magnitude, time]}",
      with: "    relationships: {twin: {to: Quake, inverse: twin, optional: false}}")
    #expect(
      complaints(text) == [
        "Scenarios/x.yml:10:7: found the transient attribute 'time' in the entity that the source fills; expected "
          + "attributes that are stored",
        "Scenarios/x.yml:11:21: found the required relationship 'twin' in the entity that the source fills; expected "
          + "optional: true, because a source has no objects for it",
      ])
  }

  @Test("Attributes that differ only in case are allowed in entities that the source does not fill")
  func caseAlone() throws {
    let model = try read(library("pages: {type: int32}", "pages: {type: int32}\n      PAGES: {type: int32}")).model
    #expect(model.columnName(of: "PAGES", in: "Novel") == "ZPAGES")
    #expect(model.columnName(of: "pages", in: "Novel") == "ZPAGES1")
  }
}

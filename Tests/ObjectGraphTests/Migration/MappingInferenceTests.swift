// D11: the inferred mappings between two models, and the rules that forbid others.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import Testing

@Suite("D11 · inferred mappings", .tags(.d11))
struct MappingInferenceTests {
  private static let book = EntityDescription(
    "Book", attributes: [.init("title", .string, isOptional: true), .init("pages", .int32)],
    relationships: [
      .init("author", to: "Author", inverse: "books"),
      .init("tags", to: "Tag", inverse: "books", isToMany: true),
    ])
  private static let author = EntityDescription(
    "Author", attributes: [.init("name", .string)],
    relationships: [.init("books", to: "Book", inverse: "author", isToMany: true)])
  private static let tag = EntityDescription(
    "Tag", attributes: [.init("word", .string)],
    relationships: [.init("books", to: "Book", inverse: "tags", isToMany: true)])
  private static let entities = [book, author, tag]

  /// The problems of changing the model to another one, as `entity.property`.
  private func problems(
    _ source: [EntityDescription] = entities, _ change: (inout [EntityDescription]) -> Void
  ) throws -> [MappingProblem] {
    var changed = source
    change(&changed)
    let (source, destination) = (try ManagedObjectModel(entities: source), try ManagedObjectModel(entities: changed))
    do throws(ObjectGraphError) {
      _ = try MappingModel(inferringFrom: source, to: destination)
    } catch {
      guard case .mappingNotInferred(let problems) = error else { throw error }
      #expect(error.code == 134190)
      for problem in problems { #expect(error.description.contains(problem.found)) }
      return problems
    }
    return []
  }

  private func names(_ problems: [MappingProblem]) -> [String] {
    problems.map { problem in problem.property.map { "\(problem.entity).\($0)" } ?? problem.entity }
  }

  @Test("No attribute changes its type, not even among integers")
  func types() throws {
    for type in AttributeType.allCases {
      for other in AttributeType.allCases where other != type {
        let found = try problems([EntityDescription("Note", attributes: [.init("value", type, isOptional: true)])]) {
          $0[0].attributes[0].type = other
        }
        #expect(names(found) == ["Note.value"])
        #expect(
          found.first?.found.contains(type.rawValue) == true && found.first?.found.contains(other.rawValue) == true)
      }
    }
  }

  @Test("A required attribute needs a default if there may be objects without a value")
  func requiredAttributes() throws {
    #expect(try names(problems { $0[0].attributes.append(.init("isbn", .string)) }) == ["Book.isbn"])
    #expect(try names(problems { $0[0].attributes[0].isOptional = false }) == ["Book.title"])
    #expect(try problems { $0[0].attributes.append(.init("isbn", .string, defaultValue: "")) } == [])
    #expect(try problems { $0.append(EntityDescription("Shelf", attributes: [.init("number", .int16)])) } == [])
    // A formerly abstract entity has no objects.
    let abstract = [
      EntityDescription("Base", isAbstract: true, attributes: [.init("b", .string)]),
      EntityDescription("Leaf", superentity: "Base", attributes: [.init("l", .string)]),
      EntityDescription("Other", isAbstract: true, attributes: [.init("o", .string)]),
    ]
    #expect(try problems(abstract) { $0[2].attributes.append(.init("a", .string)) } == [])
    #expect(try names(problems(abstract) { $0[0].attributes.append(.init("a", .string)) }) == ["Base.a"])
  }

  @Test("A to-many relationship does not become to-one, and destination and inverse stay")
  func relationships() throws {
    let toOne = try problems {
      $0[1].relationships[0].isToMany = false
      $0[1].relationships[0].maximumCount = 1
    }
    #expect(names(toOne) == ["Author.books"])
    let destination = try problems {
      $0[0].relationships[0] = .init("author", to: "Tag", inverse: "written")
      $0[1].relationships = []
      $0[2].relationships.append(.init("written", to: "Book", inverse: "author", isToMany: true))
    }
    #expect(names(destination) == ["Book.author"])
    #expect(destination.first?.found == "the destination Author in the source and Tag now")
    let inverse = try problems {
      $0[0].relationships[0] = .init("writer", to: "Author", inverse: "books")
      $0[1].relationships[0].inverseName = "writer"
    }
    #expect(names(inverse) == ["Author.books"])
    #expect(inverse.first?.rule.contains("'author'") == true)
    let renamed = try problems {
      $0[0].relationships[0] = .init("writer", to: "Author", inverse: "books", renamingIdentifier: "author")
      $0[1].relationships[0].inverseName = "writer"
    }
    #expect(renamed == [])
    let oneWay = [
      EntityDescription("Pen", relationships: [.init("ink", to: "Ink", inverse: nil)]),
      EntityDescription("Ink", attributes: [.init("color", .string)]),
    ]
    let bothWays = try problems(oneWay) {
      $0[0].relationships[0].inverseName = "pen"
      $0[1].relationships = [.init("pen", to: "Pen", inverse: "ink")]
    }
    #expect(names(bothWays) == ["Pen.ink"])
  }
}

extension MappingInferenceTests {
  @Test("Two hierarchies never become one")
  func hierarchies() throws {
    let found = try problems {
      $0.append(EntityDescription("Thing", isAbstract: true))
      $0[0].superentityName = "Thing"
      $0[2].superentityName = "Thing"
    }
    #expect(names(found) == ["Tag"] && found[0].found.contains("Thing") && found[0].found.contains("Book"))
    let pair = ["A", "B"].map { EntityDescription($0, attributes: [.init("of\($0)", .string, isOptional: true)]) }
    #expect(try names(problems(pair) { $0[1].superentityName = "A" }) == ["B"])
  }

  @Test("A renaming identifier names one source")
  func identifiers() throws {
    let attributes = try problems {
      $0[0].attributes = [
        .init("a", .int32, renamingIdentifier: "pages"),
        .init("b", .int32, defaultValue: 0, renamingIdentifier: "pages"),
      ]
    }
    #expect(names(attributes) == ["Book.b"])
    let entities = try problems {
      $0.append(EntityDescription("A", attributes: [.init("a", .string)], renamingIdentifier: "Gone"))
      $0.append(EntityDescription("B", attributes: [.init("b", .string)], renamingIdentifier: "Gone"))
    }
    #expect(names(entities) == ["B"])
  }

  @Test("A mapping lists the source of every entity and property, and what is lost")
  func mapping() throws {
    var changed = Self.entities
    changed[0].name = "Volume"
    changed[0].renamingIdentifier = "Book"
    changed[0].attributes = [
      .init("heading", .string, isOptional: true, renamingIdentifier: "title"),
      .init("isbn", .string, isOptional: true),
    ]
    changed[1].relationships[0].destinationEntityName = "Volume"
    changed[0].relationships.removeLast()
    changed[2] = EntityDescription("Word", attributes: [.init("text", .string)])
    let mapping = try MappingModel(
      inferringFrom: ManagedObjectModel(entities: Self.entities), to: ManagedObjectModel(entities: changed))
    #expect(mapping.entityMappings.map(\.mappingType) == [.transform, .transform, .add, .remove])
    #expect(mapping.entityMappings.map(\.destinationEntityName) == ["Author", "Volume", "Word", nil])
    #expect(mapping.entityMappings.map(\.sourceEntityName) == ["Author", "Book", nil, "Tag"])
    let volume = mapping.entityMappings[1]
    #expect(volume.attributeMappings.map(\.name) == ["heading", "isbn"])
    #expect(volume.attributeMappings.map(\.sourceName) == ["title", nil])
    #expect(volume.relationshipMappings.map(\.sourceName) == ["author"])
    #expect(volume.removedProperties == ["pages", "tags"])
  }

  @Test("A renamed property keeps its values even if a new property has its old name")
  func reusedNames() throws {
    func attribute(_ name: String, was identifier: String? = nil) -> AttributeDescription {
      .init(name, .string, isOptional: true, renamingIdentifier: identifier)
    }
    func sources(_ old: [AttributeDescription], _ new: [AttributeDescription]) throws -> [String: String?] {
      let mapping = try MappingModel(
        inferringFrom: ManagedObjectModel(entities: [EntityDescription("Book", attributes: old)]),
        to: ManagedObjectModel(entities: [EntityDescription("Book", attributes: new)]))
      let mappings = mapping.entityMappings[0].attributeMappings
      return Dictionary(uniqueKeysWithValues: mappings.map { ($0.name, $0.sourceName) })
    }
    let second = [attribute("name"), attribute("title", was: "name")]
    #expect(try sources([attribute("name")], second) == ["title": "name", "name": nil])
    #expect(try sources([attribute("title", was: "name")], second) == ["title": "title", "name": nil])
    #expect(try sources(second, second) == ["title": "title", "name": "name"])
    let third = [attribute("heading", was: "name"), attribute("name")]
    #expect(try sources(second, third) == ["heading": "title", "name": "name"])
  }

  @Test("Names that were changed twice are found from either version")
  func chains() throws {
    func model(_ name: String, _ identifier: String?) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        EntityDescription("E", attributes: [.init(name, .string, isOptional: true, renamingIdentifier: identifier)])
      ])
    }
    let (first, second) = (try model("color", nil), try model("paint", "color"))
    for third in [try model("tint", "color"), try model("tint", "paint")] {
      let mapping = try MappingModel(inferringFrom: second, to: third)
      #expect(mapping.entityMappings[0].attributeMappings.map(\.sourceName) == ["paint"])
    }
    let mapping = try MappingModel(inferringFrom: first, to: model("tint", "color"))
    #expect(mapping.entityMappings[0].attributeMappings.map(\.sourceName) == ["color"])
    let back = try MappingModel(inferringFrom: second, to: first)
    #expect(back.entityMappings[0].attributeMappings.map(\.sourceName) == ["paint"])
  }
}

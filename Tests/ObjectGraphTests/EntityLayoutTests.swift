// D1: entities in the order of their numbers, in compiled form: slots, columns, relationships, rules, defaults.
import Foundation
import MissionTags
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

/// A publisher's entities: inheritance of three levels, every kind of relationship, a rule, a transient attribute.
private let entities = [
  EntityDescription(
    "Work", isAbstract: true,
    attributes: [
      .init("title", .string, validationRules: [.length(minimum: 1, maximum: 10)]),
      .init("mood", .string, defaultValue: "calm", isTransient: true),
    ],
    relationships: [
      .init("author", to: "Author", inverse: "works", isOptional: false),
      .init("tags", to: "tag", inverse: "works", isToMany: true, isOrdered: true),
      .init("sequels", to: "Work", inverse: "prequel", isToMany: true, isOrdered: true),
      .init("prequel", to: "Work", inverse: "sequels"),
    ], uniquenessConstraints: [["title"]]),
  EntityDescription(
    "Novel", superentity: "Work", attributes: [.init("pages", .int32), .init("isbn", .string)],
    uniquenessConstraints: [["isbn", "title"]]),
  EntityDescription("Thriller", superentity: "Novel", attributes: [.init("dead", .int16, defaultValue: 3)]),
  EntityDescription("Album", superentity: "Work", attributes: [.init("isbn", .string)]),
  EntityDescription(
    "Author", attributes: [.init("name", .string)],
    relationships: [
      .init("works", to: "Work", inverse: "author", isToMany: true), .init("cover", to: "tag", inverse: nil),
      .init("friends", to: "Author", inverse: "friends", isToMany: true),
    ]),
  EntityDescription(
    "tag", attributes: [.init("name", .string)],
    relationships: [.init("works", to: "Work", inverse: "tags", isToMany: true)]),
]

@Suite("D1 · entities and their layouts", .tags(.d1))
struct EntityLayoutTests {
  private let model: ManagedObjectModel
  private let compiled: CompiledModel

  init() throws {
    model = try ManagedObjectModel(entities: entities.reversed())
    compiled = CompiledModel(model)
  }

  @Test("Roots are in name order, ignoring case, each followed by its sub-entities")
  func numbers() {
    #expect(model.entities.map(\.name) == ["Author", "tag", "Work", "Album", "Novel", "Thriller"])
    #expect(model.number(of: "Thriller") == 6)
    #expect(model.rootEntity(of: "Thriller")?.name == "Work")
    #expect(model.subentities(of: "Work").map(\.name) == ["Album", "Novel", "Thriller"])
    #expect(model.subentities(of: "Thriller").isEmpty)
    #expect(model.entity("Thriller", isKindOf: "Work"))
    #expect(model.entity("Work", isKindOf: "Work"))
    #expect(!model.entity("Work", isKindOf: "Novel"))
    #expect(!model.entity("Album", isKindOf: "Novel"))
    #expect(!model.entity("Nothing", isKindOf: "Work"))
  }

  @Test("Properties of an entity are its own and those it inherits")
  func inherited() {
    #expect(model.attributes(of: "Thriller").map(\.name) == ["dead", "isbn", "mood", "pages", "title"])
    #expect(model.relationships(of: "Thriller").map(\.name) == ["author", "prequel", "sequels", "tags"])
    #expect(model.attributes(of: "Work").map(\.name) == ["mood", "title"])
    #expect(model.attributes(of: "Nothing").isEmpty)
  }

  @Test("Slots are attributes and to-one relationships in name order; columns are in the table's order")
  func slots() throws {
    let layout = try compiled.layout(named: "Thriller")
    #expect(layout.slots.map(\.name) == ["author", "dead", "isbn", "mood", "pages", "prequel", "title"])
    #expect(
      layout.slots.map(\.columnName) == ["ZAUTHOR", "ZDEAD", "ZISBN1", nil, "ZPAGES", "ZPREQUEL", "ZTITLE"])
    #expect(layout.slot(named: "prequel") == 5)
    #expect(layout.slot(named: "tags") == nil)
    #expect(layout.tableName == "ZWORK")
    #expect(layout.rootIndex == 2)
    #expect(
      layout.columns.map(\.name) == [
        "ZAUTHOR", "ZPREQUEL", "Z3_PREQUEL", "Z_FOK_PREQUEL", "ZPAGES", "ZDEAD", "ZTITLE", "ZISBN1",
      ])
    #expect(layout.columns.map(\.slot) == [0, 5, 5, 5, 4, 1, 6, 2])
    #expect(
      layout.columns.map(\.role) == [
        .destinationKey, .destinationKey, .destinationEntity, .order, .value, .value, .value, .value,
      ])
    #expect(layout.columnOrder == [0, 5, 4, 1, 6, 2])
    #expect(
      layout.columnOrder.map(layout.columnName(of:)) == ["ZAUTHOR", "ZPREQUEL", "ZPAGES", "ZDEAD", "ZTITLE", "ZISBN1"])
    #expect(layout.transientSlots == [3])
    #expect(layout.requiredSlots == [0, 1, 2, 4, 6])
    #expect(layout.constraints == [[6], [2, 6]])
    #expect(try compiled.layout(named: "Album").constraints == [[4]])
    let defaults: [AttributeValue] = (0..<layout.slotCount).map { layout.defaults[$0] }
    #expect(defaults == [.null, 3, .null, "calm", .null, .null, .null])
    #expect(layout.rules.map(\.slot) == [6])
    #expect(layout.rules.first?.rule.breach(by: "far too long a title")?.code == .stringTooLong)
    #expect(layout.isKind(of: try compiled.layout(named: "Work")))
    #expect(!layout.isKind(of: try compiled.layout(named: "Album")))
  }
}

extension EntityLayoutTests {
  @Test("A to-one relationship knows its destination, its companion columns and its inverse")
  func toOne() throws {
    let layout = try compiled.layout(named: "Album")
    let author = try #require(layout.slots[0].toOne)
    #expect(author.destinationIndex == 0)
    #expect(author.destinationTable == "ZAUTHOR")
    #expect(author.entityColumn == nil)
    #expect(author.orderColumn == nil)
    #expect(author.inverse?.name == "works")
    #expect(author.entityIndex == 2)
    let prequel = try #require(layout.slots.first { $0.name == "prequel" }?.toOne)
    #expect(prequel.keyColumn == "ZPREQUEL")
    #expect(prequel.entityColumn == "Z3_PREQUEL")
    #expect(prequel.orderColumn == "Z_FOK_PREQUEL")
    let cover = try #require(try compiled.layout(named: "Author").slots[0].toOne)
    #expect(cover.inverse == nil)
    #expect(cover.destinationTable == "ZTAG")
  }

  @Test("A to-many relationship knows the columns that store it, from either end")
  func toMany() throws {
    let novel = try compiled.layout(named: "Novel")
    #expect(novel.toManyRelationships.map(\.relationship.name) == ["sequels", "tags"])
    #expect(novel.toManyIndex(named: "tags") == 1)
    #expect(novel.toManyIndex(named: "author") == nil)
    guard case .inverseKey(let sequels) = novel.toManyRelationships[0].storage,
      case .join(let tags) = novel.toManyRelationships[1].storage,
      case .join(let works) = try compiled.layout(named: "tag").toManyRelationships[0].storage,
      case .join(let friends) = try compiled.layout(named: "Author").toManyRelationships[0].storage
    else {
      Issue.record("a relationship is stored in the other way")
      return
    }
    #expect(sequels.table == "ZWORK")
    #expect(sequels.keyColumn == "ZPREQUEL")
    #expect(sequels.entityColumn == "Z3_PREQUEL")
    #expect(sequels.orderColumn == "Z_FOK_PREQUEL")
    #expect(tags.table == "Z_2WORKS")
    #expect(tags.sourceColumn == "Z_3WORKS")
    #expect(tags.destinationColumn == "Z_2TAGS")
    #expect(tags.orderColumn == "Z_FOK_2TAGS")
    #expect(tags.inverseOrderColumn == nil)
    #expect(works.table == "Z_2WORKS")
    #expect(works.sourceColumn == "Z_2TAGS")
    #expect(works.destinationColumn == "Z_3WORKS")
    #expect(works.inverseOrderColumn == "Z_FOK_2TAGS")
    #expect(friends.isReflexive)
    #expect(friends.sourceColumn == "REFLEXIVE")
    #expect(friends.destinationColumn == "Z_1FRIENDS")
  }

  @Test("Names are found among many slots as well as among few")
  func manySlots() throws {
    let attributes = (0..<40).map { AttributeDescription("a\($0)", .int16) }
    let model = try ManagedObjectModel(entities: [EntityDescription("Wide", attributes: attributes)])
    let layout = try CompiledModel(model).layout(named: "Wide")
    for attribute in attributes {
      #expect(layout.slot(named: attribute.name).map { layout.slots[$0].name } == attribute.name)
    }
    #expect(layout.slot(named: "a40") == nil)
  }

  @Test("A version hash changes with the shape of an entity and with nothing else")
  func versionHashes() throws {
    let work = entities[0]
    var variants = [work]
    func vary(_ change: (inout EntityDescription) -> Void) {
      var variant = work
      change(&variant)
      variants.append(variant)
    }
    vary { $0.superentityName = "Novel" }
    vary { $0.isAbstract = false }
    vary { $0.attributes[1].isTransient = false }
    vary { $0.attributes[0].type = .uri }
    vary { $0.relationships[0].destinationEntityName = "tag" }
    vary { $0.relationships[0].inverseName = nil }
    vary { $0.relationships[0].isOptional = true }
    vary { $0.relationships[1].isOrdered = false }
    vary { $0.relationships[1].minimumCount = 1 }
    vary { $0.relationships[1].maximumCount = 9 }
    vary { $0.relationships.removeLast() }
    #expect(Set(variants.map(\.versionHash)).count == variants.count)
    #expect(variants.allSatisfy { $0.versionHash.count == 32 })
    var same = work
    same.attributes.reverse()
    same.relationships.reverse()
    same.attributes[0].validationRules = []
    same.attributes[0].defaultValue = "wild"
    same.relationships[0].deleteRule = .deny
    same.attributes.append(AttributeDescription("seen", .date, isTransient: true))
    same.fetchIndexes = [FetchIndexDescription("byTitle", on: ["title"])]
    #expect(same.versionHash == work.versionHash)
  }
}

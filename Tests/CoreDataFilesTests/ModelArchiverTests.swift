// D11: the copy of its model that a migrated store gets, read back.
import CoreDataModel
import Foundation
import MissionTags
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import ObjectGraph

@Suite("D11 · models written into stores", .tags(.d11))
struct ModelArchiverTests {
  private func written(_ model: ManagedObjectModel) throws -> RecoveredModel? {
    try StoredModelProvider().modelCache(of: model).map { try RecoveredModel(modelCache: $0, path: "copy") }
  }

  @Test("The model of every store is read back as it is", arguments: SampleStore.all)
  func stores(store: SampleStore) throws {
    let model = try RecoveredModel(storeAt: store.path).model
    let copy = try #require(try written(model))
    for entity in model.entities { #expect(copy.model[entity.name]?.inArchiveOrder == entity.inArchiveOrder) }
    #expect(copy.model.configurations == model.configurations && copy.remarks == [])
  }

  @Test("Every kind of default, rule, derivation and modifier is read back")
  func everything() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    let thing = EntityDescription(
      "Thing", isAbstract: true,
      attributes: [
        .init("a16", .int16, defaultValue: -3, validationRules: [.range(minimum: .integer(-5), maximum: .integer(9))]),
        .init("a64", .int64, defaultValue: .integer(.max), versionHashModifier: "2"),
        .init("bool", .boolean, defaultValue: true), .init("float", .float, defaultValue: .real(0.5)),
        .init(
          "double", .double, defaultValue: .real(-1e300),
          validationRules: [.range(minimum: .real(-1e301), maximum: nil)]),
        .init("decimal", .decimal, defaultValue: .decimal(Decimal(string: "-12345678901234567890.0625") ?? 0)),
        .init("small", .decimal, defaultValue: .decimal(Decimal(string: "0.001") ?? 0)),
        .init("zero", .decimal, defaultValue: .decimal(0)),
        .init("date", .date, defaultValue: .date(date), validationRules: [.range(minimum: .date(date), maximum: nil)]),
        .init(
          "text", .string, defaultValue: "ä'\u{1F600}",
          validationRules: [.length(minimum: 1, maximum: 9)]),
        .init(
          "code", .string, isOptional: true,
          validationRules: [.pattern("[^x]*"), .length(minimum: nil, maximum: 4)]),
        .init("binary", .binary, isOptional: true, defaultValue: .binary(Data([0, 1, 255]))),
        .init("uuid", .uuid, isOptional: true, defaultValue: .uuid(UUID())),
        .init("uri", .uri, isOptional: true, defaultValue: .uri(try #require(URL(string: "https://x.org/a?b")))),
        .init("blob", .transformable, isOptional: true),
        .init("temporary", .string, isOptional: true, isTransient: true),
        .init("kept", .string, isOptional: true, preservesValueInHistoryOnDeletion: true, renamingIdentifier: "held"),
      ], renamingIdentifier: "Object", versionHashModifier: "m")
    let part = EntityDescription(
      "Part", superentity: "Thing",
      attributes: [
        .init("loud", .string, isOptional: true, derivationExpression: "uppercase:(text)"),
        .init("changed", .date, isOptional: true, derivationExpression: "now()"),
        .init("count", .int64, isOptional: true, derivationExpression: "parts.@count"),
        .init("total", .double, isOptional: true, derivationExpression: "parts.double.@sum"),
        .init("owner", .string, isOptional: true, derivationExpression: "whole.text"),
      ],
      relationships: [
        .init(
          "parts", to: "Part", inverse: "whole", isToMany: true, isOrdered: true, minimumCount: 1, maximumCount: 7,
          deleteRule: .cascade, versionHashModifier: "r"),
        .init("whole", to: "Part", inverse: "parts", deleteRule: .deny, renamingIdentifier: "assembly"),
      ], uniquenessConstraints: [["text"], ["a16", "bool"]],
      fetchIndexes: [.init("byDate", elements: [.init("date", isAscending: false), .init("text")])])
    let model = try ManagedObjectModel(
      entities: [thing, part, EntityDescription("Other", attributes: [.init("x", .string)])],
      configurations: ["User": ["Thing", "Part"]])
    let copy = try #require(try written(model))
    for entity in model.entities { #expect(copy.model[entity.name]?.inArchiveOrder == entity.inArchiveOrder) }
    #expect(
      copy.model.entities(forConfiguration: "User")?.map(\.name)
        == model.entities(forConfiguration: "User")?.map(\.name))
    #expect(copy.model.configurations == ["User"] && copy.remarks == [])
  }

  @Test(
    "A pattern is kept beside a default; with more than twenty of these, a model would be read wrong and is not copied")
  func differentCopies() throws {
    func model(_ count: Int) throws -> ManagedObjectModel {
      let attributes = (0..<count).map {
        AttributeDescription("code\($0)", .string, defaultValue: "a", validationRules: [.pattern("a*")])
      }
      return try ManagedObjectModel(entities: [EntityDescription("Note", attributes: attributes)])
    }
    let copy = try #require(try written(model(20)))
    #expect(copy.model.entities[0].attributes.allSatisfy { $0.validationRules == [.pattern("a*")] })
    #expect(copy.remarks == [])
    #expect(try written(model(21)) == nil)
  }

  @Test(
    "A mapping model file is refused by name, and the message says what to write instead",
    arguments: ["Map.xcmappingmodel", "a/Map.cdm"])
  func mappingModels(path: String) throws {
    let provider = StoredModelProvider(modelFiles: [path])
    let error = #expect(throws: CoreDataFileError.self) {
      try provider.sourceModels(of: SourceStore(path: "x", metadata: [:], modelCache: nil))
    }
    let text = "\(try #require(error))"
    #expect(text.contains(path) && text.contains("CustomMigrationStage"))
  }
}

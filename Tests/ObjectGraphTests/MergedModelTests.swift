// D1: one model made from several: what they share, and their conflicts.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 · merged models", .tags(.d1))
struct MergedModelTests {
  private static let region = EntityDescription("Region", attributes: [.init("name", .string)])
  private static let note = EntityDescription("Note", attributes: [.init("text", .string)])

  @Test("A merged model has the entities, configurations, templates and version identifiers of all")
  func parts() throws {
    let strong = FetchRequestTemplate(entityName: "Quake", predicateFormat: "magnitude > 5")
    let all = FetchRequestTemplate(entityName: "Region")
    let first = try ManagedObjectModel(
      entities: [.quake(), Self.region], configurations: ["Catalog": ["Region"], "Main": ["Quake"]],
      fetchRequestTemplates: ["strong": strong, "all": all], versionIdentifiers: ["1"])
    let second = try ManagedObjectModel(
      entities: [Self.note, Self.region], configurations: ["Main": ["Note"]], fetchRequestTemplates: ["all": all],
      versionIdentifiers: ["1", "n2"])
    let merged = try ManagedObjectModel(merging: [first, second])
    #expect(merged.entities.map(\.name) == ["Note", "Quake", "Region"])
    #expect(merged.entities(forConfiguration: "Main")?.map(\.name) == ["Note", "Quake"])
    #expect(merged.entities(forConfiguration: "Catalog")?.map(\.name) == ["Region"])
    #expect(merged.fetchRequestTemplates == ["strong": strong, "all": all])
    #expect(merged.versionIdentifiers == ["1", "n2"])
    #expect(merged.entityVersionHashesByName["Quake"] == first.entityVersionHashesByName["Quake"])
    #expect(try ManagedObjectModel(merging: [first]) == first)
    #expect(try ManagedObjectModel(merging: [first, ManagedObjectModel(), first]) == first)
    #expect(try ManagedObjectModel(merging: []) == ManagedObjectModel())
    #expect(try ManagedObjectModel(merging: [second, first]) == merged)
  }

  @Test("Entities and templates that differ are reported, each once, with the differences")
  func clashes() throws {
    let other = EntityDescription(
      "Region", isAbstract: true, attributes: [.init("name", .string, isOptional: true), .init("code", .int64)])
    let first = try ManagedObjectModel(
      entities: [Self.region, Self.note], fetchRequestTemplates: ["all": FetchRequestTemplate(entityName: "Region")])
    let second = try ManagedObjectModel(
      entities: [other, Self.note], fetchRequestTemplates: ["all": FetchRequestTemplate(entityName: "Note")])
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(merging: [first, second, first]) }
    #expect(
      error?.problems.prefix(2).map(\.description) == [
        "entity Region: found two descriptions that differ in 'code', 'name', abstractness; expected the same one in "
          + "every model",
        "found two fetch request templates \"all\" that differ; expected the same one in every model, or different names",
      ])
    // Names that only differ between the models.
    let lower = try ManagedObjectModel(entities: [EntityDescription("note", attributes: [.init("text", .string)])])
    #expect(throws: ModelError.self) { try ManagedObjectModel(merging: [first, lower]) }
  }

  @Test("A template needs a name, and an entity of the model")
  func templates() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(
        entities: [Self.note],
        fetchRequestTemplates: [
          "": FetchRequestTemplate(entityName: "Note"), "lost": FetchRequestTemplate(entityName: "Region"),
        ])
    }
    #expect(
      error?.problems.map(\.description) == [
        "found a fetch request template without a name; expected a name",
        "found the fetch request template \"lost\" of the entity \"Region\"; expected an entity of the model: Note",
      ])
  }
}

// D12: the index next to a list with sections.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D12 · index of sections", .tags(.d12))
struct SectionIndexTests {
  /// Returns "#" for names of digits, and nothing for other places.
  private final class Numbers: FetchedResultsControllerDelegate {
    func controller(
      _ controller: FetchedResultsController<ManagedObject>, sectionIndexTitleForSectionName name: String
    ) -> String? { name.first?.isNumber == true ? "#" : nil }
  }

  private func withList(
    _ places: [String?], section: String? = "place",
    _ body: (FetchedResultsController<ManagedObject>, ManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for (number, place) in places.enumerated() { try Quake.insert("q\(number)", into: context)[Quake.place] = place }
      try context.save()
      let request = FetchRequest(
        entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place), FetchSortDescriptor(Quake.code)])
      try body(
        FetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section), context)
    }
  }

  @Test("The index of sections has their first letters, each once if sections follow each other")
  func letters() throws {
    try withList(["Elko", "Ely", "Reno", "Elko", "elko", "ångström", nil, "8 km N"]) { list, context in
      #expect(list.sectionIndexTitles == [] && list.section(forSectionIndexTitle: "E", at: 0) == nil)
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["", "8 km N", "Elko", "Ely", "Reno", "elko", "ångström"])
      #expect(list.sections.map(\.indexTitle) == [nil, "8", "E", "E", "R", "E", "Å"])
      #expect(list.sectionIndexTitles == ["8", "E", "R", "E", "Å"])
      let sections = list.sectionIndexTitles.enumerated().map { list.section(forSectionIndexTitle: $1, at: $0) }
      #expect(sections == [1, 2, 4, 5, 6])
      #expect(list.section(forSectionIndexTitle: "R", at: 1) == nil)
      for index in [-1, 5] { #expect(list.section(forSectionIndexTitle: "E", at: index) == nil) }
      try Quake.insert("new", into: context)[Quake.place] = "Fallon"
      context.processPendingChanges()
      #expect(list.sectionIndexTitles == ["8", "E", "F", "R", "E", "Å"])
      #expect(list.section(forSectionIndexTitle: "R", at: 3) == 5)
      #expect(list.sectionIndexTitle(forSectionName: "straße") == "S")
    }
    try withList(["Reno"], section: nil) { list, _ in
      try list.performFetch()
      #expect(list.sectionIndexTitles == [] && list.sections.count == 1)
    }
  }

  @Test("A delegate decides on the titles")
  func delegate() throws {
    try withList(["Elko", "7 km S", "8 km N", "Reno"]) { list, _ in
      let numbers = Numbers()
      list.delegate = numbers
      try list.performFetch()
      #expect(list.sectionIndexTitles == ["#"] && list.section(forSectionIndexTitle: "#", at: 0) == 0)
      #expect(list.sectionIndexTitle(forSectionName: "Elko") == nil)
    }
  }
}

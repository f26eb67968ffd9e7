// C1: a merge after which the observer's rows differ from the store's is a failed sample, whatever the engine reports.
import BatchmarkEngine
import CoreDataModel
import Instruments
import MissionTags
import ObjectGraph
import Testing
import Harness

/// Stores rows through the object graph, with an observer that makes false claims.
private struct BoastfulEngine: Engine {
  enum Claim: String, CaseIterable { case right, tooFew, tooMany, otherValues }

  let claim: Claim

  var name: String { "boastful" }
  var strategies: [Strategy] {
    [
      Strategy(
        "run", summary: "",
        .insert { [claim] setup, _ in
          let coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
          try coordinator.addPersistentStore(PersistentStoreDescription(path: setup.path))
          return Session(coordinator, claim)
        })
    ]
  }

  final class Session: InsertSession, SessionObserver {
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext
    let claim: Claim
    var isMerged = false

    init(_ coordinator: PersistentStoreCoordinator, _ claim: Claim) {
      (self.coordinator, self.claim) = (coordinator, claim)
      context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    }

    var observer: (any SessionObserver)? { self }
    var notes: [String] { ["the engine has something to say"] }

    func insert(_ source: SourceRows) throws {
      guard let rows = source.tables.first, case .text(let codes) = rows.columns[0] else { return }
      try context.performAndWait {
        for row in 0..<rows.count {
          let object = try context.insertNewObject(forEntityName: "Quake")
          object["code"] = codes.string(at: row).map { .string($0) } ?? .null
        }
        try context.save()
      }
    }

    func merge() throws { isMerged = true }

    func contents() throws -> ObservedContents {
      #expect(isMerged)
      var codes = try context.performAndWait {
        try context.fetch(FetchRequest(entityName: "Quake")).map { $0["code"] }
      }
      switch claim {
      case .right: break
      case .tooFew: codes.removeLast()
      case .tooMany: codes.append("more")
      case .otherValues: codes[3] = "another"
      }
      var contents = ObservedContents(
        of: EntityDescription("Quake", attributes: [AttributeDescription("code", .string)]))
      for code in codes { contents.add { _ in code } }
      return contents
    }

    func checkpoint() throws { try coordinator.checkpoint() }
    func close() throws { try coordinator.close() }
  }
}

@Suite("C1 · verification of observers", .tags(.c1))
struct ObserverVerificationTests {
  private func sample(_ claim: BoastfulEngine.Claim) throws -> Sample {
    let text = """
      scenario: test
      model: {Quake: {attributes: {code: {type: string}}}}
      source: {generate: {rows: 10, seed: 3}}
      cells: [{engine: boastful, strategy: run}]
      """
    return try BoastfulEngine(claim: claim).sample(of: text)
  }

  @Test("An observer must have the stored rows")
  func right() throws {
    let sample = try sample(.right)
    #expect(sample.phases.map(\.phase) == [.load, .ingest, .merge, .checkpoint, .verify])
    #expect(sample.notes.isEmpty && sample.engineNotes == ["the engine has something to say"])
  }

  @Test(
    "An observer that missed a row, has one too many or shows another value is refused",
    arguments: [
      (BoastfulEngine.Claim.tooFew, "has 9 rows; expected 10"), (.tooMany, "has 11 rows; expected 10"),
      (.otherValues, "has 10 rows, as it should, but other values than the store"),
    ])
  private func wrong(claim: BoastfulEngine.Claim, complaint: String) {
    #expect { try sample(claim) } throws: { "\($0)".contains("after the merge the observing context " + complaint) }
  }
}

extension ObserverVerificationTests {
  private static let quake = EntityDescription(
    "Quake",
    attributes: [AttributeDescription("place", .string, isOptional: true), AttributeDescription("size", .int32)])

  private func list(_ rows: [(place: String?, size: Int)], by order: [ObservedContents.SortKey]) -> ObservedContents {
    var contents = ObservedContents(of: ObserverVerificationTests.quake, orderedBy: order)
    for row in rows {
      contents.add { name in
        name == "place" ? row.place.map { .string($0) } ?? .null : .integer(Int64(row.size))
      }
    }
    return contents
  }

  @Test("A list is checked in its order, and equal rows may have any order", .tags(.d12))
  func order() {
    let keys = [ObservedContents.SortKey("place"), .init("size", ascending: false)]
    let rows: [(String?, Int)] = [(nil, 1), (nil, 1), ("a", 9), ("a", 2), ("b", 5)]
    let right = list(rows, by: keys)
    #expect(right.firstOutOfOrder == nil && right.order == keys)
    // The hash does not depend on the order, so the order is checked separately.
    let swapped = list([rows[0], rows[1], rows[3], rows[2], rows[4]], by: keys)
    #expect(swapped.firstOutOfOrder == 3 && swapped.contentHash == right.contentHash)
    #expect(list([rows[2], rows[0]], by: keys).firstOutOfOrder == 1)
    #expect(list(rows, by: []).firstOutOfOrder == nil)

    var expected = ExpectedContents(of: [])
    (expected.rows, expected.contentHash, expected.listOrder) = (5, right.contentHash, keys)
    #expect(throws: Never.self) { try expected.check(right) }
    #expect {
      try expected.check(swapped)
    } throws: {
      "\($0)" == "row 4 of the list comes before row 3; expected rows by place, size descending"
    }
    #expect {
      try expected.check(list(rows, by: []))
    } throws: {
      "\($0)" == "the list is ordered by nothing; expected by place, size descending"
    }
  }
}

// B11: uniqueness constraints under every merge policy, by saves and by batches, to the same rows.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B11 · uniqueness and merge policies")
struct ConstraintTests {
  static let policies: [MergePolicy] = MergePolicy.MergeType.allCases.map(MergePolicy.init(mergeType:))

  /// Rows with three codes; one of them is already stored, and one occurs twice.
  private static let incoming: [[String: AttributeValue]] = [
    Quake.row("old", 20, place: nil), Quake.row("new", 30), Quake.row("new", 31, place: "There"), Quake.row("own", 40),
  ]

  private func stackWithOldRow() throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("old", 10)]))
    }
    return stack
  }

  private let select = "SELECT ZCODE, Z_OPT, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY ZCODE"
  private let newWins = ["new|2|31.0|There", "old|2|20.0|NULL", "own|1|40.0|Here"]
  private let oldStays = ["new|1|30.0|Here", "old|1|10.0|Here", "own|1|40.0|Here"]

  @Test(
    "A batch insert skips a row, or writes the later one whole with a new version", .tags(.b11), arguments: policies)
  func batch(policy: MergePolicy) throws {
    let stack = try stackWithOldRow()
    let context = stack.context(policy)
    var request = BatchInsertRequest(entityName: "Quake", objects: Self.incoming)
    request.resultType = .count
    let result = try context.performAndWait { try context.execute(request) }
    let wins = [.objectTrump, .overwrite].contains(policy.mergeType)
    #expect(result == .count(wins ? 4 : 2))
    #expect(try stack.rows(select) == (wins ? newWins : oldStays))
  }

  @Test("A save under the same policy leaves the same rows", .tags(.b11), arguments: policies)
  func save(policy: MergePolicy) throws {
    let stack = try stackWithOldRow()
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let objects = try Self.incoming.map { row in
        let object = try context.insertNewObject(forEntityName: "Quake")
        for (key, value) in row { object[key] = value }
        return object
      }
      guard policy.mergeType != .error else {
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        guard case .constraintConflict(let conflicts)? = error else { throw try #require(error) }
        #expect(error?.code == 133021)
        #expect(conflicts.map(\.conflictingObjectID) == [objects[0].objectID, objects[2].objectID])
        #expect(conflicts.map(\.constraintValues) == [["old"], ["new"]])
        #expect(conflicts[0].databaseObjectID?.uriRepresentation().hasSuffix("p1") == true)
        #expect(conflicts[1].databaseObjectID == nil)
        #expect(context.insertedObjects.count == 4)
        // After correcting the named objects, the save succeeds.
        objects[0][Quake.code] = "older"
        objects[2][Quake.code] = "newer"
        try context.save()
        return
      }
      try context.save()
      #expect(!context.hasChanges)
      let isGone = objects.map(\.isDeleted)
      switch policy.mergeType {
      case .objectTrump, .overwrite:
        #expect(isGone == [false, true, false, false])
        #expect(objects[0].objectID.uriRepresentation().hasSuffix("p1"))
        // The remaining object can be saved again, because it has the row's new version.
        objects[2][Quake.magnitude] = 32
        try context.save()
        objects[2][Quake.magnitude] = 31
        try context.save()
      default: #expect(isGone == [true, false, true, false])
      }
    }
    switch policy.mergeType {
    case .error: #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["5"])
    case .objectTrump, .overwrite:
      #expect(try stack.rows(select) == [newWins[0].replacing("new|2", with: "new|4")] + newWins.dropFirst())
    default: #expect(try stack.rows(select) == oldStays)
    }
  }

  @Test("Nulls never conflict, and a compound constraint conflicts only if all its values are equal", .tags(.b11))
  func compound() throws {
    let stack = try TestStack([
      EntityDescription(
        "Pair",
        attributes: [
          AttributeDescription("left", .string, isOptional: true),
          AttributeDescription("right", .int64, isOptional: true),
          AttributeDescription("note", .string),
        ],
        uniquenessConstraints: [["left", "right"]])
    ])
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(
          entityName: "Pair",
          objects: [
            ["left": "a", "right": 1, "note": "1"], ["left": "a", "right": 2, "note": "2"],
            ["left": "a", "note": "3"], ["left": "a", "note": "4"], ["left": "a", "right": 1, "note": "5"],
          ]))
    }
    #expect(
      try stack.rows("SELECT Z_PK, ZNOTE, Z_OPT FROM ZPAIR ORDER BY Z_PK") == ["1|5|2", "2|2|1", "3|3|1", "4|4|1"])
  }

  @Test("Skipped and overwritten rows leave gaps in the keys, never collisions", .tags(.b11))
  func keysAfterConflicts() throws {
    let stack = try stackWithOldRow()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      for _ in 0..<3 { try context.execute(BatchInsertRequest(entityName: "Quake", objects: Self.incoming)) }
      try Quake.insert("saved", into: context)
      try context.save()
    }
    let highest = try stack.rows("SELECT max(Z_PK) FROM ZQUAKE")
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == highest)
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["4"])
    #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE WHERE ZCODE = 'new'") == ["6"])
  }
}

// D5, B11, C2: saves of many objects store the same as row by row, however many of them conflict with stored rows or
// with each other.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

extension RowInserterTests {
  /// The codes of new objects.
  enum Codes: CaseIterable, CustomTestStringConvertible {
    /// Each has a different one.
    case unique
    /// One is a stored row's; many unique ones surround it.
    case oneStored
    /// One is an earlier object's.
    case oneTwice
    /// One in fifty is another's.
    case few
    /// Nearly all of them are another's.
    case many
    case allStored

    var testDescription: String { "\(self)" }

    func codes(_ count: Int, _ random: inout SeededGenerator) -> [String] {
      var codes = (1...count).map { "new \($0)" }
      switch self {
      case .unique: break
      case .oneStored: codes[count / 2] = "stored 7"
      case .oneTwice: codes[count - 20] = codes[count / 3]
      case .few:
        for index in codes.indices where Int.random(in: 0..<50, using: &random) == 0 {
          codes[index] = Bool.random(using: &random) ? "stored \(index % 20)" : codes[index / 2]
        }
      case .many: codes = codes.map { _ in "new \(Int.random(in: 0..<150, using: &random))" }
      case .allStored: codes = codes.indices.map { "stored \($0 % 20)" }
      }
      return codes
    }
  }

  /// The expected rows, computed one after the other.
  private struct Expected {
    var rows: [String: (key: Int64, version: Int, magnitude: Int)] = [:]
    /// The objects without their own row at the end, by position.
    var given: Set<Int> = []
    /// The objects whose unique value already existed when they were stored.
    var clashes: [Int] = []

    init(_ codes: [String], policy: MergePolicy.MergeType) {
      var owners: [String: Int] = [:]
      for number in 0..<20 { rows["stored \(number)"] = (Int64(number + 1), 1, -1) }
      for (index, code) in codes.enumerated() {
        guard let row = rows[code] else {
          rows[code] = (Int64(21 + index), 1, index)
          owners[code] = index
          continue
        }
        clashes.append(index)
        if policy == .objectTrump {
          rows[code] = (row.key, row.version + 1, index)
          if let earlier = owners.updateValue(index, forKey: code) { given.insert(earlier) }
        } else {
          given.insert(index)
        }
      }
    }

    var text: [String] {
      rows.sorted { $0.value.key < $1.value.key }.map { "\($1.key)|\($1.version)|\($0)|\($1.magnitude).0" }
    }
  }

  private static let select = "SELECT Z_PK, Z_OPT, ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY Z_PK"

  private func scene(_ policy: MergePolicy) throws -> (TestStack, ManagedObjectContext) {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      for number in 0..<20 { try Quake.insert("stored \(number)", -1, into: context) }
      try context.save()
      context.reset()
    }
    return (stack, context)
  }

  private func insert(_ codes: [String], _ context: ManagedObjectContext) throws -> [ManagedObject] {
    try codes.enumerated().map { try Quake.insert($1, Double($0), into: context) }
  }

  @Test("A save of many objects stores each under its permanent ID, with its references", .tags(.d5))
  func saves() throws {
    let stack = try TestStack([Self.free])
    let context = stack.context()
    let rows = quakes(777)
    try context.performAndWait { () throws in
      let objects = try insert(rows, into: context)
      try context.save()
      let keys = objects.compactMap { $0.objectID.uriRepresentation().split(separator: "/").last.map(String.init) }
      #expect(keys == (1...777).map { "p\($0)" })
    }
    #expect(try stack.rows(Self.contents) == expected(rows))
  }

  @Test("A save of many objects stores each under its permanent ID, and history has them", .tags(.d5, .c2))
  func savesWithHistory() throws {
    for tracks in [false, true] {
      let stack = try TestStack([Self.free]) { $0.tracksPersistentHistory = tracks }
      let context = stack.context()
      try context.performAndWait { () throws in
        for part in [2_345, 700, 3] {
          var objects: [ManagedObject] = []
          for _ in 0..<part {
            let object = try context.insertNewObject(forEntityName: "Quake")
            object["code"] = .string("q")
            objects.append(object)
          }
          try context.save()
          for object in objects { object["place"] = .string(object.objectID.uriRepresentation().lastPathComponent) }
          try context.save()
        }
      }
      #expect(try stack.rows("SELECT count(*), sum(ZPLACE = 'p' || Z_PK), max(Z_PK) FROM ZQUAKE") == ["3048|3048|3048"])
      if tracks {
        #expect(try stack.rows("SELECT count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZCHANGETYPE = 0") == ["3048"])
      }
    }
  }

  @Test(
    "When the store refuses a row, the save leaves context and store as they were", .tags(.d5),
    arguments: [600, 2_000])
  func refusedSave(number: Int) throws {
    let stack = try TestStack([Self.free])
    try stack.execute(refusal(of: number))
    let context = stack.context()
    try context.performAndWait { () throws in
      let objects = try insert(quakes(2_000), into: context)
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(error?.description.contains("not this one") == true)
      #expect(objects.allSatisfy { $0.objectID.isTemporaryID })
      #expect(context.insertedObjects.count == 2_000)
      try stack.execute("DROP TRIGGER refuse")
      try context.save()
      #expect(objects.allSatisfy { !$0.objectID.isTemporaryID })
    }
    #expect(try stack.rows("SELECT count(*), sum(ZCODE = 'q' || Z_PK) FROM ZQUAKE") == ["2000|2000"])
  }
}

extension RowInserterTests {
  @Test(
    "Stored rows, objects and history match a save row by row", .tags(.d5, .b11, .c2), arguments: Codes.allCases,
    [MergePolicy.MergeType.objectTrump, .storeTrump])
  func contents(kind: Codes, type: MergePolicy.MergeType) throws {
    var random = SeededGenerator(seed: 11)
    for count in [100, 431, 2_600] {
      let codes = kind.codes(count, &random)
      let expected = Expected(codes, policy: type)
      let (stack, context) = try scene(MergePolicy(mergeType: type))
      try context.performAndWait { () throws in
        let objects = try insert(codes, context)
        try context.save()
        #expect(try stack.rows(Self.select) == expected.text)
        for (index, object) in objects.enumerated() {
          if expected.given.contains(index) {
            #expect(object.managedObjectContext == nil, "\(index)")
          } else {
            #expect(object.objectID.uriRepresentation().hasSuffix("/p\(expected.rows[codes[index]]?.key ?? 0)"))
            #expect(object[Quake.magnitude] == Double(index))
          }
        }
      }
      // The first transaction is that of the stored rows.
      let new = expected.rows.values.filter { $0.key > 20 }.map { "\($0.key)|0" }
      let changed = expected.rows.values.filter { $0.key <= 20 && $0.version > 1 }.map { "\($0.key)|1" }
      #expect(
        try stack.rows("SELECT ZENTITYPK, ZCHANGETYPE FROM ACHANGE WHERE ZTRANSACTIONID > 1").sorted()
          == (new + changed).sorted())
      #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test(
    "A failed save reports every object whose value is taken, changes nothing, and succeeds once they have others",
    .tags(.d5, .b11), arguments: Codes.allCases.filter { $0 != .unique })
  func failure(kind: Codes) throws {
    var random = SeededGenerator(seed: 12)
    let codes = kind.codes(1_700, &random)
    let expected = Expected(codes, policy: .error)
    let (stack, context) = try scene(.error)
    let before = try stack.rows(Self.select)
    try context.performAndWait { () throws in
      let objects = try insert(codes, context)
      do throws(ObjectGraphError) {
        try context.save()
        Issue.record("the save went through")
      } catch {
        guard case .constraintConflict(let conflicts) = error else { throw error }
        let refused = Dictionary(grouping: expected.clashes) { codes[$0] }
        let wanted = refused.values.sorted { $0[0] < $1[0] }
        #expect(conflicts.map(\.conflictingObjectID) == wanted.map { objects[$0[0]].objectID })
        for (conflict, indexes) in zip(conflicts, wanted) {
          let code = codes[indexes[0]]
          let isStored = code.hasPrefix("stored")
          let all = isStored ? indexes : codes.indices.filter { codes[$0] == code }
          #expect(conflict.conflictingObjectIDs == all.map { objects[$0].objectID })
          #expect((conflict.databaseObjectID != nil) == isStored && conflict.constraintValues == [.string(code)])
        }
      }
      #expect(try stack.rows(Self.select) == before)
      #expect(context.insertedObjects.count == 1_700)
      for index in expected.clashes { objects[index][Quake.code] = "other \(index)" }
      try context.save()
    }
    #expect(try stack.rows("SELECT count(*), count(DISTINCT ZCODE) FROM ZQUAKE") == ["1720|1720"])
    #expect(
      try stack.rows("SELECT count(*), count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZTRANSACTIONID > 1")
        == ["1700|1700"])
  }

  @Test("An object with a permanent ID among many is stored under it", .tags(.d5, .b11))
  func obtainedIDs() throws {
    let (stack, context) = try scene(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      var codes = (0..<900).map { "new \($0)" }
      codes[700] = "new 300"
      codes[850] = "new 400"
      let objects = try insert(codes, context)
      try context.obtainPermanentIDs(for: [objects[400], objects[500]])
      let obtained = objects[400].objectID
      try context.save()
      #expect(objects[850].objectID == obtained)
      #expect(objects[400].managedObjectContext == nil)
      #expect(objects[300].managedObjectContext == nil)
      #expect(objects[700][Quake.magnitude] == 700)
    }
    #expect(
      try stack.rows(
        "SELECT ZCODE, ZMAGNITUDE, Z_OPT FROM ZQUAKE WHERE ZCODE IN ('new 300', 'new 400', 'new 500') ORDER BY ZCODE")
        == ["new 300|700.0|2", "new 400|850.0|2", "new 500|500.0|1"])
  }

  @Test("Many new objects are stored several at a step, even if values must be unique", .tags(.d5))
  func steps() throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    var description = stack.description()
    let inserts = Lock(0)
    description.sqlTrace = SQLTrace { line in
      if line.contains("INSERT OR FAIL") { inserts.withLock { $0 += 1 } }
    }
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      _ = try insert((0..<1_000).map { "\($0)" }, context)
      try context.save()
    }
    #expect(inserts.withLock { $0 } == 20)
  }
}

// B7, B9, B12: the three styles of batch insert, their results, and that the context is not involved.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("B7 B9 B12 · batch insert")
struct BatchInsertTests {
  enum Style: CaseIterable {
    case objects, rows, dictionaryHandler, managedObjectHandler

    /// A request for the rows in this style, made with the entity's description.
    func request(_ rows: [[String: AttributeValue]], entity: EntityDescription) -> BatchInsertRequest {
      var rows = rows[...]
      switch self {
      case .objects: return BatchInsertRequest(entity: entity, objects: Array(rows))
      case .rows: return BatchInsertRequest(entity: entity, rows: rows.map { RowDictionary($0) })
      case .dictionaryHandler:
        return BatchInsertRequest(entity: entity) { (values: inout [String: AttributeValue]) in
          guard let row = rows.popFirst() else { return true }
          values = row
          return false
        }
      case .managedObjectHandler:
        return BatchInsertRequest(entity: entity) { (object: ManagedObject) in
          guard let row = rows.popFirst() else { return true }
          for (key, value) in row { object[key] = value }
          return false
        }
      }
    }

    /// A request for the rows in this style.
    func request(_ rows: [[String: AttributeValue]], entityName: String = "Quake") -> BatchInsertRequest {
      var next = 0
      switch self {
      case .objects: return BatchInsertRequest(entityName: entityName, objects: rows)
      case .rows: return BatchInsertRequest(entityName: entityName, rows: rows.map { RowDictionary($0) })
      case .dictionaryHandler:
        return BatchInsertRequest(entityName: entityName) { (values: inout [String: AttributeValue]) in
          guard next < rows.count else {
            values["code"] = "never stored"
            return true
          }
          for (key, value) in rows[next] { values[key] = value }
          next += 1
          return false
        }
      case .managedObjectHandler:
        return BatchInsertRequest(entityName: entityName) { (object: ManagedObject) in
          guard next < rows.count else {
            object["code"] = "never stored"
            return true
          }
          for (key, value) in rows[next] { object[key] = value }
          next += 1
          return false
        }
      }
    }
  }

  @Test(
    "Every style stores the same rows, absent values as null, and ends when its handler says so", .tags(.b7),
    arguments: Style.allCases)
  func styles(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context()
    let rows = [Quake.row("a", 4.5), Quake.row("b", nil, place: nil), Quake.row("c", 2)]
    #expect(try context.performAndWait { try context.execute(style.request(rows)) } == .statusOnly(true))
    #expect(
      try stack.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE, ZTIME FROM ZQUAKE") == [
        "1|1|1|a|4.5|Here|0.5", "2|1|1|b|NULL|NULL|0.5", "3|1|1|c|2.0|Here|0.5",
      ])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["3"])
  }

  @Test(
    "A request can be made with an entity's description instead of its name, in every style", .tags(.b7),
    arguments: Style.allCases)
  func entityDescription(style: Style) throws {
    let stack = try TestStack([.quake(), EntityDescription("Shock", superentity: "Quake")])
    let context = stack.context()
    let rows = [Quake.row("a", 4.5), Quake.row("b", nil, place: nil)]
    try context.performAndWait { () throws in
      for name in ["Shock", "Quake"] {
        let entity = try #require(stack.coordinator.managedObjectModel[name])
        let request = style.request(name == "Shock" ? rows : [Quake.row("c", 2)], entity: entity)
        #expect(request.entityName == name)
        #expect(try context.execute(request) == .statusOnly(true))
      }
    }
    let numbers = try stack.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Quake', 'Shock') ORDER BY Z_NAME")
    #expect(
      try stack.rows("SELECT Z_ENT, ZCODE, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY ZCODE") == [
        "\(numbers[1])|a|4.5|Here", "\(numbers[1])|b|NULL|NULL", "\(numbers[0])|c|2.0|Here",
      ])
  }

  @Test("An absent key has its default, even after a row that set it", .tags(.b7), arguments: Style.allCases)
  func defaults(style: Style) throws {
    var entity = EntityDescription.quake()
    entity.attributes[2].defaultValue = "somewhere"
    let stack = try TestStack([entity])
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(style.request([Quake.row("a"), Quake.row("b", 1, place: nil)]))
    }
    #expect(try stack.rows("SELECT ZPLACE FROM ZQUAKE") == ["Here", "somewhere"])
  }
}

extension BatchInsertTests {
  @Test("An empty batch stores no rows and reports none", .tags(.b7, .b9), arguments: Style.allCases)
  func noRows(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context()
    var request = style.request([])
    request.resultType = .objectIDs
    #expect(try context.performAndWait { try context.execute(request) } == .objectIDs([]))
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["0"])
  }

  @Test(
    "Object IDs name the rows, overwritten ones too, each once and in the order given", .tags(.b9),
    arguments: Style.allCases)
  func objectIDs(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    let result = try context.performAndWait { () throws in
      try context.execute(style.request([Quake.row("a"), Quake.row("b")]))
      var request = style.request([Quake.row("c"), Quake.row("a", 9), Quake.row("d"), Quake.row("c", 8)])
      request.resultType = .objectIDs
      return try context.execute(request)
    }
    guard case .objectIDs(let objectIDs) = result else { throw TestFailure("\(result)") }
    let keys = objectIDs.compactMap { $0.uriRepresentation().split(separator: "/").last.map(String.init) }
    #expect(keys == ["p3", "p1", "p5"])
    #expect(objectIDs.allSatisfy { !$0.isTemporaryID && $0.entityName == "Quake" })
    #expect(
      try stack.rows("SELECT Z_PK, ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["1|a|9.0", "2|b|1.0", "3|c|8.0", "5|d|1.0"])
  }

  @Test(
    "A missing value in row 7,000 is reported with its row, and nothing of the request is stored", .tags(.b7),
    arguments: Style.allCases)
  func missingValue(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context()
    var rows = (1...8_000).map { Quake.row("q\($0)") }
    rows[6_999]["code"] = nil
    let request = style.request(rows)
    let expected = ObjectGraphError.missingValue(entity: "Quake", key: "code", row: 7_000)
    #expect(throws: expected) { try context.performAndWait { try context.execute(request) } }
    #expect(expected.code == 1570)
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZQUAKE), Z_MAX FROM Z_PRIMARYKEY") == ["0|0"])
  }
}

extension BatchInsertTests {
  @Test(
    "An unknown key and a wrong type are reported with row, found and expected", .tags(.b7), arguments: Style.allCases)
  func wrongRows(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context()
    let unknown = style.request([Quake.row("a"), Quake.row("b").merging(["magnitud": 1.5]) { $1 }])
    #expect(
      throws: ObjectGraphError.unknownAttribute(
        entity: "Quake", key: "magnitud", expected: ["code", "magnitude", "place", "time"], row: 2)
    ) { try context.performAndWait { try context.execute(unknown) } }
    let wrong = style.request([Quake.row("a").merging(["time": "yesterday"]) { $1 }])
    #expect(
      throws: ObjectGraphError.wrongType(
        entity: "Quake", key: "time", found: "a string", expected: "a date", row: 1)
    ) { try context.performAndWait { try context.execute(wrong) } }
    #expect(throws: ObjectGraphError.unknownEntity(found: "Quak", expected: ["Quake"])) {
      try context.performAndWait { try context.execute(BatchInsertRequest(entityName: "Quak", objects: [])) }
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
  }

  @Test(
    "The context is not involved: nothing inserted or pending, and objects keep their values", .tags(.b12),
    arguments: Style.allCases)
  func contextStaysOut(style: Style) throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      let pending = try Quake.insert("pending", into: context)
      try context.execute(style.request([Quake.row("a", 2), Quake.row("b")]))
      #expect(quake[Quake.magnitude] == 1 && !quake.hasChanges)
      #expect(context.insertedObjects.map(\.objectID) == [pending.objectID])
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 3)
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["a|2.0", "b|1.0"])
  }

  @Test("A handler that uses the store it fills gets an error, not a deadlock", .tags(.b7))
  func reentrance() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var inner: ObjectGraphError?
      let request = BatchInsertRequest(entityName: "Quake") { (values: inout [String: AttributeValue]) in
        if inner != nil { return true }
        do throws(ObjectGraphError) {
          try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("inner")]))
        } catch { inner = error }
        values = Quake.row("outer")
        return false
      }
      try context.execute(request)
      #expect(inner == .reentrantRequest)
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["outer"])
  }

  @Test("A full disk leaves the store as it was before the request", .tags(.b7), arguments: Style.allCases)
  func fullDisk(style: Style) throws {
    let stack = try TestStack(pragmas: [.init("max_page_count", "40")])
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(style.request([Quake.row("first")]))
      let many = style.request((0..<5_000).map { Quake.row("code \($0)") })
      let error = storeError { () throws(ObjectGraphError) in try context.execute(many) }
      #expect(error?.code == .full && error?.action.contains("row") == true)
      try context.execute(style.request([Quake.row("after")]))
    }
    #expect(try stack.rows("SELECT Z_PK, ZCODE FROM ZQUAKE ORDER BY Z_PK") == ["1|first", "2|after"])
    #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
  }
}

/// A failure with its reason.
struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

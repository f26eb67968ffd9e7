// D1, B8: hierarchies share a table, rules are checked when objects are saved, batches cannot set relationships.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 B8 · inheritance and rules")
struct InheritanceTests {
  /// Event (abstract) with the subentity Quake, Quake with the subentity Aftershock; Station is separate.
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Event", isAbstract: true, attributes: [AttributeDescription("code", .string)],
        uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Quake", superentity: "Event",
        attributes: [
          AttributeDescription(
            "magnitude", .double, isOptional: true, validationRules: [.range(minimum: -2, maximum: 10)]),
          AttributeDescription("scratch", .string, isOptional: true, isTransient: true),
        ]),
      EntityDescription(
        "Aftershock", superentity: "Quake", attributes: [AttributeDescription("rank", .int16, defaultValue: 1)]),
      EntityDescription(
        "Blast", superentity: "Event",
        attributes: [
          AttributeDescription(
            "operator", .string, validationRules: [.length(minimum: 2, maximum: 20), .pattern("[A-Z].*")])
        ],
        relationships: [RelationshipDescription("station", to: "Station", inverse: "blasts")]),
      EntityDescription(
        "Station", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("blasts", to: "Blast", inverse: "station", isToMany: true)]),
    ])
  }

  @Test(
    "Objects of a hierarchy share one table and one sequence of keys, and are fetched under their own entities",
    .tags(.d1))
  func hierarchy() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for (number, name) in ["Quake", "Aftershock", "Blast", "Quake"].enumerated() {
        let event = try context.insertNewObject(forEntityName: name)
        event["code"] = .string("e\(number)")
        if name == "Blast" { event["operator"] = "Mine" }
        event["scratch"] = name == "Blast" ? .null : "gone tomorrow"
        if name == "Blast" { #expect(event["scratch"].isNull) }
      }
      // The object has no properties of another branch.
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect("\(try #require(error))".contains("scratch: found no such attribute"))
      context.rollback()
      for (number, name) in ["Quake", "Aftershock", "Blast", "Quake"].enumerated() {
        let event = try context.insertNewObject(forEntityName: name)
        event["code"] = .string("e\(number)")
        if name == "Blast" { event["operator"] = "Mine" } else { event["scratch"] = "gone tomorrow" }
      }
      try context.save()
      context.reset()
      func names(_ entity: String, alone: Bool = false) throws -> [String] {
        var request = FetchRequest(entityName: entity)
        request.includesSubentities = !alone
        let results = try context.fetch(request)
        #expect(try context.count(for: request) == results.count)
        return results.map { "\($0.entity.name) \($0["code"])" }
      }
      let all = [
        "Quake string(\"e0\")", "Aftershock string(\"e1\")", "Blast string(\"e2\")", "Quake string(\"e3\")",
      ]
      #expect(try names("Event") == all)
      #expect(try names("Quake") == [all[0], all[1], all[3]])
      #expect(try names("Quake", alone: true) == [all[0], all[3]])
      #expect(try names("Event", alone: true) == [])
      #expect(try names("Aftershock") == [all[1]])
      #expect(try context.fetch(FetchRequest(entityName: "Aftershock"))[0]["rank"] == 1)
      #expect(try context.fetch(FetchRequest(entityName: "Quake"))[0]["scratch"].isNull)
      #expect(throws: ObjectGraphError.abstractEntity("Event")) {
        try context.insertNewObject(forEntityName: "Event")
      }
      #expect(throws: ObjectGraphError.abstractEntity("Event")) {
        try context.execute(BatchInsertRequest(entityName: "Event", objects: []))
      }
    }
    #expect(try stack.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0") == ["Event|4"])
    #expect(
      try stack.rows("SELECT Z_PK, Z_NAME FROM ZEVENT JOIN Z_PRIMARYKEY USING (Z_ENT) ORDER BY Z_PK") == [
        "1|Quake", "2|Aftershock", "3|Blast", "4|Quake",
      ])
  }

  @Test("An inherited constraint applies to the whole hierarchy", .tags(.d1))
  func inheritedConstraint() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.insertNewObject(forEntityName: "Quake")["code"] = "same"
      let shock = try context.insertNewObject(forEntityName: "Aftershock")
      shock["code"] = "same"
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      guard case .constraintConflict(let conflicts)? = error else { throw try #require(error) }
      #expect(conflicts.map(\.conflictingObjectID) == [shock.objectID])
    }
  }

  @Test("Every broken rule is in the save's error, with Core Data's code; batches skip rules", .tags(.d1))
  func rules() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.insertNewObject(forEntityName: "Quake")
      quake["code"] = "q"
      quake["magnitude"] = 11.5
      let blast = try context.insertNewObject(forEntityName: "Blast")
      blast["code"] = "b"
      blast["operator"] = "x"
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      guard case .validation(let failures)? = error else { throw try #require(error) }
      #expect(failures.map(\.code) == [.numberTooLarge, .stringTooShort, .stringPatternMatching])
      quake["magnitude"] = 10
      blast["operator"] = "Quarry"
      try context.save()
      quake["magnitude"] = -3
      #expect(throws: ObjectGraphError.self) { try context.save() }
      context.rollback()
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: [["code": "batch", "magnitude": 99.5]]))
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZEVENT WHERE ZCODE = 'batch'") == ["99.5"])
  }

  @Test("A batch insert reports the relationship that it cannot set, in every style", .tags(.b8))
  func relationshipInBatch() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for key in ["station", "blasts"] {
        let entity = key == "station" ? "Blast" : "Station"
        let row: [String: AttributeValue] = ["code": "b", "name": "n", "operator": "Mine"].filter {
          entity == "Blast" ? $0.key != "name" : $0.key == "name"
        }
        let expected = ObjectGraphError.relationshipInBatch(entity: entity, key: key, row: 1)
        #expect(throws: expected) {
          try context.execute(BatchInsertRequest(entityName: entity, objects: [row.merging([key: 1]) { $1 }]))
        }
        #expect(throws: expected) {
          try context.execute(
            BatchInsertRequest(entityName: entity) { (object: ManagedObject) in
              for (name, value) in row { object[name] = value }
              object[key] = 1
              return false
            })
        }
        #expect(throws: expected) {
          try context.execute(
            BatchInsertRequest(entityName: entity) { (values: inout [String: AttributeValue]) in
              values = row
              values[key] = 1
              return false
            })
        }
      }
    }
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZEVENT), (SELECT count(*) FROM ZSTATION)") == ["0|0"])
  }
}

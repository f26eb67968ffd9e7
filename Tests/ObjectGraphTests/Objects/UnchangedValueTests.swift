// D1, D5: setting a value to the same value is no change: nothing is written, no version increases, nothing conflicts.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Synchronization
import Testing

@Suite("D1 D5 · values that are set but unchanged")
struct UnchangedValueTests {
  /// Quakes with a transient note, and a derived time of their last change.
  private func stack() throws -> TestStack {
    var entity = EntityDescription.quake()
    entity.attributes += [
      AttributeDescription("note", .string, isOptional: true, isTransient: true),
      AttributeDescription("score", .decimal, isOptional: true),
    ]
    return try TestStack([entity]) { $0.tracksPersistentHistory = true }
  }

  private func stored(_ context: ManagedObjectContext) throws -> ManagedObject {
    let quake = try Quake.insert("a", 1, into: context)
    quake[Quake.place] = "Caf\u{E9}"
    try context.save()
    return quake
  }

  @Test("Changed values are those that differ from the stored ones, without transient ones", .tags(.d5))
  func changedValues() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      quake[Quake.magnitude] = 1
      quake["note"] = "to be looked at"
      #expect(quake.changedValues().isEmpty && !quake.hasPersistentChangedValues && quake.hasChanges)
      quake[Quake.magnitude] = 2
      #expect(quake.changedValues() == ["magnitude": 2.0] && quake.hasPersistentChangedValues)
      quake[Quake.magnitude] = 1
      #expect(quake.changedValues().isEmpty && !quake.hasPersistentChangedValues)
      // The same text in other code points is another value in a store.
      quake[Quake.place] = "Cafe\u{301}"
      #expect(quake.changedValues().keys.sorted() == ["place"] && quake.hasPersistentChangedValues)
      let new = try Quake.insert("b", 3, into: context)
      new["note"] = "new"
      #expect(new.changedValues().keys.sorted() == ["code", "magnitude", "time"] && new.hasPersistentChangedValues)
    }
  }

  /// An object that computes a value whenever it is read.
  final class Computing: ManagedObject {
    override func awakeFromFetch() {
      self[Quake.place] = "awake"
      self["note"] = "computed"
    }
  }

  @Test("A rollback keeps transient values that were set as the object was read", .tags(.d1, .d5))
  func computedValues() throws {
    var entity = EntityDescription.quake()
    entity.attributes.append(AttributeDescription("note", .string, isOptional: true, isTransient: true))
    let stack = try TestStack([entity], classes: ["Quake": Computing.self])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      try context.refresh(quake, mergeChanges: false)
      quake[Quake.magnitude] = 2
      context.rollback()
      #expect(quake["note"] == "computed" && quake[Quake.magnitude] == 1 && !context.hasChanges)
    }
  }

  @Test("Transient values are not among an object's committed values", .tags(.d5))
  func committedValues() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      quake["note"] = "to be looked at"
      try context.save()
      #expect(quake.committedValues(forKeys: ["note", "magnitude"]) == ["magnitude": 1.0])
    }
  }

  @Test("A policy that prefers the store keeps transient values set here", .tags(.d5))
  func transientValuesInConflict() throws {
    let stack = try stack()
    let (mine, theirs) = (stack.context(), stack.context())
    mine.mergePolicy = .mergeByPropertyStoreTrump
    try mine.performAndWait { () throws in
      let quake = try stored(mine)
      quake["note"] = "earlier"
      quake[Quake.place] = "Caracas"
      try mine.save()
      let objectID = quake.objectID
      try theirs.performAndWait { () throws in
        try theirs.existingObject(with: objectID)[Quake.magnitude] = 20
        try theirs.save()
      }
      (quake["note"], quake[Quake.magnitude]) = ("later", 3)
      try mine.save()
      #expect(quake["note"] == "later" && quake[Quake.magnitude] == 20)
    }
  }

  @Test("A conflict's snapshots have no transient values that a policy could write", .tags(.d5))
  func conflictingSnapshots() throws {
    let stack = try stack()
    let (mine, theirs) = (stack.context(), stack.context())
    mine.mergePolicy = MergePolicy(mergeType: .error) { conflict in
      guard conflict.objectSnapshot.keys.contains("code"), conflict.cachedSnapshot?.keys.contains("code") == true,
        !conflict.objectSnapshot.keys.contains("note"), conflict.cachedSnapshot?.keys.contains("note") == false
      else { return .fail }
      return .values(conflict.objectSnapshot)
    }
    try mine.performAndWait { () throws in
      let quake = try stored(mine)
      try theirs.performAndWait { () throws in
        try theirs.existingObject(with: quake.objectID)[Quake.magnitude] = 20
        try theirs.save()
      }
      quake["note"] = "to be looked at"
      quake[Quake.magnitude] = 10
      try mine.save()
      #expect(quake[Quake.magnitude] == 1)
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["1.0"])
  }

  @Test("An object whose values did not change is not written, and keeps its version", .tags(.d2, .d5))
  func version() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      quake[Quake.magnitude] = 2
      quake[Quake.magnitude] = 1
      quake["note"] = "to be looked at"
      let transactions = try stack.rows("SELECT count(*) FROM ATRANSACTION")
      try context.save()
      #expect(try stack.rows("SELECT count(*) FROM ATRANSACTION") == transactions)
      #expect(!context.hasChanges && !quake.hasChanges && quake["note"] == "to be looked at")
      #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE") == ["1"])
      // Once together with another written object, then as before.
      quake[Quake.magnitude] = 1
      try Quake.insert("b", into: context)
      try context.save()
      quake[Quake.place] = "Cafe\u{301}"
      quake[Quake.magnitude] = 1
      try context.save()
      #expect(quake["note"] == "to be looked at")
    }
    #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE") == ["2", "1"])
    #expect(try stack.rows("SELECT hex(ZPLACE) FROM ZQUAKE WHERE ZCODE = 'a'") == ["43616665CC81"])
    #expect(try stack.rows("SELECT ZCHANGETYPE FROM ACHANGE ORDER BY Z_PK") == ["0", "0", "1"])
  }

  @Test("Replacing NaN or null by NaN is not a change, because a store keeps both as null", .tags(.d1, .d5))
  func notANumber() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      let values: [(key: String, value: AttributeValue)] = [("magnitude", .real(.nan)), ("score", .decimal(.nan))]
      for (key, value) in values { quake[key] = value }
      #expect(quake.changedValues().keys.sorted() == ["magnitude"], "null was stored under 'score'")
      try context.save()
      #expect(try stack.rows("SELECT ZMAGNITUDE, ZSCORE, Z_OPT FROM ZQUAKE") == ["NULL|NULL|2"])
      for (key, value) in values { quake[key] = value }
      #expect(quake.changedValues().isEmpty && !quake.hasPersistentChangedValues)
      try context.save()
      try context.refresh(quake, mergeChanges: false)
      quake["magnitude"] = .real(.nan)
      #expect(!quake.hasPersistentChangedValues)
      try context.save()
      #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE") == ["2"])
      quake["magnitude"] = 1
      #expect(quake.changedValues() == ["magnitude": 1.0])
      quake["magnitude"] = .real(.nan)
      #expect(!quake.hasPersistentChangedValues)
    }
  }

  @Test("Unchanged values cause no conflict", .tags(.d6))
  func conflicts() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 7, Z_OPT = 2")
      quake[Quake.magnitude] = 1
      try Quake.insert("b", into: context)
      try context.save()
      quake[Quake.magnitude] = 1
      context.stalenessInterval = 0
      // Stored values replace those that were not changed here.
      try context.refresh(quake, mergeChanges: true)
      #expect(quake[Quake.magnitude] == 7)
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE, Z_OPT FROM ZQUAKE") == ["a|7.0|2", "b|1.0|1"])
  }
}

extension UnchangedValueTests {
  @Test("After a failed save the object still counts as changed, and a rollback undoes that", .tags(.d5))
  func failedSave() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      quake[Quake.magnitude] = 1
      quake["note"] = "unsaved"
      let clash = try Quake.insert("a", into: context)
      #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(context.updatedObjects == [quake] && quake.hasChanges)
      try context.delete(clash)
      quake[Quake.magnitude] = 3
      try context.save()
      quake[Quake.magnitude] = 3
      try Quake.insert("a", into: context)
      #expect(throws: ObjectGraphError.self) { try context.save() }
      context.rollback()
      #expect(!context.hasChanges && quake["note"] == "unsaved")
      quake[Quake.magnitude] = 4
      #expect(context.updatedObjects == [quake])
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, Z_OPT FROM ZQUAKE") == ["4.0|3"])
  }

  @Test("A child passes on only what changed", .tags(.d5))
  func child() throws {
    let stack = try stack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      let quake = try stored(parent)
      let child = ManagedObjectContext(parent: parent)
      let objectID = quake.objectID
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: objectID)
        mine[Quake.magnitude] = 1
        try child.save()
        #expect(!child.hasChanges && !parent.hasChanges)
        quake[Quake.magnitude] = 9
        mine[Quake.magnitude] = 1
        mine[Quake.place] = "There"
        try child.save()
      }
      #expect(quake[Quake.magnitude] == 9 && quake[Quake.place] == "There")
    }
  }

  @Test("A primitive value counts as changed once it is set normally", .tags(.d4))
  func primitiveValues() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try stored(context)
      try quake.setPrimitiveValue(5.0, forKey: "magnitude")
      #expect(!context.hasChanges && quake.committedValues(forKeys: ["magnitude"]) == ["magnitude": 1.0])
      quake[Quake.magnitude] = 5
      try context.save()
      try quake.setPrimitiveValue(6.0, forKey: "magnitude")
      quake[Quake.place] = "There"
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE, Z_OPT FROM ZQUAKE") == ["6.0|There|3"])
  }

  @Test("Values derived from the time of a change stay the same if nothing changed", .tags(.d1))
  func derived() throws {
    var entity = EntityDescription.quake()
    entity.attributes.append(
      AttributeDescription("changedAt", .date, isOptional: true, derivationExpression: "now()"))
    let stack = try TestStack([entity])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      let first = quake["changedAt"]
      #expect(!first.isNull)
      quake[Quake.magnitude] = 1
      try context.save()
      #expect(quake["changedAt"] == first)
      quake[Quake.magnitude] = 2
      try context.save()
      #expect(quake["changedAt"] != first)
    }
    #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE") == ["2"])
  }
}

// D5: what callbacks, observers and policies may call during a save.
internal import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

/// An object whose callbacks do what a test asks for.
private final class Restless: ManagedObject {
  /// Actions by callback, called every time.
  final class Script: Sendable {
    typealias Body = @Sendable (Restless) throws -> Void
    private let bodies = Lock<[String: Body]>([:])
    let errors = Lock<[String]>([])
    let codes = Lock<[Int?]>([])

    func on(_ callback: String, _ body: @escaping Body) { bodies.withLock { $0[callback] = body } }

    func run(_ callback: String, _ object: Restless) {
      guard let body = bodies.withLock({ $0[callback] }) else { return }
      do {
        try body(object)
      } catch let error as ObjectGraphError {
        errors.withLock { $0.append("\(error)") }
        codes.withLock { $0.append(error.code) }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
  }

  /// Scripts are found by the objects' values, because several tests run at once.
  private static let scripts = Lock<[String: Script]>([:])

  static func script(_ name: String) -> Script {
    scripts.withLock { scripts in
      if let script = scripts[name] { return script }
      let script = Script()
      scripts[name] = script
      return script
    }
  }

  private func run(_ callback: String) {
    guard case .string(let name) = self["test"] else { return }
    Restless.script(name).run(callback, self)
  }

  override func willSave() { run("willSave") }
  override func didSave() { run("didSave") }
  override func prepareForDeletion() { run("prepareForDeletion") }
  override func validateForInsert() throws {
    try super.validateForInsert()
    run("validate")
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    run("validate")
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    run("validate")
  }
}

@Suite("D5 · calls inside a save")
struct SaveInSaveTests {
  private func stack() throws -> TestStack {
    try TestStack(
      [
        EntityDescription(
          "Thing",
          attributes: [
            AttributeDescription("test", .string, isOptional: true),
            AttributeDescription("name", .string, isOptional: true),
          ],
          relationships: [
            RelationshipDescription("owner", to: "Thing", inverse: "parts"),
            RelationshipDescription("parts", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .cascade),
          ])
      ], classes: ["Thing": Restless.self])
  }

  private func make(_ name: String, _ test: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: "Thing")
    object["test"] = .string(test)
    object["name"] = .string(name)
    return object
  }

  /// A context with two stored things, whose callbacks run the script.
  private func withThings(
    _ test: String, _ body: (TestStack, ManagedObjectContext, Restless.Script, [ManagedObject]) throws -> Void
  ) throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let things = [try make("a", test, in: context), try make("b", test, in: context)]
      try context.save()
      try body(stack, context, Restless.script(test), things)
    }
  }

  @Test(
    "A save inside a save is an error with Core Data's code, and the outer save continues", .tags(.d5),
    arguments: ["willSave", "validate", "didSave"])
  func nestedSave(callback: String) throws {
    try withThings("nested \(callback)") { stack, context, script, things in
      script.on(callback) { try $0.managedObjectContext?.save() }
      things[0]["name"] = "changed"
      try context.save()
      #expect(script.codes.withLock { $0 } == [132001])
      #expect(!context.hasChanges)
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["b", "changed"])
      script.on(callback) { _ in }
      things[0]["name"] = "again"
      try context.save()
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["again", "b"])
    }
  }

  @Test("A save from prepareForDeletion is an error inside a save, and works outside of one", .tags(.d5))
  func saveFromPreparation() throws {
    try withThings("prepare") { stack, context, script, things in
      script.on("prepareForDeletion") { try $0.managedObjectContext?.save() }
      try things[1].setObject(things[0], forKey: "owner")
      things[1]["name"] = "part"
      // Outside of a save, it stores all changes.
      try context.delete(things[1])
      #expect(script.errors.withLock { $0 } == [])
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["a", "part"])
      try context.save()
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["a"])
    }
  }

  @Test("Observers of a save cannot save in it", .tags(.d5), arguments: [ContextNotification.Name.willSave, .didSave])
  func observers(name: ContextNotification.Name) throws {
    try withThings("observer \(name)") { stack, context, _, things in
      let codes = Lock<[Int?]>([])
      let observation = context.observe(name) { [weak context] _ in
        do { try context?.save() } catch let error as ObjectGraphError {
          codes.withLock { $0.append(error.code) }
        } catch {}
      }
      defer { observation.cancel() }
      things[0]["name"] = "changed"
      try context.save()
      #expect(codes.withLock { $0 } == [132001])
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["b", "changed"])
    }
  }
}

extension SaveInSaveTests {
  @Test("A policy's function can neither save nor delete", .tags(.d5))
  func policy() throws {
    try withThings("policy") { stack, context, _, things in
      let codes = Lock<[Int?]>([])
      let objectID = things[1].objectID
      context.mergePolicy = MergePolicy(mergeType: .objectTrump) { [weak context] _ in
        func attempt(_ body: () throws -> Void) {
          do { try body() } catch let error as ObjectGraphError { codes.withLock { $0.append(error.code) } } catch {}
        }
        attempt { try context?.save() }
        attempt {
          if let object = context?.registeredObject(for: objectID) {
            try object.managedObjectContext?.delete(object)
          }
        }
        return .objectTrumps
      }
      try stack.execute("UPDATE ZTHING SET Z_OPT = 2, ZTEST = NULL WHERE ZNAME = 'a'")
      things[0]["name"] = "changed"
      try context.save()
      #expect(codes.withLock { $0 } == [132001, 132001])
      #expect(!things[1].isDeleted)
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["b", "changed"])
    }
  }

  @Test(
    "A reset or rollback inside a save changes nothing, and the save fails with an error", .tags(.d5),
    arguments: ["willSave", "validate"], ["reset()", "rollback()"])
  func undoing(callback: String, call: String) throws {
    try withThings("\(call) in \(callback)") { stack, context, script, things in
      script.on(callback) { object in
        if call == "reset()" { object.managedObjectContext?.reset() } else { object.managedObjectContext?.rollback() }
      }
      things[0]["name"] = "changed"
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      guard case .callDuringSave(call, _)? = error else { throw try #require(error) }
      #expect(things[0]["name"] == "changed" && context.updatedObjects == [things[0]])
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["a", "b"])
      script.on(callback) { _ in }
      try context.save()
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["b", "changed"])
    }
  }

  @Test("An object that validation deletes is deleted with its cascade", .tags(.d5, .d13), arguments: [true, false])
  func deletionInValidation(isOwn: Bool) throws {
    try withThings("deleting \(isOwn)") { stack, context, script, things in
      let owner = try make("owner", "silent", in: context)
      let part = try make("part", "silent", in: context)
      try part.setObject(owner, forKey: "owner")
      try part.setObject(isOwn ? things[0] : owner, forKey: "owner")
      try context.save()
      let doomed = Carried(WeakObject(object: isOwn ? things[0] : owner))
      script.on("validate") { object in
        guard let doomed = doomed.value.object, !doomed.isDeleted else { return }
        try object.managedObjectContext?.delete(doomed)
      }
      things[0]["name"] = "changed"
      try context.save()
      #expect(script.errors.withLock { $0 } == [])
      let left = isOwn ? ["b", "owner"] : ["b", "changed"]
      #expect(try stack.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == left)
      #expect(!context.hasChanges)
    }
  }

  @Test(
    "Two objects that delete each other in prepareForDeletion are both deleted, without an endless loop",
    .tags(.d5))
  func mutualDeletion() throws {
    try withThings("mutual") { stack, context, script, things in
      let (a, b) = (Carried(WeakObject(object: things[0])), Carried(WeakObject(object: things[1])))
      let states = Lock<[Bool]>([])
      script.on("prepareForDeletion") { object in
        states.withLock { $0.append(object.isDeleted) }
        guard let other = object === a.value.object ? b.value.object : a.value.object, !other.isDeleted else { return }
        try object.managedObjectContext?.delete(other)
      }
      try context.delete(things[0])
      #expect(states.withLock { $0 } == [true, true])
      #expect(things[0].isDeleted && things[1].isDeleted)
      try context.save()
      #expect(try stack.rows("SELECT count(*) FROM ZTHING") == ["0"])
    }
  }
}

// B7, B12: the object in a batch insert's handler does not belong to a context: it gets no callbacks, validation or
// notifications.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("B7 B12 · the handler's object")
struct ScratchObjectTests {
  /// The callbacks of quakes of one coordinator; only this suite uses the class, and its tests run one by one.
  private static let calls = Lock<[String]>([])

  final class Watched: ManagedObject {
    private func note(_ call: String) { ScratchObjectTests.calls.withLock { $0.append(call) } }
    override func awakeFromInsert() { note("awakeFromInsert") }
    override func awakeFromFetch() { note("awakeFromFetch") }
    override func willSave() { note("willSave") }
    override func didSave() { note("didSave") }
    override func prepareForDeletion() { note("prepareForDeletion") }
    override func validateForInsert() throws {
      note("validateForInsert")
      throw TestFailure("refused")
    }
    override func validateForUpdate() throws {
      note("validateForUpdate")
      throw TestFailure("refused")
    }
    override func validateForDelete() throws {
      note("validateForDelete")
      throw TestFailure("refused")
    }
  }

  @Test(
    "A batch insert calls nothing on the object, checks no rule, and notifies no observer", .tags(.b7, .b12),
    arguments: [BatchResultType.statusOnly, .objectIDs])
  func scratch(resultType: BatchResultType) throws {
    var entity = EntityDescription.quake()
    entity.attributes[1].validationRules = [.range(minimum: nil, maximum: 5)]
    entity.attributes[0].validationRules = [.length(minimum: 3, maximum: nil)]
    let stack = try TestStack([entity])
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": Watched.self])
    try stack.coordinator.close()
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    let news = Lock<[ContextNotification]>([])
    let observations = ContextNotification.Name.allCases.map { name in
      context.observe(name) { notification in news.withLock { $0.append(notification) } }
    }
    try context.performAndWait { () throws in
      var rows = 0
      var objects: Set<ObjectIdentifier> = []
      var request = BatchInsertRequest(entityName: "Quake") { (quake: ManagedObject) in
        objects.insert(ObjectIdentifier(quake))
        #expect(quake is Watched && quake.managedObjectContext == nil)
        #expect(!quake.isInserted && !quake.hasChanges && !quake.isDeleted && quake.changedValues().isEmpty)
        if rows == 3 { return true }
        rows += 1
        quake[Quake.code] = "\(rows)"
        quake[Quake.magnitude] = 100
        quake[Quake.time] = Date(timeIntervalSinceReferenceDate: 0)
        return false
      }
      request.resultType = resultType
      try context.execute(request)
      #expect(objects.count == 1)
      context.processPendingChanges()
      #expect(!context.hasChanges && context.registeredObjects.isEmpty && context.insertedObjects.isEmpty)
      try context.save()
    }
    #expect(ScratchObjectTests.calls.withLock { $0 } == [])
    #expect(news.withLock { $0 } == [])
    withExtendedLifetime(observations) {}
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["1|100.0", "2|100.0", "3|100.0"])
    try coordinator.close()
  }
}

// D4: what the row cache keeps when rows are read and saved again, and the age that it assumes for them.
import CoreDataModel
import Foundation
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D4 · the row cache", .tags(.d4))
struct RowCacheTests {
  private let model: CompiledModel
  private let store = StoreIdentity(uuid: "S", entityNames: ["Animal", "Cat", "Dog"])

  init() throws {
    model = CompiledModel(
      try ManagedObjectModel(entities: [
        EntityDescription("Animal", attributes: [.init("name", .string)]),
        EntityDescription("Cat", superentity: "Animal"), EntityDescription("Dog", superentity: "Animal"),
      ]))
  }

  private func objectID(_ entity: Int32 = 1) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entity, key: 7)
  }

  private func name(_ cache: RowCache, _ objectID: ManagedObjectID, readSince: ReadTime = .distantPast)
    -> AttributeValue?
  {
    cache.row(objectID, readSince: readSince)?.row[0]
  }

  @Test("A row of the same version replaces the cached one, with its time; an older one does not")
  func use() {
    let cache = RowCache(model)
    let (first, second) = (ReadTime.now, ReadTime.now)
    cache.use(objectID(), RowSnapshot(["old"], version: 2), read: first)
    cache.use(objectID(), RowSnapshot(["new"], version: 2), read: second)
    #expect(name(cache, objectID(), readSince: second) == "new")
    cache.use(objectID(), RowSnapshot(["older"], version: 1), read: .now)
    #expect(name(cache, objectID()) == "new")
  }

  @Test("A row read before a save does not replace the saved one when it arrives after the save")
  func overtaken() {
    let cache = RowCache(model)
    cache.use(objectID(), RowSnapshot(["read"], version: 1), read: .now)
    cache.update(objectID(), RowSnapshot(["saved"], version: 2), read: .now)
    cache.refresh(objectID(), RowSnapshot(["read"], version: 1), read: .now)
    #expect(name(cache, objectID()) == "saved")
    cache.refresh(objectID(), RowSnapshot(["again"], version: 2), read: .now)
    #expect(name(cache, objectID()) == "again")
  }

  @Test("A row found in a conflict replaces a later version that is no longer stored, but not a later save")
  func foundInConflict() {
    let cache = RowCache(model)
    let before = ReadTime.now
    cache.use(objectID(), RowSnapshot(["later"], version: 3), read: .now)
    cache.update(objectID(), RowSnapshot(["overtaken"], version: 2), read: before)
    #expect(name(cache, objectID()) == "later")
    cache.update(objectID(), RowSnapshot(["restored"], version: 2), read: .now)
    #expect(name(cache, objectID()) == "restored")
  }

  @Test("A row that changed its entity is not returned for its former object ID")
  func otherEntity() {
    let cache = RowCache(model)
    cache.use(objectID(1), RowSnapshot(["cat"], version: 1), read: .now)
    cache.use(objectID(2), RowSnapshot(["dog"], version: 2), read: .now)
    #expect(name(cache, objectID(1)) == nil)
    #expect(name(cache, objectID(2)) == "dog")
  }

  @Test("Rows stay until every context has released them, whether few or many", arguments: [3, 60])
  func release(count: Int) {
    let cache = RowCache(model)
    let objectIDs = (1...100).map { ManagedObjectID(store: store, entityIndex: 1, key: $0) }
    for objectID in objectIDs { cache.use(objectID, RowSnapshot(["cat"], version: 1), read: .now) }
    for objectID in objectIDs.prefix(2) { cache.use(objectID, RowSnapshot(["cat"], version: 1), read: .now) }
    cache.release(objectIDs.prefix(count).map(\.key), of: store, root: 0)
    #expect(cache.count == 100 - count + 2)
    #expect(objectIDs.map { cache.lastRow($0) != nil } == (0..<100).map { $0 < 2 || $0 >= count })
    cache.release(objectIDs.map(\.key), of: store, root: 0)
    #expect(cache.count == 0)
  }

  @Test("Seconds of staleness are seconds")
  func seconds() {
    func seconds(_ duration: Duration) -> Double {
      Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
    let start = ContinuousClock.now
    let first = ReadTime.now
    let afterFirst = ContinuousClock.now
    // Long compared with the rounding to nanoseconds.
    var beforeLast = afterFirst
    while afterFirst.duration(to: beforeLast) < .milliseconds(1) { beforeLast = .now }
    let last = ReadTime.now
    let end = ContinuousClock.now
    // The clock gives the maximum and minimum time between the two readings.
    #expect(last.earlier(bySeconds: seconds(start.duration(to: end)) + 1e-6) < first)
    #expect(first < last.earlier(bySeconds: seconds(afterFirst.duration(to: beforeLast)) - 1e-6))
  }
}

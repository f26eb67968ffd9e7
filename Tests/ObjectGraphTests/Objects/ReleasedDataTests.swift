// D2: data that a user's function releases, which accesses the object that had the data as a value.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D2 · data whose release calls back", .tags(.d2))
struct ReleasedDataTests {
  /// An object, and the number of accesses; used on one queue.
  private final class Visit: @unchecked Sendable {
    // Only used within one block of the context's queue.
    var object: ManagedObject?
    var seen: [AttributeValue] = []
  }

  @Test("A value written while the previous one is released is kept")
  func release() throws {
    let stack = try TestStack([
      EntityDescription("Note", attributes: [AttributeDescription("payload", .binary, isOptional: true)])
    ])
    let context = stack.context()
    let visit = Visit()
    try context.performAndWait { () throws in
      let note = try context.insertNewObject(forEntityName: "Note")
      visit.object = note
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
      bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 64)
      note["payload"] = .binary(
        Data(
          bytesNoCopy: bytes, count: 64,
          deallocator: .custom { bytes, _ in
            visit.seen.append(visit.object?["payload"] ?? .null)
            visit.object?["payload"] = .binary(Data("within".utf8))
            bytes.deallocate()
          }))
      note["payload"] = .binary(Data("after".utf8))
      #expect(visit.seen == [.binary(Data("after".utf8))] && note["payload"] == .binary(Data("within".utf8)))
      visit.object = nil
      try context.save()
    }
    #expect(try stack.rows("SELECT CAST(ZPAYLOAD AS TEXT) FROM ZNOTE") == ["within"])
  }
}

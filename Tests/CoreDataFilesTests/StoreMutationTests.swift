// A8, D10: damaged stores of any kind give an error or some of their rows; they never crash the process.
internal import CoreDataModel
import Foundation
import CoreDataFiles
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import StoreFixtures
import Testing

@Suite("A8 D10 · damaged stores", .tags(.a8, .d10))
struct StoreMutationTests {
  /// Damages a file: bytes anywhere, in the header or in the schema's text; a page in place of another; a missing end.
  private func damage(_ whole: [UInt8], _ mutator: inout Mutator) -> [UInt8] {
    var bytes = whole
    switch mutator.number(below: 8) {
    case 0: return Array(bytes.prefix(mutator.number(below: bytes.count)))
    case 1: bytes[mutator.number(below: 100)] = UInt8(mutator.number(below: 256))
    case 2:
      let pages = bytes.count / 4_096
      let from = mutator.number(below: pages) * 4_096
      let to = mutator.number(below: pages) * 4_096
      bytes.replaceSubrange(to..<to + 4_096, with: Array(bytes[from..<from + 4_096]))
    case 3: for _ in 0..<3 { bytes[100 + mutator.number(below: 3_996)] ^= 1 << UInt8(mutator.number(below: 8)) }
    case 4, 5: for _ in 0..<9 { bytes[mutator.number(below: bytes.count)] ^= 1 << UInt8(mutator.number(below: 8)) }
    default: return mutator.mutated(bytes)
    }
    return bytes
  }

  /// Reads a whole store: every value, and both kinds of relationships.
  private func readAll(_ path: String) throws -> Int {
    let file = try StoreFile(path: path)
    return try file.read { context in
      var count = 0
      for entity in file.recoveredModel.model.entities {
        for object in try context.fetch(FetchRequest(entityName: entity.name)) {
          count += 1
          for attribute in file.recoveredModel.model.attributes(of: entity.name) {
            count += object[attribute.name].isNull ? 0 : 1
          }
          for relationship in entity.relationships {
            count += try object.objectIDs(forRelationshipNamed: relationship.name).count
          }
        }
      }
      return count
    }
  }

  @Test(
    "A damaged store is refused, or read as far as possible",
    arguments: SampleStore.all.filter { ![.library, .journal, .notes].contains($0.shape) }, 0..<4)
  func damaged(store: SampleStore, seed: Int) throws {
    let folder = try CopiedStore(store)
    if store.isEmpty {
      try folder.execute(
        """
        INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME) VALUES (1, 1, 1, 'A'), (2, 1, 1, 'B');
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'X'), (2, 2, 1, 'Y'), (3, 2, 1, 'Z');
        INSERT INTO Z_1BOOKS (Z_1AUTHORS, Z_2BOOKS) VALUES (1, 1), (1, 3), (2, 3)
        """)
    }
    let whole = [UInt8](try Data(contentsOf: URL(filePath: folder.path)))
    var mutator = Mutator(seed: UInt64(seed))
    var refused = 0
    var read = 0
    for _ in 0..<(isThorough ? 125 : store.isOwn ? 40 : 30) {
      let bytes = damage(whole, &mutator)
      try Data(bytes).write(to: URL(filePath: folder.path))
      do {
        _ = try readAll(folder.path)
        read += 1
      } catch {
        #expect(error is CoreDataFileError || error is ObjectGraphError)
        refused += 1
      }
    }
    #expect(refused > 0 && read > 0)
  }
}

// Memory and SQL agree.
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D3 · predicates in memory and in SQL", .tags(.d3))
struct PredicateEquivalenceTests {
  @Test("Random predicates match the same objects in memory and in SQL", arguments: 0..<8 as Range<UInt64>)
  func sameRows(seed: UInt64) throws {
    let store = try RandomWorld.store(seed: seed)
    var predicates = RandomPredicates(seed: seed &+ 1_000, store: store)
    var selective = 0
    for round in 0..<1_000 {
      let entity = ["Quake", "Quake", "Network", "Shock", "Tag"][round % 5]
      let predicate = predicates.predicate(on: entity)
      let found = try store.keys(predicate, of: entity)
      let expected = try store.keysInMemory(predicate, of: entity)
      if !found.isEmpty, found.count < store.objects[entity]?.count ?? 0 { selective += 1 }
      guard found != expected else { continue }
      let sql = try SQLCondition(predicate, entity: entity, schema: store.world)
      Issue.record("round \(round), \(entity): \(predicate)\nmemory \(expected)\nSQL    \(found)\n\(sql)")
      return
    }
    // Predicates that match all or none would show little.
    #expect(selective > 300)
  }
}

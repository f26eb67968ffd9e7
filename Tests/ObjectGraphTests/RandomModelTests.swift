// D1: random models, full of names that collide in one table, always make a store with a column for everything.
import MissionTags
import SQLiteDriver
import Support
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D1 · random models", .tags(.d1))
struct RandomModelTests {
  /// Up to seven entities in random hierarchies with few names, and relationships of every kind between them.
  private func entities(_ random: inout some RandomNumberGenerator) -> [EntityDescription] {
    var entities: [EntityDescription] = []
    for index in 0..<Int.random(in: 1...7, using: &random) {
      let parent = Bool.random(using: &random) ? entities.randomElement(using: &random)?.name : nil
      entities.append(EntityDescription("E\((index * 5) % 7)", superentity: parent))
    }
    let names = ["a", "A", "b", "B", "a1", "c", "a_b"]
    let types = AttributeType.allCases
    for index in entities.indices {
      for name in names where Int.random(in: 0..<3, using: &random) == 0 {
        entities[index].attributes.append(
          AttributeDescription(
            name, types.randomElement(using: &random) ?? .string,
            isTransient: Int.random(in: 0..<5, using: &random) == 0))
      }
    }
    for pair in 0..<Int.random(in: 0...6, using: &random) {
      let (from, to) = (
        Int.random(in: entities.indices, using: &random), Int.random(in: entities.indices, using: &random)
      )
      // The names only differ in case from those of other pairs.
      let (forth, back) = pair % 2 == 0 ? ("r\(pair)", "s\(pair)") : ("R\(pair - 1)", "S\(pair - 1)")
      let isToMany = Bool.random(using: &random)
      let isBackToMany = Bool.random(using: &random)
      entities[from].relationships.append(
        RelationshipDescription(
          forth, to: entities[to].name, inverse: back, isToMany: isToMany,
          isOrdered: isToMany && Bool.random(using: &random)))
      entities[to].relationships.append(
        RelationshipDescription(
          back, to: entities[from].name, inverse: forth, isToMany: isBackToMany,
          isOrdered: isBackToMany && Bool.random(using: &random)))
    }
    return withoutInherited(entities)
  }

  /// Leaves out attributes that a super-entity has, and gives every root an attribute to store.
  private func withoutInherited(_ entities: [EntityDescription]) -> [EntityDescription] {
    let hierarchy = EntityHierarchy(entities)
    return hierarchy.entities.indices.map { index in
      var entity = hierarchy.entities[index]
      let inherited = Set(
        hierarchy.lineage(of: index).dropFirst().flatMap { hierarchy.entities[$0].attributes }.map(\.name))
      entity.attributes.removeAll { inherited.contains($0.name) }
      if entity.superentityName == nil { entity.attributes.append(AttributeDescription("root", .string)) }
      return entity
    }
  }

  @Test("SQLite accepts every schema, and every property finds its columns in it", arguments: 0..<8)
  func schemas(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var kinds = (companions: 0, orders: 0, joins: 0, suffixes: 0)
    for _ in 0..<40 {
      let compiled = CompiledModel(try ManagedObjectModel(entities: entities(&random)))
      let connection = try Connection(path: ":memory:")
      for sql in StoreSchema(model: compiled).statements { try connection.execute(sql) }
      func columns(_ table: String) throws -> Set<String> {
        let statement = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.string(0) ?? "") }
        return names
      }
      for layout in compiled.layouts {
        let stored = try columns(layout.tableName)
        let names = layout.columns.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(stored.isSuperset(of: names))
        #expect(layout.slots.map(\.name) == layout.slots.map(\.name).sorted())
        #expect(layout.columnOrder.count + layout.transientSlots.count == layout.slotCount)
        for slot in layout.slots {
          #expect(compiled.model.columnName(of: slot.name, in: layout.entity.name) == slot.columnName)
          if let column = slot.columnName, column != "Z" + slot.name.uppercased() { kinds.suffixes += 1 }
          for column in [slot.toOne?.entityColumn, slot.toOne?.orderColumn].compactMap(\.self) {
            #expect(names.contains(column))
          }
          if slot.toOne?.entityColumn != nil { kinds.companions += 1 }
          if slot.toOne?.orderColumn != nil { kinds.orders += 1 }
        }
        for relationship in layout.toManyRelationships {
          switch relationship.storage {
          case .inverseKey(let key):
            let used = [key.keyColumn, key.entityColumn, key.orderColumn].compactMap(\.self)
            #expect(try columns(key.table).isSuperset(of: used))
            #expect((key.orderColumn != nil) == relationship.relationship.isOrdered)
          case .join(let ends):
            let used = [ends.sourceColumn, ends.destinationColumn, ends.orderColumn, ends.inverseOrderColumn]
            #expect(try columns(ends.table) == Set(used.compactMap(\.self)))
            #expect((ends.orderColumn != nil) == relationship.relationship.isOrdered)
            #expect((ends.inverseOrderColumn != nil) == relationship.inverse.isOrdered)
            kinds.joins += 1
          }
        }
      }
      try connection.close()
    }
    // The random models cover what they have to test.
    #expect(kinds.companions > 0 && kinds.orders > 0 && kinds.joins > 0 && kinds.suffixes > 0, "\(kinds)")
  }
}

// C2: for random saves and batch requests, the history describes exactly the changes of the rows.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("C2 · history matches the changes", .tags(.c2))
struct HistoryEquivalenceTests {
  /// A store of owners, their animals and houses, and random work on it.
  private struct World {
    let stack: TestStack
    let context: ManagedObjectContext
    var random: SeededGenerator
    var count = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      stack = try TestStack.tracked([
        EntityDescription(
          "Owner", attributes: [.init("name", .string), .init("age", .int32, isOptional: true)],
          relationships: [
            .init("animals", to: "Animal", inverse: "owner", isToMany: true, isOrdered: true, deleteRule: .cascade),
            .init("houses", to: "House", inverse: "owners", isToMany: true),
          ]),
        EntityDescription(
          "Animal", attributes: [.init("code", .string), .init("legs", .int16, isOptional: true)],
          relationships: [.init("owner", to: "Owner", inverse: "animals")], uniquenessConstraints: [["code"]]),
        EntityDescription("Dog", superentity: "Animal", attributes: [.init("tricks", .int64, isOptional: true)]),
        EntityDescription(
          "House", attributes: [.init("street", .string, isOptional: true), .init("mood", .string, isTransient: true)],
          relationships: [
            .init("owners", to: "Owner", inverse: "houses", isToMany: true),
            .init("watchdog", to: "Dog", inverse: nil),
          ]),
      ])
      context = stack.context(.mergeByPropertyObjectTrump)
    }

    private mutating func any(_ entity: String) throws -> ManagedObject? {
      try Array(context.fetch(FetchRequest(entityName: entity))).randomElement(using: &random)
    }

    /// A code that may already exist; in batches, also for an animal of another entity, because batches have no objects
    /// to confuse.
    private mutating func code(_ entity: String) -> String { "\(entity)-\(Int.random(in: 0..<40, using: &random))" }

    private mutating func change() throws {
      count += 1
      let entity = ["Animal", "Dog"].randomElement(using: &random) ?? "Dog"
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        let owner = try context.insertNewObject(forEntityName: "Owner")
        try owner.setValue(.string("owner \(count)"), forKey: "name")
      case 2, 3, 4:
        let animal = try context.insertNewObject(forEntityName: entity)
        try animal.setValue(.string(code(entity)), forKey: "code")
        try animal.setObject(try any("Owner"), forKey: "owner")
      case 5:
        let house = try context.insertNewObject(forEntityName: "House")
        try house.setValue(.string("street \(count)"), forKey: "street")
        try house.setObject(try any("Dog"), forKey: "watchdog")
      case 6: try any("Animal")?.setValue(.integer(Int64(count % 100)), forKey: "legs")
      case 7: try any("Dog")?.setValue(.integer(Int64(count)), forKey: "tricks")
      case 8:
        guard let owner = try any("Owner"), let house = try any("House") else { return }
        try owner.addObject(house, forKey: "houses")
      case 9: try any("Animal")?.setObject(try any("Owner"), forKey: "owner")
      case 10: if let animal = try any("Animal") { try context.delete(animal) }
      default:
        guard Int.random(in: 0..<3, using: &random) == 0, let owner = try any("Owner") else { return }
        try context.delete(owner)
      }
    }

    private mutating func batch() throws {
      let entity = ["Animal", "Dog"].randomElement(using: &random) ?? "Dog"
      context.mergePolicy = Bool.random(using: &random) ? .error : .mergeByPropertyObjectTrump
      defer { context.mergePolicy = .mergeByPropertyObjectTrump }
      var rows: [[String: AttributeValue]] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let other = Int.random(in: 0..<4, using: &random) == 0 ? "Animal" : entity
        rows.append(["code": .string(code(other)), "legs": .integer(Int64(count % 100))])
      }
      var request = BatchInsertRequest(entityName: entity, objects: rows)
      request.updatesSuppliedKeysOnly = Bool.random(using: &random)
      try context.execute(request)
      context.reset()
    }

    private mutating func batchUpdate() throws {
      let entity = ["Animal", "Dog"].randomElement(using: &random) ?? "Dog"
      let limit = Int.random(in: 0..<100, using: &random)
      var request = BatchUpdateRequest(
        entityName: entity, propertiesToUpdate: ["legs": .integer(Int64(count % 100))],
        predicate: try FetchPredicate(format: "legs < %@", arguments: [limit]))
      request.includesSubentities = Bool.random(using: &random)
      try context.execute(request)
      context.reset()
    }

    private mutating func batchDelete() throws {
      let entity = ["Animal", "Owner", "House"].randomElement(using: &random) ?? "House"
      var fetch = FetchRequest(entityName: entity)
      fetch.fetchLimit = Int.random(in: 1...2, using: &random)
      fetch.fetchOffset = Int.random(in: 0...3, using: &random)
      try context.execute(BatchDeleteRequest(fetchRequest: fetch))
      context.reset()
    }

    /// One save or batch request; some of them fail or change nothing.
    mutating func step() throws {
      switch Int.random(in: 0..<13, using: &random) {
      case 0, 1, 2: try batch()
      case 3: try batchUpdate()
      case 4: try batchDelete()
      case 5:
        // An owner without a name cannot be saved.
        try change()
        try context.insertNewObject(forEntityName: "Owner")
        #expect(throws: ObjectGraphError.self) { try context.save() }
        context.reset()
      default:
        for _ in 0..<Int.random(in: 1...6, using: &random) { try change() }
        try context.save()
        if Bool.random(using: &random) { context.reset() }
      }
    }

    /// Every row by entity and key: its version and the values of its properties' columns.
    func rows() throws -> [String: (version: Int, values: [String: String])] {
      var rows: [String: (version: Int, values: [String: String])] = [:]
      let names = ["Animal", "Dog", "House", "Owner"]
      for (table, columns) in [
        ("ZANIMAL", ["code", "legs", "owner", "tricks"]), ("ZHOUSE", ["street", "watchdog"]),
        ("ZOWNER", ["age", "name"]),
      ] {
        let list = columns.map { "ifnull(Z\($0.uppercased()), '')" }.joined(separator: ", ")
        for text in try stack.rows("SELECT Z_ENT, Z_PK, Z_OPT, \(list) FROM \(table)") {
          let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
          let entity = names[(Int(fields[0]) ?? 1) - 1]
          rows["\(entity)/p\(fields[1])"] = (
            Int(fields[2]) ?? 0, Dictionary(uniqueKeysWithValues: zip(columns, fields.dropFirst(3)))
          )
        }
      }
      return rows
    }
  }

  @Test(
    "Each request's transaction lists the inserted, updated and deleted rows, and the updated properties",
    arguments: 1...6)
  func equivalence(seed: UInt64) throws {
    var world = try World(seed: seed)
    let context = world.context
    var token = try world.stack.coordinator.currentPersistentHistoryToken()
    var transactions = 0
    for step in 0..<60 {
      let before = try world.rows()
      try context.performAndWait { () throws in try world.step() }
      let after = try world.rows()
      let news = try world.stack.history(after: token)
      let comment: Comment = "seed \(seed), step \(step): \(news.map(\.told))"
      let changes = news.flatMap { $0.changes ?? [] }
      func keys(_ type: PersistentHistoryChangeType) -> Set<String> {
        Set(changes.filter { $0.changeType == type }.map { $0.changedObjectID.name })
      }
      let came = Set(after.keys).subtracting(before.keys)
      let went = Set(before.keys).subtracting(after.keys)
      let changed = Set(
        before.keys.filter { after[$0].map { $0.version } ?? before[$0]?.version != before[$0]?.version })
      let together = ChangedObjectIDs(news)
      #expect(Set(together.inserted.map(\.name)) == came, comment)
      // Rows that others never saw may appear and disappear within a request.
      let gone = Set(together.deleted.map(\.name))
      #expect(gone.intersection(before.keys) == went, comment)
      #expect(gone.subtracting(before.keys).isSubset(of: keys(.insert)), comment)
      #expect(keys(.update).subtracting(went) == changed, comment)
      #expect(news.count == (came.isEmpty && went.isEmpty && changed.isEmpty ? 0 : 1), comment)
      // Each object occurs once per transaction, except for rows that a batch overwrites twice.
      #expect(keys(.insert).count == changes.filter { $0.changeType == .insert }.count, comment)
      #expect(keys(.delete).count == changes.filter { $0.changeType == .delete }.count, comment)
      // An object that is changed and then overwritten by a new one has two updates.
      var told: [String: Set<String>] = [:]
      for change in changes where change.changeType == .update {
        told[change.changedObjectID.name, default: []].formUnion(change.updatedProperties ?? [])
      }
      for (object, properties) in told {
        guard let old = before[object], let new = after[object] else { continue }
        for (name, value) in new.values where old.values[name] != value {
          #expect(properties.contains(name), "\(comment): \(object), \(name)")
        }
      }
      transactions += news.count
      token = news.last?.token ?? token
    }
    #expect(transactions > 30)
    #expect(try world.stack.history().map(\.transactionNumber) == Array(1...Int64(transactions)))
  }
}

extension ManagedObjectID {
  /// `Entity/p1`.
  fileprivate var name: String { uriRepresentation().split(separator: "/").suffix(2).joined(separator: "/") }
}

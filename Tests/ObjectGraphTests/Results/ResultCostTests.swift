// D12: the cost of following a change: no statement if memory decides, one otherwise, few comparisons, few bytes.
import Foundation
import MissionTags
import ObjectGraphFixtures
import StoreFixtures
import Support
import Synchronization
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 · the cost of following")
struct ResultCostTests {
  /// A stack with this many quakes and recorded SELECT statements.
  private func world(
    _ count: Int, _ body: (TestStack, ManagedObjectContext, () -> [String]) throws -> Void
  ) throws {
    let statements = Lock<[String]>([])
    let stack = try TestStack { description in
      description.sqlTrace = SQLTrace { line in
        if line.contains("sql: SELECT") { statements.withLock { $0.append(line) } }
      }
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(
          entityName: "Quake", objects: (0..<count).map { Quake.row("\($0)", Double($0), place: "place \($0 % 100)") }))
      _ = try context.count(for: FetchRequest(entityName: "Quake"))
      statements.withLock { $0 = [] }
      try body(stack, context) {
        statements.withLock { statements in
          defer { statements = [] }
          return statements
        }
      }
    }
  }

  private static let request = FetchRequest(
    entityName: "Quake", predicate: Quake.magnitude >= 0,
    sortDescriptors: [FetchSortDescriptor(Quake.place), FetchSortDescriptor(Quake.magnitude)])

  @Test(
    "One changed object of many: no statement when it changes and none beyond the save's own", .tags(.d12),
    arguments: [1_000, isThorough ? 100_000 : 20_000])
  func one(count: Int) throws {
    try world(count) { _, context, selects in
      let controller = FetchedResultsController(
        fetchRequest: Self.request, managedObjectContext: context, sectionNameKeyPath: "place")
      try controller.performFetch()
      #expect(controller.fetchedObjects.count == count && controller.sections.count == 100 && selects().count == 1)
      let quake = controller.fetchedObjects[count / 2]
      let path = try #require(controller.indexPath(for: quake))
      quake[Quake.magnitude] = -0.0
      context.processPendingChanges()
      #expect(controller.indexPath(for: quake)?.item == 0 || path.item == 0)
      quake[Quake.place] = "place 7"
      context.processPendingChanges()
      let new = try Quake.insert("new", 0.5, into: context)
      context.processPendingChanges()
      quake[Quake.magnitude] = -1
      context.processPendingChanges()
      #expect(controller.indexPath(for: quake) == nil && controller.fetchedObjects.count == count)
      #expect(selects() == [])
      try context.save()
      let ownSelects = selects()
      // A SELECT reserves the key of the new object; none reads rows.
      #expect(!ownSelects.contains { $0.contains("ZQUAKE") }, "\(ownSelects)")
      #expect(controller.indexPath(for: new) != nil && !new.objectID.isTemporaryID)
    }
  }

  @Test("The comparisons of a change grow with the logarithm of the rows", .tags(.d12))
  func comparisons() throws {
    var counts: [Int] = []
    for count in [1_000, 32_000] {
      let numbers = Array(0..<count)
      var list = BlockedList(numbers)
      var compared = 0
      list.change(removing: [count / 3], inserting: [count / 3]) { left, right in
        compared += 1
        return left < right
      }
      _ = list.rank {
        compared += 1; return $0 < count / 2
      }
      counts.append(compared)
    }
    #expect(counts[1] <= counts[0] + 2 * 6 && counts[1] <= 2 * 18, "\(counts)")
  }

  @Test("Merged rows that are not in memory are read with one statement, whatever their number", .tags(.d12, .c1))
  func merged() throws {
    try world(2_000) { stack, context, selects in
      let controller = FetchedResultsController(fetchRequest: Self.request, managedObjectContext: context)
      try controller.performFetch()
      var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "elsewhere"])
      request.predicate = Quake.magnitude < 500
      request.resultType = .changes
      guard case .changes(let changes) = try context.execute(request) else { throw TestFailure("no changes") }
      _ = selects()
      try context.mergeChanges(fromContextDidSave: changes)
      #expect(selects().count == 1)
      #expect(controller.fetchedObjects[0][Quake.place] == "elsewhere" && controller.fetchedObjects.count == 2_000)
    }
  }
}

extension ResultCostTests {
  @Test(
    "A window, and an order along a relationship, are fetched again with one statement per change", .tags(.d12))
  func refetched() throws {
    try world(500) { _, context, selects in
      var window = Self.request
      window.fetchLimit = 20
      let controller = FetchedResultsController(fetchRequest: window, managedObjectContext: context)
      try controller.performFetch()
      let quake = controller.fetchedObjects[3]
      _ = selects()
      quake[Quake.magnitude] = 1_000
      context.processPendingChanges()
      #expect(selects().count == 1 && controller.fetchedObjects.count == 20)
    }
  }

  @Test("With a batch size only the rows in use are read, one statement per batch", .tags(.d12))
  func batches() throws {
    try world(1_000) { _, context, selects in
      var batched = Self.request
      batched.fetchBatchSize = 50
      let controller = FetchedResultsController(
        fetchRequest: batched, managedObjectContext: context, sectionNameKeyPath: "place")
      try controller.performFetch()
      let first = selects()
      #expect(first.count == 1 && first.allSatisfy { !$0.contains("ZCODE") })
      let codes = controller.fetchedObjects.prefix(50).map { $0[Quake.code] }
      #expect(codes.count == 50 && selects().count == 1)
      _ = controller.fetchedObjects[60][Quake.code]
      #expect(selects().count == 1)
    }
  }

  @Test("A result keeps at most 64 bytes for each object beside its row", .tags(.d12))
  func bytes() throws {
    for count in [20_000, 100_000] {
      var rows = ResultRows(try CompiledModel(ManagedObjectModel(entities: [.quake()])), stores: [])
      let store = StoreIdentity(uuid: "store", entityNames: ["Quake"])
      let row = RowSnapshot([.null, .null, .null, .null])
      var keys: [ResultKey] = []
      keys.reserveCapacity(count)
      for key in 1...count {
        let key = rows.key(ManagedObjectID(store: store, entityIndex: 0, key: Int64(key)))
        rows[key] = row
        keys.append(key)
      }
      let list = BlockedList(keys)
      let bytes = Double(Self.bytes(of: rows) + Self.bytes(of: list)) / Double(count)
      #expect(bytes > 24 && bytes <= 64, "\(bytes) of \(count)")
      #expect(list.count == count && rows[list[0]] != nil)
    }
  }

  /// The memory of the arrays in a value, including their spare capacity.
  private static func bytes(of value: Any) -> Int {
    let header = 32
    switch value {
    case let blocks as [[ResultKey]]:
      return header + blocks.capacity * MemoryLayout<[ResultKey]>.stride
        + blocks.reduce(0) { $0 + header + $1.capacity * MemoryLayout<ResultKey>.stride }
    case let keys as ContiguousArray<Int64>: return header + keys.capacity * MemoryLayout<Int64>.stride
    case let numbers as ContiguousArray<Int32>: return header + numbers.capacity * MemoryLayout<Int32>.stride
    case let rows as ContiguousArray<RowSnapshot>: return header + rows.capacity * MemoryLayout<RowSnapshot>.stride
    case let starts as [Int]: return header + starts.capacity * MemoryLayout<Int>.stride
    case let tables as [ResultRows.Table]: return tables.reduce(header) { $0 + bytes(of: $1) }
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .struct else { return 0 }
      return mirror.children.reduce(0) { $0 + bytes(of: $1.value) }
    }
  }
}

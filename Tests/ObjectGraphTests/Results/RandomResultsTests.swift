// D12: whatever happens to a context, the reported changes of controllers turn the old rows into those of a fresh
// fetch.
import MissionTags
import ObjectGraphFixtures
import StoreFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 C1 · results that follow random changes")
struct RandomResultsTests {
  /// 20,000 steps in total, or 1,000 of them.
  private static let seeds = isThorough ? 1...40 : 1...2

  @Test(
    "Rows that only apply the reported changes equal a fresh fetch after every step", .tags(.d12, .c1), arguments: seeds
  )
  func steps(seed: Int) throws {
    let machine = try ResultsMachine(seed: UInt64(seed))
    for step in 0..<500 { try machine.run(step) }
    try machine.finish()
  }
}

/// Items with a kind and a rank in boxes; some belong to a subentity.
private enum Item {
  static let kinds = ["red", "green", "blue", "white", "black"]

  static let entities = [
    EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("kind", .string, isOptional: true), AttributeDescription("rank", .int64),
        AttributeDescription("title", .string, isOptional: true), AttributeDescription("isShown", .boolean),
      ],
      relationships: [RelationshipDescription("box", to: "Box", inverse: "items")]),
    EntityDescription(
      "Gem", superentity: "Item", attributes: [AttributeDescription("carats", .double, isOptional: true)]),
    EntityDescription(
      "Box", attributes: [AttributeDescription("label", .string)],
      relationships: [RelationshipDescription("items", to: "Item", inverse: "box", isToMany: true)]),
  ]
}

/// Random steps in a context with controllers of every kind.
private final class ResultsMachine {
  private let stack: TestStack
  private let second: PersistentStoreCoordinator
  private let context: ManagedObjectContext
  private let other: ManagedObjectContext
  private let remote: ManagedObjectContext
  private var token: PersistentHistoryToken?
  private var random: SeededGenerator
  private var lists: [FollowedList] = []
  private var dictionaries: [FollowedDictionaries] = []
  private let seed: UInt64
  private var last = ""

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let stack = try TestStack.tracked(Item.entities)
    self.stack = stack
    second = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: Item.entities))
    var description = stack.description()
    description.tracksPersistentHistory = true
    try second.addPersistentStore(description)
    context = stack.context(.mergeByPropertyObjectTrump)
    other = stack.context(.mergeByPropertyObjectTrump)
    remote = ManagedObjectContext(coordinator: second)
    remote.mergePolicy = .mergeByPropertyObjectTrump
    try context.performAndWait { () throws in
      for _ in 0..<5 {
        let box = try context.insertNewObject(forEntityName: "Box")
        box["label"] = .string("box \(Int.random(in: 0..<4, using: &random))")
      }
      for _ in 0..<30 { try insert(into: context) }
      try context.save()
    }
    token = try second.mergeHistory(after: nil, into: [])
    try context.performAndWait { () throws in
      try makeLists()
      try makeDictionaries()
    }
  }

  private func makeLists() throws {
    func request(_ format: String?, _ order: FetchSortDescriptor...) throws -> FetchRequest<ManagedObject> {
      FetchRequest(
        entityName: "Item", predicate: try format.map { try FetchPredicate(format: $0) }, sortDescriptors: order)
    }
    let (kind, rank) = (FetchSortDescriptor("kind"), FetchSortDescriptor("rank", ascending: false))
    lists.append(
      try FollowedList("sections", request("rank < 80 AND isShown == YES", kind, rank), section: "kind", context))
    var batched = try request(nil, rank)
    batched.fetchBatchSize = 5
    lists.append(try FollowedList("batched", batched, context))
    lists.append(try FollowedList("ranks", request(nil, FetchSortDescriptor("rank")), section: "rank", context))
    lists.append(
      try FollowedList(
        "localized", request("title != nil", FetchSortDescriptor("title", selector: .localizedStandardCompare)), context
      ))
    var window = try request("isShown == YES", rank)
    (window.fetchOffset, window.fetchLimit) = (2, 7)
    lists.append(try FollowedList("window", window, context))
    lists.append(
      try FollowedList(
        "joined", request("box != nil", FetchSortDescriptor("box.label"), rank), section: "box.label", context))
    lists.append(try FollowedList("far", request("box.label != 'box 1'", kind), section: "kind", context))
    var stored = try request("rank > 20", kind, rank)
    stored.includesPendingChanges = false
    lists.append(try FollowedList("stored", stored, context))
    var gems = FetchRequest(entityName: "Gem", sortDescriptors: [kind])
    gems.propertiesToFetch = ["title"]
    lists.append(try FollowedList("gems", gems, section: "kind", context))
    var plain = try request("box == nil OR rank IN {1, 2, 3, 4, 5, 6, 7, 8, 9}", kind, FetchSortDescriptor("title"))
    plain.includesSubentities = false
    lists.append(try FollowedList("plain", plain, section: "kind", context))
  }

  private func makeDictionaries() throws {
    func follow(
      _ name: String, entity: String = "Item", section: String? = nil,
      _ change: (inout FetchRequest<ManagedObject>) throws -> Void
    ) throws {
      var request = FetchRequest(entityName: entity)
      try change(&request)
      dictionaries.append(try FollowedDictionaries(name, request, section: section, context))
    }
    let count = FetchedProperty.expression(ExpressionDescription("count", .count))
    try follow("properties", section: "kind") {
      $0.predicate = try FetchPredicate(format: "isShown == YES")
      $0.propertiesToFetch = ["title", "kind", "box.label"]
      $0.sortDescriptors = [FetchSortDescriptor("kind"), FetchSortDescriptor("rank")]
    }
    try follow("groups") {
      $0.propertiesToGroupBy = ["kind", "isShown"]
      $0.propertiesToFetch = ["isShown", count, .expression(ExpressionDescription("highest", .maximum, of: "rank"))]
      $0.sortDescriptors = [FetchSortDescriptor("count", ascending: false)]
    }
    try follow("having", section: "count") {
      $0.propertiesToGroupBy = ["box.label"]
      $0.propertiesToFetch = ["box.label", count]
      $0.havingPredicate = try FetchPredicate(format: "count > 2")
      $0.sortDescriptors = [FetchSortDescriptor("count")]
    }
    try follow("distinct") {
      $0.propertiesToFetch = ["kind", "title"]
      $0.returnsDistinctResults = true
      $0.fetchLimit = 12
    }
    try follow("sum") { $0.propertiesToFetch = [.expression(ExpressionDescription("sum", .sum, of: "rank"))] }
    try follow("to-many", entity: "Box") {
      $0.propertiesToFetch = [
        "label", .expression(ExpressionDescription("size", .aggregate(.count, FetchPath("items")))),
      ]
      $0.sortDescriptors = [FetchSortDescriptor("label")]
    }
  }

  func run(_ number: Int) throws {
    let step = Step.allCases[Int.random(in: 0..<Step.allCases.count, using: &random)]
    last = "\(last.suffix(200)) \(step)"
    try context.performAndWait { () throws in
      if step.isOfContext {
        try change(step)
        context.processPendingChanges()
      }
    }
    if !step.isOfContext { try changeElsewhere(step) }
    try context.performAndWait { () throws in
      for list in lists {
        try list.check("seed \(seed), step \(number):\(last)")
      }
      for list in dictionaries { try list.check("seed \(seed), step \(number):\(last)") }
      if number % 25 == 0 { for list in lists { list.checkObjects("seed \(seed), step \(number)") } }
    }
  }

  func finish() throws {
    try second.close()
    context.performAndWait {
      for list in lists {
        for kind in ["insert", "delete", "move", "update"] { #expect(list.mirror.told[kind] ?? 0 > 0, "\(list.name)") }
        guard ["sections", "gems"].contains(list.name) else { continue }
        #expect(
          list.mirror.told["section insert"] ?? 0 > 0 && list.mirror.told["section delete"] ?? 0 > 0, "\(list.name)")
      }
      for list in dictionaries {
        let kinds =
          switch list.name {
          case "sum": ["update"]
          case "distinct": ["insert", "delete"]
          // The name of its section is the value that a group has.
          case "having": ["insert", "delete", "move"]
          default: ["insert", "delete", "move", "update"]
          }
        for kind in kinds { #expect(list.told[kind] ?? 0 > 0, "\(list.name): \(list.told)") }
      }
    }
  }

  enum Step: CaseIterable {
    case insert, insertMany, edit, editMany, editKind, delete, deleteMany, save, saveAgain, rollback, refresh,
      refreshAll
    case reset, obtainIDs, relabel, rebox, deleteBox, editAndDelete
    case otherSave, batchUpdate, batchDelete, batchInsert, history

    var isOfContext: Bool {
      switch self {
      case .otherSave, .batchUpdate, .batchDelete, .batchInsert, .history: false
      default: true
      }
    }
  }

  // MARK: Steps of the context

  private func items(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    Array(try context.fetch(FetchRequest(entityName: "Item", sortDescriptors: [FetchSortDescriptor("rank")])))
  }

  private func boxes(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    Array(try context.fetch(FetchRequest(entityName: "Box")))
  }

  private func some(_ context: ManagedObjectContext, _ count: Int) throws -> [ManagedObject] {
    var items = try items(context)
    var some: [ManagedObject] = []
    for _ in 0..<min(count, items.count) {
      some.append(items.remove(at: Int.random(in: items.indices, using: &random)))
    }
    return some
  }

  private func insert(into context: ManagedObjectContext) throws {
    let item = try context.insertNewObject(forEntityName: random.chance(3) ? "Gem" : "Item")
    item["isShown"] = .boolean(true)
    item["rank"] = .integer(50)
    for key in ["kind", "rank", "title", "isShown"] { try edit(item, key) }
    if random.chance(2), let box = try boxes(context).randomElement(using: &random) {
      try item.setObject(box, forKey: "box")
    }
  }

  private func edit(_ item: ManagedObject, _ key: String) throws {
    switch key {
    case "kind": item["kind"] = random.chance(6) ? .null : .string(random.pick(Item.kinds))
    case "rank": item["rank"] = .integer(Int64.random(in: 0..<100, using: &random))
    case "title": item["title"] = random.chance(5) ? .null : .string("Title \(Int.random(in: 0..<30, using: &random))")
    default: item["isShown"] = .boolean(!random.chance(4))
    }
  }

  private func change(_ step: Step) throws {
    let keys = ["kind", "rank", "title", "isShown"]
    switch step {
    case .insert: try insert(into: context)
    case .insertMany: for _ in 0..<Int.random(in: 2...6, using: &random) { try insert(into: context) }
    case .edit: for item in try some(context, 1) { try edit(item, random.pick(keys)) }
    case .editMany:
      for item in try some(context, Int.random(in: 2...12, using: &random)) { try edit(item, random.pick(keys)) }
    case .editKind: for item in try some(context, Int.random(in: 1...4, using: &random)) { try edit(item, "kind") }
    case .delete: for item in try some(context, 1) { try context.delete(item) }
    case .deleteMany:
      let items = try items(context)
      for item in try some(context, max(0, items.count - 35)) { try context.delete(item) }
    case .save, .saveAgain: try context.save()
    case .rollback: context.rollback()
    case .refresh: for item in try some(context, 2) { try context.refresh(item, mergeChanges: random.chance(2)) }
    case .refreshAll: try context.refreshAllObjects()
    case .reset: if random.chance(3) { context.reset() }
    case .obtainIDs: try context.obtainPermanentIDs(for: context.insertedObjects)
    case .relabel:
      if let box = try boxes(context).randomElement(using: &random) {
        box["label"] = .string("box \(Int.random(in: 0..<4, using: &random))")
      }
    case .rebox:
      let boxes = try boxes(context)
      for item in try some(context, 3) {
        try item.setObject(random.chance(3) ? nil : boxes.randomElement(using: &random), forKey: "box")
      }
    case .deleteBox:
      if let box = try boxes(context).randomElement(using: &random) { try context.delete(box) }
      try context.insertNewObject(forEntityName: "Box")["label"] = .string(
        "box \(Int.random(in: 0..<4, using: &random))")
    case .editAndDelete:
      for item in try some(context, 6) {
        if random.chance(2) { try edit(item, "rank") } else { try context.delete(item) }
      }
      try insert(into: context)
    default: break
    }
  }

  // MARK: Steps of other contexts

  private func changeElsewhere(_ step: Step) throws {
    switch step {
    case .otherSave:
      try merging(other) { try changeAndSave(other) }
    case .history:
      try remote.performAndWait { () throws in
        for _ in 0..<Int.random(in: 1...2, using: &random) { try changeAndSave(remote) }
        remote.reset()
      }
      token = try stack.coordinator.mergeHistory(after: token, into: [context, other])
      return
    default:
      let result = try other.performAndWait { () throws -> BatchResult in try batch(step) }
      guard case .changes(let changes) = result else { throw TestFailure("\(result)") }
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context, other])
    }
    token = try stack.coordinator.currentToken(token)
  }

  private func merging(_ saver: ManagedObjectContext, _ body: () throws -> Void) throws {
    try saver.performAndWait { () throws in
      let context = context
      let observation = saver.observe(.didSave) { saved in
        context.performAndWait {
          do { try context.mergeChanges(fromContextDidSave: saved) } catch { Issue.record(error) }
        }
      }
      try body()
      observation.cancel()
    }
  }

  private func changeAndSave(_ context: ManagedObjectContext) throws {
    for _ in 0..<Int.random(in: 0...2, using: &random) { try insert(into: context) }
    for item in try some(context, Int.random(in: 1...4, using: &random)) {
      if random.chance(5) { try context.delete(item) } else { try edit(item, random.pick(["kind", "rank", "title"])) }
    }
    if random.chance(4), let box = try boxes(context).randomElement(using: &random) {
      box["label"] = .string("box \(Int.random(in: 0..<4, using: &random))")
    }
    try context.save()
  }

  private func batch(_ step: Step) throws -> BatchResult {
    let bound = Int64.random(in: 0..<100, using: &random)
    let range = try FetchPredicate(format: "rank BETWEEN {%@, %@}", arguments: [bound, bound + 10])
    switch step {
    case .batchUpdate:
      var request = BatchUpdateRequest(
        entityName: "Item",
        propertiesToUpdate: random.chance(2)
          ? ["kind": .string(random.pick(Item.kinds))] : ["rank": .integer(Int64.random(in: 0..<100, using: &random))])
      request.predicate = range
      request.resultType = .changes
      return try other.execute(request)
    case .batchDelete:
      var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Item", predicate: range))
      request.resultType = .changes
      return try other.execute(request)
    default:
      var request = BatchInsertRequest(
        entityName: "Item",
        objects: (0..<3).map { _ in
          [
            "kind": .string(random.pick(Item.kinds)), "rank": .integer(Int64.random(in: 0..<100, using: &random)),
            "title": .string("Title \(Int.random(in: 0..<30, using: &random))"), "isShown": .boolean(true),
          ]
        })
      request.resultType = .changes
      return try other.execute(request)
    }
  }
}

extension PersistentStoreCoordinator {
  /// The current end of history, without merging anything.
  fileprivate func currentToken(_ token: PersistentHistoryToken?) throws -> PersistentHistoryToken? {
    try mergeHistory(after: token, into: [])
  }
}

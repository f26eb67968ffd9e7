// The steps of a random run. Each has all of its parameters, so that a run can be repeated without some of them.
import CoreDataModel

/// An action in one of the contexts.
struct GraphStep: CustomStringConvertible {
  enum Action {
    case insert(Int, entity: String, value: Int)
    case set(Int, key: String, value: AttributeValue)
    /// From the end that holds the key.
    case link(Int, key: String, to: Int?)
    /// From a to-many end.
    case add(Int, key: String, [Int])
    case remove(Int, key: String, [Int])
    case replace(Int, key: String, [Int])
    case place(Int, page: Int, at: Int)
    /// With rules that wait for the save, unless they do not any longer.
    case delete(Int, waits: Bool)
    /// A thorough save is followed by a comparison of every object in every context.
    case save(isThorough: Bool)
    /// The name is too long to be saved and is shortened afterwards.
    case failedSave(Int)
    case rollback
    case refresh(Int, mergeChanges: Bool)
    case refreshAll
    case reset
    /// The context's objects are not held any longer.
    case drop
    case look([Int])
    case fetch(GraphQuery)
    case compare
  }

  let context: Int
  let action: Action

  var description: String { "context \(context): \(action)" }
}

/// Makes steps that fit a model.
struct GraphSteps {
  private var generator: SeededGenerator
  private var lastID = 0
  /// The approximate number of records from which more are deleted than inserted.
  private let crowd = 40

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next(_ model: GraphModel) -> GraphStep {
    let context = Int.random(in: 0..<model.views.count, using: &generator)
    while true {
      if let action = action(model, context) { return GraphStep(context: context, action: action) }
    }
  }

  private mutating func action(_ model: GraphModel, _ context: Int) -> GraphStep.Action? {
    let state = model.views[context].state
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<14: return state.records.count < crowd || generator.chance(4) ? insert() : nil
    case 14..<24: return set(state)
    case 24..<40: return link(model, context)
    case 40..<58: return toMany(model, context)
    case 58..<65: return place(model, context)
    case 65..<71:
      guard let id = any(state.ids(of: "Item", "Group", "Tag") + model.ownBooks(context)) else { return nil }
      return .delete(id, waits: generator.chance(3))
    case 71..<80: return .save(isThorough: generator.chance(8))
    case 80: return any(Array(state.records.keys.sorted())).map { .failedSave($0) }
    case 81: return generator.chance(2) ? .rollback : nil
    case 82..<86:
      let deleted = model.views[context].deleted.filter { model.mayRefresh($0, context) }
      let ids = state.records.keys.filter { model.mayRefresh($0, context) } + deleted
      return any(ids.sorted()).map { .refresh($0, mergeChanges: generator.chance(2)) }
    case 86: return .refreshAll
    case 87: return generator.chance(3) ? .reset : nil
    case 88..<90: return .drop
    case 90..<95: return .look((0..<4).compactMap { _ in any(state.records.keys.sorted()) })
    case 95..<99: return .fetch(GraphQuery.random(using: &generator, state))
    default: return .compare
    }
  }

  private mutating func any(_ ids: [Int]) -> Int? { ids.isEmpty ? nil : generator.pick(ids) }

  private mutating func insert() -> GraphStep.Action {
    lastID += 1
    let entity = generator.pick(["Group", "Item", "Item", "Item", "SpecialItem", "Tag", "Book", "Page", "Page"])
    return .insert(lastID, entity: entity, value: Int.random(in: 0..<6, using: &generator))
  }

  private mutating func set(_ state: GraphState) -> GraphStep.Action? {
    guard let id = any(state.records.keys.sorted()), let record = state.records[id] else { return nil }
    let key = generator.pick(GraphSchema.attributes(of: record.entity))
    let number = Int64.random(in: 0..<6, using: &generator)
    if key == "name" { return .set(id, key: key, value: .string("name \(number)")) }
    return .set(id, key: key, value: generator.chance(4) ? .null : .integer(number))
  }

  private mutating func link(_ model: GraphModel, _ context: Int) -> GraphStep.Action? {
    let toOne = generator.pick(GraphSchema.toOnes)
    let (sources, targets) = model.ends(toOne, context)
    guard let id = any(sources) else { return nil }
    return .link(id, key: toOne.name, to: generator.chance(5) ? nil : any(targets))
  }

  private mutating func toMany(_ model: GraphModel, _ context: Int) -> GraphStep.Action? {
    let key: String
    let (owners, members): ([Int], [Int])
    if generator.chance(2) {
      let toOne = generator.pick(GraphSchema.toOnes.filter(\.inverseIsToMany))
      (members, owners) = model.ends(toOne, context)
      key = toOne.inverse
    } else {
      let state = model.views[context].state
      let relationship = generator.pick(GraphSchema.manyToManys)
      (owners, members) = (state.ids(of: relationship.source), state.ids(of: relationship.destination))
      key = relationship.name
    }
    guard let owner = any(owners) else { return nil }
    let present = model.views[context].toMany(owner, key)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0..<3: return any(members).map { .add(owner, key: key, [$0]) }
    case 3..<5: return any(present).map { .remove(owner, key: key, [$0]) }
    default:
      var wanted = present.filter { _ in !generator.chance(3) }
      for _ in 0..<2 { if let id = any(members), !wanted.contains(id) { wanted.append(id) } }
      wanted.shuffle(using: &generator)
      return .replace(owner, key: key, wanted)
    }
  }

  private mutating func place(_ model: GraphModel, _ context: Int) -> GraphStep.Action? {
    guard let book = any(model.ownBooks(context)), let page = any(model.ownPages(context)) else { return nil }
    return .place(book, page: page, at: Int.random(in: 0..<5, using: &generator))
  }
}

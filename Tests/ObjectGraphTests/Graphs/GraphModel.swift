// The plain model of several contexts with one store, and the effect of each step on it.
internal import CoreDataModel
import ObjectGraph

/// One view for each context.
struct GraphModel {
  var views: [GraphView]

  init(contexts: Int) { views = Array(repeating: GraphView(), count: contexts) }

  var committed: GraphState { views[0].committed }

  // MARK: Ownership

  /// The context that may put pages into a book, and delete either.
  ///
  /// With a single context for each book, orders are predictable.
  private func owner(of id: Int) -> Int { id % views.count }

  func ownBooks(_ context: Int) -> [Int] { views[context].state.ids(of: "Book").filter { owner(of: $0) == context } }

  func ownPages(_ context: Int) -> [Int] { views[context].state.ids(of: "Page").filter { owner(of: $0) == context } }

  func isOwn(_ id: Int, _ context: Int) -> Bool {
    guard let entity = (views[context].state.records[id] ?? committed.records[id])?.entity else { return false }
    return !["Book", "Page"].contains(entity) || owner(of: id) == context
  }

  func mayRefresh(_ id: Int, _ context: Int) -> Bool { isOwn(id, context) }

  /// The records that a relationship may be set between.
  func ends(_ toOne: GraphSchema.ToOne, _ context: Int) -> (sources: [Int], targets: [Int]) {
    if toOne.inverseIsOrdered { return (ownPages(context), ownBooks(context)) }
    let state = views[context].state
    return (state.ids(of: toOne.source), state.ids(of: toOne.destination))
  }

  /// Whether every record of the action exists and its result is predictable.
  func allows(_ step: GraphStep) -> Bool {
    let records = views[step.context].state.records
    switch step.action {
    case .insert(let id, _, _): return records[id] == nil
    case .set(let id, _, _), .failedSave(let id): return records[id] != nil
    case .link(let id, _, let target): return records[id] != nil && target.map { records[$0] != nil } ?? true
    case .add(let id, let key, let ids), .remove(let id, let key, let ids), .replace(let id, let key, let ids):
      return records[id] != nil && ids.allSatisfy { records[$0] != nil } && isForetellable(step.context, id, key, ids)
    case .place(let book, let page, _): return records[book] != nil && records[page] != nil
    case .delete(let id, _): return records[id] != nil
    case .refresh(let id, _): return records[id] != nil || views[step.context].deleted.contains(id)
    default: return true
    }
  }

  /// Other contexts do not touch a pair that one context added or removed without saving: the result of making the same
  /// change twice depends on when each context looks.
  private func isForetellable(_ context: Int, _ id: Int, _ key: String, _ ids: [Int]) -> Bool {
    guard let entity = views[context].state.records[id]?.entity,
      let relationship = GraphSchema.manyToManys(of: entity).first(where: { $0.name == key })
    else { return true }
    let pairs = Set((ids + views[context].toMany(id, key)).map { GraphPair(relationship, id, $0) })
    return views.indices.allSatisfy { other in
      other == context
        || views[other].state.pairs.symmetricDifference(views[other].committed.pairs).isDisjoint(with: pairs)
    }
  }

  // MARK: Steps

  mutating func apply(_ step: GraphStep) {
    let context = step.context
    switch step.action {
    case .insert(let id, let entity, let value):
      var record = GraphRecord(
        entity: entity, values: ["name": .string("new \(value)"), "value": .integer(Int64(value))])
      if entity == "SpecialItem" { record.values["bonus"] = .null }
      views[context].insert(id, record)
    case .set(let id, let key, let value): views[context].set(id, key, value)
    case .link(let id, let key, let target):
      guard let entity = views[context].state.records[id]?.entity, let toOne = GraphSchema.toOne(key, of: entity) else {
        return
      }
      views[context].link(id, toOne, to: target)
    case .add(let id, let key, let ids): for other in ids { views[context].add(id, key, other) }
    case .remove(let id, let key, let ids): for other in ids { views[context].remove(id, key, other) }
    case .replace(let id, let key, let ids):
      for other in views[context].toMany(id, key) where !ids.contains(other) { views[context].remove(id, key, other) }
      for other in ids { views[context].add(id, key, other) }
      if key == "pages" { views[context].arrange(id, ids) }
    case .place(let book, let page, let place):
      views[context].add(book, "pages", page)
      var pages = (views[context].state.pages[book] ?? []).filter { $0 != page }
      pages.insert(page, at: min(place, pages.count))
      views[context].arrange(book, pages)
    case .delete(let id, _): views[context].delete(id)
    case .save, .failedSave: save(context)
    case .rollback, .reset: views[context].rollback()
    case .refresh(let id, let mergeChanges): if !mergeChanges { views[context].refresh(id) }
    case .refreshAll, .drop, .look, .fetch, .compare: break
    }
  }

  private mutating func save(_ context: Int) {
    views[context].propagate()
    views[context].settle()
    for other in views.indices where other != context {
      let owners = views.count
      views[other].merge(views[context].state) { $0 % owners == other }
    }
  }
}

extension GraphView {
  /// The objects of a to-many relationship, whatever its kind.
  func toMany(_ id: Int, _ key: String) -> [Int] {
    guard let entity = state.records[id]?.entity else { return [] }
    if let toOne = GraphSchema.oneToManys(of: entity).first(where: { $0.inverse == key }) {
      return state.sources(of: id, toOne)
    }
    return GraphSchema.manyToManys(of: entity).first { $0.name == key }.map { state.members(of: id, $0) } ?? []
  }

  mutating func add(_ id: Int, _ key: String, _ other: Int) { edit(id, key, other, isIn: true) }
  mutating func remove(_ id: Int, _ key: String, _ other: Int) { edit(id, key, other, isIn: false) }

  private mutating func edit(_ id: Int, _ key: String, _ other: Int, isIn: Bool) {
    guard let entity = state.records[id]?.entity else { return }
    if let toOne = GraphSchema.oneToManys(of: entity).first(where: { $0.inverse == key }) {
      if isIn {
        link(other, toOne, to: id)
      } else if state.records[other]?.links[toOne.name] == id {
        link(other, toOne, to: nil)
      }
    } else if let relationship = GraphSchema.manyToManys(of: entity).first(where: { $0.name == key }) {
      let pair = GraphPair(relationship, id, other)
      if isIn { put(pair) } else { take(pair) }
    }
  }
}

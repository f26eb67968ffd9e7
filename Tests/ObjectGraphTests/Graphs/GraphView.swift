// The expected state of a context: the saved graph with the context's own changes.
import CoreDataModel

/// A property of a record.
struct GraphMark: Hashable {
  let id: Int
  let property: String
}

/// The graph as a context sees it, and the changes that it made.
struct GraphView {
  private(set) var state = GraphState()
  /// The contents of the store after the last save of any context.
  private(set) var committed = GraphState()
  /// Values and to-one relationships of stored records that were set.
  private(set) var marks: Set<GraphMark> = []
  /// New records, in the order of their creation.
  private(set) var inserted: [Int] = []
  /// Stored records that the next save deletes.
  private(set) var deleted: Set<Int> = []
  /// Books with an explicitly set order.
  private(set) var arranged: Set<Int> = []

  /// Stored records with a value or to-one relationship that was set, possibly to its old value.
  private(set) var touched: Set<Int> = []

  /// Stored records with a value or to-one relationship that differs from the store.
  var changed: Set<Int> { Set(marks.filter(isOtherwise).map(\.id)) }

  private func isOtherwise(_ mark: GraphMark) -> Bool {
    let (old, new) = (committed.records[mark.id], state.records[mark.id])
    return old?.values[mark.property] != new?.values[mark.property]
      || old?.links[mark.property] != new?.links[mark.property]
  }

  /// Whether the mark is a page's book: a page that was removed and added again has another position.
  private func isPlace(_ mark: GraphMark) -> Bool {
    guard let entity = state.records[mark.id]?.entity else { return false }
    return GraphSchema.toOne(mark.property, of: entity)?.inverseIsOrdered == true
  }

  /// Stored records with other objects in a to-many relationship than in the store, or with another order.
  var relinked: Set<Int> {
    var changed = Set(state.pairs.symmetricDifference(committed.pairs).flatMap { [$0.first, $0.second] })
    for toOne in GraphSchema.toOnes where toOne.inverseIsToMany {
      for id in Set(state.records.keys).union(committed.records.keys) {
        let (old, new) = (committed.records[id]?.links[toOne.name], state.records[id]?.links[toOne.name])
        if old != new { changed.formUnion([old, new].compactMap(\.self)) }
      }
    }
    return changed.union(arranged).filter { committed.records[$0] != nil && state.records[$0] != nil }
  }

  var hasChanges: Bool { !inserted.isEmpty || !deleted.isEmpty || !touched.isEmpty || !relinked.isEmpty }

  // MARK: Editing

  mutating func insert(_ id: Int, _ record: GraphRecord) {
    state.records[id] = record
    inserted.append(id)
    if record.entity == "Book" { state.pages[id] = [] }
  }

  mutating func set(_ id: Int, _ attribute: String, _ value: AttributeValue) {
    state.records[id]?.values[attribute] = value
    mark(id, attribute)
  }

  /// Sets or clears the destination of a to-one relationship, and updates the other ends.
  mutating func link(_ id: Int, _ toOne: GraphSchema.ToOne, to target: Int?) {
    let old = state.records[id]?.links[toOne.name]
    if old == target { return }
    write(id, toOne.name, target)
    if toOne.inverseIsOrdered {
      if let old { state.pages[old]?.removeAll { $0 == id } }
      if let target {
        // It returns to a position after the others, which differs from the store.
        if committed.pages[target]?.contains(id) == true { arranged.insert(target) }
        state.pages[target]?.append(id)
      }
    }
    if toOne.inverseIsToMany { return }
    if let old, state.records[old]?.links[toOne.inverse] == id { write(old, toOne.inverse, nil) }
    if let target { claim(target, toOne.inverse, for: id, freeing: toOne.name) }
  }

  /// Sets the inverse of a one-to-one relationship, and clears that of the previous object.
  private mutating func claim(_ id: Int, _ name: String, for owner: Int, freeing forth: String) {
    if let previous = state.records[id]?.links[name], previous != owner { write(previous, forth, nil) }
    write(id, name, owner)
  }

  mutating func put(_ pair: GraphPair) { state.pairs.insert(pair) }
  mutating func take(_ pair: GraphPair) { state.pairs.remove(pair) }

  mutating func arrange(_ book: Int, _ pages: [Int]) {
    state.pages[book] = pages
    arranged.insert(book)
  }

  /// Takes the library's order if the model does not determine it.
  mutating func adopt(_ book: Int, _ pages: [Int]) { state.pages[book] = pages }

  mutating func delete(_ id: Int) {
    guard let record = state.records.removeValue(forKey: id) else { return }
    if committed.records[id] != nil { deleted.insert(id) }
    inserted.removeAll { $0 == id }
    marks = marks.filter { $0.id != id }
    touched.remove(id)
    arranged.remove(id)
    for toOne in GraphSchema.oneToManys(of: record.entity) where toOne.inverseIsOrdered {
      for page in state.pages[id] ?? [] { delete(page) }
    }
    forgetLinks(to: id)
    state.dropDead()
  }

  /// Removes references to a deleted record.
  private mutating func forgetLinks(to id: Int) {
    for (source, record) in state.records {
      for (name, target) in record.links where target == id { write(source, name, nil) }
    }
  }

  private mutating func write(_ id: Int, _ name: String, _ target: Int?) {
    guard state.records[id] != nil else { return }
    state.records[id]?.links[name] = target
    mark(id, name)
  }

  private mutating func mark(_ id: Int, _ property: String) {
    guard committed.records[id] != nil else { return }
    marks.insert(GraphMark(id: id, property: property))
    touched.insert(id)
  }

  // MARK: Saving and merging

  /// Applies the delete rules to new links of deleted records: a save does this before it writes.
  mutating func propagate() {
    for (page, record) in state.records where record.links["book"].map(deleted.contains) == true { delete(page) }
    for id in deleted { forgetLinks(to: id) }
    state.dropDead()
  }

  /// The view has been saved.
  mutating func settle() { self = GraphView(committed: state) }

  mutating func rollback() { self = GraphView(committed: committed) }

  init() {}

  private init(committed: GraphState) {
    state = committed
    self.committed = committed
  }

  /// Merges another context's save below the changes made here.
  ///
  /// Others cannot have changed the orders of books that this context owns.
  mutating func merge(_ saved: GraphState, owns: (Int) -> Bool) {
    let old = self
    let added = old.state.pairs.subtracting(old.committed.pairs)
    let removed = old.committed.pairs.subtracting(old.state.pairs)
    committed = saved
    state = saved
    deleted = old.deleted.filter { saved.records[$0] != nil }
    for id in deleted { state.records[id] = nil }
    for id in old.inserted { state.records[id] = old.state.records[id] }
    // A new stored value replaces one that was set to its old value.
    marks = old.marks.filter { state.records[$0.id] != nil && (old.isOtherwise($0) || old.isPlace($0)) }
    touched = old.touched.filter { state.records[$0] != nil }
    for mark in marks {
      guard let record = old.state.records[mark.id] else { continue }
      if let value = record.values[mark.property] {
        state.records[mark.id]?.values[mark.property] = value
      } else {
        state.records[mark.id]?.links[mark.property] = record.links[mark.property]
      }
    }
    for (id, record) in state.records {
      // Records deleted elsewhere cannot be destinations; records to be deleted here exist until the save.
      for (name, target) in record.links where state.records[target] == nil && !deleted.contains(target) {
        write(id, name, nil)
      }
    }
    state.pairs = saved.pairs.subtracting(removed).union(added)
    for (book, pages) in old.state.pages where owns(book) || old.inserted.contains(book) { state.pages[book] = pages }
    arranged = old.arranged.filter { state.records[$0] != nil }
    state.dropDead()
    freeOthers()
  }

  /// If a one-to-one relationship was changed here, other records no longer have its object, even after another
  /// context's save.
  private mutating func freeOthers() {
    for mark in marks {
      guard let record = state.records[mark.id],
        let toOne = GraphSchema.toOne(mark.property, of: record.entity), !toOne.inverseIsToMany,
        let stored = committed.records[mark.id]?.links[toOne.name], stored != record.links[toOne.name],
        state.records[stored]?.links[toOne.inverse] == mark.id
      else { continue }
      write(stored, toOne.inverse, nil)
    }
  }

  /// Discards changes to a stored record itself; changes to other records stay.
  mutating func refresh(_ id: Int) {
    guard let stored = committed.records[id] else { return }
    let wasDeleted = deleted.remove(id) != nil
    let old = wasDeleted ? [:] : state.records[id]?.links ?? [:]
    marks = marks.filter { $0.id != id }
    touched.remove(id)
    arranged.remove(id)
    state.records[id] = stored
    for toOne in GraphSchema.toOnes(of: stored.entity) {
      let (before, after) = (old[toOne.name], stored.links[toOne.name])
      // Its row is gone, and so is its record.
      if before == after { continue }
      if toOne.inverseIsOrdered {
        if let before { state.pages[before]?.removeAll { $0 == id } }
        if let after { state.pages[after]?.append(id) }
      } else if !toOne.inverseIsToMany {
        if let before, before != id, state.records[before]?.links[toOne.inverse] == id {
          write(before, toOne.inverse, nil)
        }
        if let after, after != id, state.records[after] != nil {
          claim(after, toOne.inverse, for: id, freeing: toOne.name)
        }
      }
    }
    let own = { (pair: GraphPair) in pair.first == id || pair.second == id }
    state.pairs = state.pairs.filter { !own($0) }.union(committed.pairs.filter(own))
    if stored.entity == "Book" {
      // The order is read again; pages added since then come last.
      let pages = state.records.filter { $0.value.links["book"] == id }.keys
      let kept = (committed.pages[id] ?? []).filter(pages.contains)
      let others = (state.pages[id] ?? []) + pages.sorted()
      state.pages[id] = others.reduce(into: kept) { if pages.contains($1), !$0.contains($1) { $0.append($1) } }
    }
    state.dropDead()
  }
}

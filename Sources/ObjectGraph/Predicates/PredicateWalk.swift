// Traverses a predicate from left to right, for equality, hashes, descriptions and the like.

/// The parts of a predicate in the order in which they are written.
///
/// A compound that continues the enclosing one has no beginning and no end of its own.
struct PredicateWalk: Sequence, IteratorProtocol {
  enum Step: Hashable {
    case constant(Bool)
    case comparison(FetchPredicate.Comparison)
    case begin(CompoundPredicate.Connective)
    case end
  }

  private struct Position {
    let compound: CompoundPredicate
    let isContinuation: Bool
    var next = 0
  }

  private var predicate: FetchPredicate?
  private var positions: [Position] = []

  init(_ predicate: FetchPredicate) { self.predicate = predicate }

  mutating func next() -> Step? {
    if let whole = predicate {
      predicate = nil
      if let step = step(into: whole) { return step }
    }
    while let position = positions.last {
      if position.next == position.compound.terms.count {
        positions.removeLast()
        if !position.isContinuation { return .end }
        continue
      }
      positions[positions.count - 1].next += 1
      if let step = step(into: position.compound.terms[position.next]) { return step }
    }
    return nil
  }

  /// `nil` for a compound that continues the enclosing one.
  private mutating func step(into term: FetchPredicate) -> Step? {
    switch term.content {
    case .constant(let value): return .constant(value)
    case .comparison(let comparison): return .comparison(comparison)
    case .compound(let compound):
      let isContinuation = positions.last.map { compound.continues($0.compound.connective) } ?? false
      positions.append(Position(compound: compound, isContinuation: isContinuation))
      return isContinuation ? nil : .begin(compound.connective)
    }
  }
}

extension FetchPredicate: Hashable {
  /// Whether both have the same terms in the same order; O(terms).
  public static func == (left: FetchPredicate, right: FetchPredicate) -> Bool {
    if case (.compound(let one), .compound(let other)) = (left.content, right.content), one === other { return true }
    return PredicateWalk(left).elementsEqual(PredicateWalk(right))
  }

  public func hash(into hasher: inout Hasher) {
    for step in PredicateWalk(self) { hasher.combine(step) }
  }

  /// Every comparison from left to right, except those in subqueries.
  var comparisons: some Sequence<Comparison> {
    PredicateWalk(self).lazy.compactMap { if case .comparison(let comparison) = $0 { comparison } else { nil } }
  }
}

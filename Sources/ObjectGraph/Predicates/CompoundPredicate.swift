// AND, OR and NOT with any number of terms at any depth, built and freed without recursion.

/// The terms of a compound predicate.
// Sendable by proof: the terms are only written while the compound is created or freed, when nothing else has it.
final class CompoundPredicate: @unchecked Sendable {
  enum Connective: Sendable {
    case and, or
    /// Has exactly one term.
    case not
  }

  let connective: Connective
  private(set) var terms: [FetchPredicate]
  /// How many compounds of alternating kinds are nested in each other, including this one.
  let levels: Int

  init(_ connective: Connective, _ terms: [FetchPredicate]) {
    self.connective = connective
    self.terms = terms
    var levels = 1
    for case .compound(let inner) in terms.lazy.map(\.content) {
      levels = max(levels, inner.levels + (inner.continues(connective) ? 0 : 1))
    }
    self.levels = levels
  }

  /// Frees nested compounds one by one: an array that frees its elements would need stack space for each level.
  deinit {
    var waiting = compounds
    terms = []
    while var compound = waiting.popLast() {
      // Leave a shared term to its other owners.
      guard isKnownUniquelyReferenced(&compound) else { continue }
      waiting += compound.compounds
      compound.terms = []
    }
  }

  private var compounds: [CompoundPredicate] {
    terms.compactMap { if case .compound(let compound) = $0.content { compound } else { nil } }
  }

  /// Whether its terms can be merged into the enclosing compound.
  func continues(_ outer: Connective) -> Bool { connective == outer && connective != .not }

  /// The terms, with those of compounds that continue this one merged in; O(terms).
  var flattenedTerms: [FetchPredicate] {
    if !terms.contains(where: { $0.continues(connective) }) { return terms }
    var flattened: [FetchPredicate] = []
    var rest = terms[...]
    var waiting: [ArraySlice<FetchPredicate>] = []
    while true {
      guard let term = rest.popFirst() else {
        guard let next = waiting.popLast() else { return flattened }
        rest = next
        continue
      }
      guard case .compound(let inner) = term.content, inner.continues(connective) else {
        flattened.append(term)
        continue
      }
      waiting.append(rest)
      rest = inner.terms[...]
    }
  }
}

extension FetchPredicate {
  fileprivate func continues(_ outer: CompoundPredicate.Connective) -> Bool {
    if case .compound(let compound) = content { compound.continues(outer) } else { false }
  }

  /// How many compounds of alternating kinds are nested in each other.
  var levels: Int {
    if case .compound(let compound) = content { compound.levels } else { 0 }
  }
}

extension CompoundPredicate.Connective {
  /// The result for a compound without terms.
  var holdsForNone: Bool { self == .and }
}

// AND, OR and NOT with their terms, however many and however deep: made and freed without recursion.

/// The terms of a compound predicate.
// Sendable by proof: the terms are written when the compound is made and when it is freed, and nothing else has it then.
final class CompoundPredicate: @unchecked Sendable {
  enum Connective: Sendable {
    case and, or
    /// Has one term.
    case not
  }

  let connective: Connective
  private(set) var terms: [FetchPredicate]
  /// How many compounds of alternating kinds are within each other, this one included.
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

  /// Frees the compounds within one by one: an array that frees what it holds would need stack for each level.
  deinit {
    var waiting = compounds
    terms = []
    while var compound = waiting.popLast() {
      // A term that is shared is left to its other owners.
      guard isKnownUniquelyReferenced(&compound) else { continue }
      waiting += compound.compounds
      compound.terms = []
    }
  }

  private var compounds: [CompoundPredicate] {
    terms.compactMap { if case .compound(let compound) = $0.content { compound } else { nil } }
  }

  /// Whether its terms are terms of a compound of the connective around it.
  func continues(_ outer: Connective) -> Bool { connective == outer && connective != .not }

  /// The terms, those of compounds that continue this one in their place; O(terms).
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

  /// How many compounds of alternating kinds are within each other.
  var levels: Int {
    if case .compound(let compound) = content { compound.levels } else { 0 }
  }
}

extension CompoundPredicate.Connective {
  /// What holds of a compound without terms.
  var holdsForNone: Bool { self == .and }
}

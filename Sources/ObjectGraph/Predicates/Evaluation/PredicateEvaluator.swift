// Evaluates predicates in memory.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Evaluates one predicate for any number of objects, and keeps compiled parts such as regular expressions.
///
/// Use it on one thread at a time.
///
/// ```swift
/// let evaluator = PredicateEvaluator(Quake.place.matches(".*, (Nevada|California)"))
/// let near = try region[Region.quakes].filter(evaluator.evaluate)
/// ```
public final class PredicateEvaluator {
  /// A compound with a term that is being evaluated.
  private struct Position {
    let compound: CompoundPredicate
    var next: Int
  }

  private let predicate: FetchPredicate
  let patterns = PatternCache()
  /// The value of `now()` for every subject, in seconds since the reference date: the time when a subject first needs
  /// it.
  private(set) lazy var now = Date().timeIntervalSinceReferenceDate
  /// Kept for the next subject; a subquery's predicate starts at the present end.
  private var positions: [Position] = []

  /// Creates an evaluator; it compiles parts of the predicate on first use.
  public init(_ predicate: FetchPredicate) { self.predicate = predicate }

  /// Whether the predicate matches the subject.
  ///
  /// ```swift
  /// let evaluator = PredicateEvaluator(try FetchPredicate(format: "region.name == 'Nevada'"))
  /// if try evaluator.evaluate(quake) { print(quake[Quake.code] ?? "") }
  /// ```
  ///
  /// - Throws: ``FetchPredicateError``, or what the subject throws.
  public func evaluate(_ subject: any PredicateSubject) throws -> Bool {
    try holds(predicate, PredicateScope(subject: subject))
  }

  /// Whether the predicate holds; terms are evaluated from left to right until one decides.
  func holds(_ predicate: FetchPredicate, _ scope: PredicateScope) throws -> Bool {
    let start = positions.count
    defer { positions.removeSubrange(start...) }
    var predicate = predicate
    while true {
      var answer: Bool
      switch predicate.content {
      case .constant(let value): answer = value
      case .comparison(let comparison): answer = try holds(comparison, scope)
      case .compound(let compound):
        if let first = compound.terms.first {
          positions.append(Position(compound: compound, next: 1))
          predicate = first
          continue
        }
        answer = compound.connective.holdsForNone
      }
      guard let next = nextTerm(after: &answer, from: start) else { return answer }
      predicate = next
    }
  }

  /// The next term to evaluate after the last one's result; `nil` if the result, which becomes that of the whole, is
  /// final.
  private func nextTerm(after answer: inout Bool, from start: Int) -> FetchPredicate? {
    while positions.count > start {
      let position = positions[positions.count - 1]
      let compound = position.compound
      switch compound.connective {
      case .not: answer.toggle()
      case .and where answer, .or where !answer:
        if position.next < compound.terms.count {
          positions[positions.count - 1].next += 1
          return compound.terms[position.next]
        }
      case .and, .or: break
      }
      positions.removeLast()
    }
    return nil
  }

  private func holds(_ comparison: FetchPredicate.Comparison, _ scope: PredicateScope) throws -> Bool {
    if let expected = comparison.comparisonOperator.misfit(comparison.right) {
      throw FetchPredicateError.typeMismatch(in: "\(comparison)", found: "\(comparison.right)", expected: expected)
    }
    if comparison.modifier == .direct {
      switch comparison.left {
      case .list where comparison.comparisonOperator == .contains: return try holds(comparison.membership, scope)
      case .path(let path) where comparison.comparisonOperator == .contains:
        switch try destination(of: path, scope) {
        case .nothing: return false
        case .one(let value): return try holds(value, comparison, scope)
        case .many: return try holds(comparison.membership, scope)
        }
      default: return try holds(try value(comparison.left, scope), comparison, scope)
      }
    }
    guard case .path(let path) = comparison.left else { throw comparison.misplacedModifier }
    let values = try self.values(of: path, scope)
    switch comparison.modifier {
    case .direct, .any: return try values.contains { try holds($0, comparison, scope) }
    case .all: return try values.allSatisfy { try holds($0, comparison, scope) }
    case .none: return try !values.contains { try holds($0, comparison, scope) }
    }
  }

  /// Whether the comparison with one value holds.
  private func holds(
    _ left: ComparableValue, _ comparison: FetchPredicate.Comparison, _ scope: PredicateScope
  ) throws -> Bool {
    let rights =
      switch (comparison.comparisonOperator, comparison.right) {
      case (.isIn, .path(let path)): try values(of: path, scope)
      case (_, .list(let elements)): try elements.map { try value($0, scope) }
      default: [try value(comparison.right, scope)]
      }
    for right in rights { try comparison.check(left.kind, right.kind) }
    let left = left.folded(comparison.foldingOptions)
    let folded = rights.map { $0.folded(comparison.foldingOptions) }
    if comparison.comparisonOperator == .isIn { return folded.contains { left.equals($0) } }
    guard let right = folded.first else { return false }
    switch comparison.comparisonOperator {
    case .equal, .isIn: return left.equals(right)
    case .notEqual: return !left.equals(right)
    case .less: return left.order(to: right) == .less
    case .greater: return left.order(to: right) == .greater
    case .lessOrEqual: return isOneOf(left.order(to: right), .less, .equal)
    case .greaterOrEqual: return isOneOf(left.order(to: right), .greater, .equal)
    case .between:
      return folded.count == 2 && isOneOf(left.order(to: right), .greater, .equal)
        && isOneOf(left.order(to: folded[1]), .less, .equal)
    case .beginsWith, .endsWith, .contains, .like, .matches:
      guard case .text(let text) = left, case .text(let part) = right else { return false }
      return try compare(text, comparison, part)
    }
  }

  private func compare(_ text: String, _ comparison: FetchPredicate.Comparison, _ part: String) throws -> Bool {
    switch comparison.comparisonOperator {
    case .beginsWith: text.utf8.begins(with: part.utf8)
    case .endsWith: text.utf8.ends(with: part.utf8)
    case .contains: text.utf8.contains(bytes: part.utf8)
    case .like: patterns.like(text, part)
    default: try patterns.matches(text, part, comparison.options)
    }
  }

  private func isOneOf(_ order: ValueOrder?, _ first: ValueOrder, _ second: ValueOrder) -> Bool {
    order == first || order == second
  }
}

extension FetchPredicate {
  /// Whether the predicate matches the subject; for many subjects, create a ``PredicateEvaluator``.
  ///
  /// ```swift
  /// let strong = Quake.magnitude > 4.5
  /// if try strong.evaluate(with: quake) { print(quake[Quake.code] ?? "") }
  /// ```
  ///
  /// - Throws: ``FetchPredicateError``, or what the subject throws.
  public func evaluate(with subject: any PredicateSubject) throws -> Bool {
    try PredicateEvaluator(self).evaluate(subject)
  }
}

extension FetchPredicate.Comparison {
  /// The options that fold both sides; a regular expression does its own folding.
  var foldingOptions: ComparisonOptions { comparisonOperator == .matches ? [] : options }

  /// Refuses sides that cannot be compared; `nil` is null, which can be compared with everything.
  func check(_ left: ValueKind?, _ right: ValueKind?) throws(FetchPredicateError) {
    let isOrdering =
      switch comparisonOperator {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
      default: false
      }
    if isOrdering, left == .object || right == .object {
      throw .unsupported(in: "\(self)", reason: "objects have no order; compare one of their attributes")
    }
    if comparisonOperator.isAboutText {
      for kind in [left, right] {
        if let kind, kind != .text {
          throw .typeMismatch(in: "\(self)", found: kind.rawValue, expected: ValueKind.text.rawValue)
        }
      }
    }
    if let left, let right, left != right {
      throw .typeMismatch(in: "\(self)", found: right.rawValue, expected: left.rawValue)
    }
  }

  /// `CONTAINS` with a collection on the left, rewritten as `IN` with the right side on the left.
  var membership: FetchPredicate.Comparison { .init(right, .isIn, left, options: options) }

  var misplacedModifier: FetchPredicateError {
    .unsupported(
      in: "\(self)",
      reason: "\(modifier.rawValue) needs a path through a to-many relationship; leave it out, or name such a path")
  }
}

// A predicate: a condition on objects, evaluated in memory or turned into SQL with the same result.
//
// Foundation has a `Predicate`, an `Expression`, a `PredicateError` and a `SortDescriptor` of its own, and a file that imports both modules
// could name neither; hence the prefix that these types share with `FetchRequest`.
public import CoreDataModel

/// A condition on objects, as `NSPredicate` is.
///
/// Make one from a format, from typed keys with operators, or case by case. Its logic has two values, in memory and in
/// SQL: null equals null and differs from everything else; every other comparison with null is false; `NOT` turns
/// false into true. So `NOT magnitude > 5` is true of a null magnitude, as in Swift.
///
/// Text is compared by code points, as SQLite's `BINARY` collation does, unless options say otherwise: nothing is
/// normalised, so that a composed and a decomposed letter differ.
///
/// A predicate may have any number of terms, nested in any way: nothing that is done with it recurses over them. Conjunctions
/// within a conjunction are part of it, and disjunctions within a disjunction, so that `.and([.and([a, b]), c])` equals
/// `.and([a, b, c])`.
public struct FetchPredicate: Sendable {
  /// What a predicate is made of.
  public enum Form: Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(Comparison)
    /// All of them hold; none of them is a conjunction.
    case and([FetchPredicate])
    /// At least one holds; none of them is a disjunction.
    case or([FetchPredicate])
    case not(FetchPredicate)
  }

  enum Content: Sendable {
    case constant(Bool)
    case comparison(Comparison)
    case compound(CompoundPredicate)
  }

  let content: Content

  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  public static func constant(_ value: Bool) -> FetchPredicate { FetchPredicate(content: .constant(value)) }

  public static func comparison(_ comparison: Comparison) -> FetchPredicate {
    FetchPredicate(content: .comparison(comparison))
  }

  /// All of them hold; true for none.
  public static func and(_ terms: [FetchPredicate]) -> FetchPredicate { FetchPredicate(.and, terms) }

  /// At least one holds; false for none.
  public static func or(_ terms: [FetchPredicate]) -> FetchPredicate { FetchPredicate(.or, terms) }

  public static func not(_ term: FetchPredicate) -> FetchPredicate { FetchPredicate(.not, [term]) }

  private init(content: Content) { self.content = content }

  private init(_ connective: CompoundPredicate.Connective, _ terms: [FetchPredicate]) {
    content = .compound(CompoundPredicate(connective, terms))
  }

  /// What the predicate is made of, for a `switch`; O(terms).
  public var form: Form {
    switch content {
    case .constant(let value): return .constant(value)
    case .comparison(let comparison): return .comparison(comparison)
    case .compound(let compound):
      let terms = compound.flattenedTerms
      switch compound.connective {
      case .and: return .and(terms)
      case .or: return .or(terms)
      case .not: return .not(terms[0])
      }
    }
  }

  /// Two expressions and what must be between them.
  public struct Comparison: Sendable, Hashable {
    public var left: FetchExpression
    public var comparisonOperator: ComparisonOperator
    public var right: FetchExpression
    public var options: ComparisonOptions
    public var modifier: ComparisonModifier

    public init(
      _ left: FetchExpression, _ comparisonOperator: ComparisonOperator, _ right: FetchExpression,
      options: ComparisonOptions = [], modifier: ComparisonModifier = .direct
    ) {
      self.left = left
      self.comparisonOperator = comparisonOperator
      self.right = right
      self.options = options
      self.modifier = modifier
    }
  }
}

/// What a comparison asks.
public enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// The left is one of a list, or one of the values of a path through a to-many relationship.
  case isIn = "IN"
  /// The left is neither below the first nor above the second of a list of two.
  case between = "BETWEEN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  /// The whole text fits a pattern in which `*` stands for any text, `?` for one code point, and a backslash takes
  /// the meaning from what follows it.
  case like = "LIKE"
  /// The whole text fits a regular expression, in the syntax of Swift's `Regex`.
  case matches = "MATCHES"

  /// Whether both sides must be text.
  var isAboutText: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches: true
    default: false
    }
  }
}

/// Which of the values of a path through a to-many relationship must compare.
public enum ComparisonModifier: String, Sendable, Hashable, CaseIterable {
  /// The path gives one value.
  case direct = ""
  /// At least one; also written `SOME`.
  case any = "ANY"
  /// Every one; true for none.
  case all = "ALL"
  /// Not a single one; true for none.
  case none = "NONE"
}

extension FetchPredicate {
  /// Both hold.
  public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate { .and([left, right]) }

  /// At least one holds.
  public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate { .or([left, right]) }

  /// It does not hold.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }
}

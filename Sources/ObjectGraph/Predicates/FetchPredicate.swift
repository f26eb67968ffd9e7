// A predicate: a condition on objects, evaluated in memory or by SQL with the same result.
//
// Foundation has its own `Predicate`, `Expression`, `PredicateError` and `SortDescriptor`, and equal names would be
// ambiguous in a file that imports both modules. So these types share a prefix with `FetchRequest`.
public import CoreDataModel

/// A condition on objects, like `NSPredicate`.
///
/// Create it from a format, from typed keys with operators, or from its parts. Its logic has two values, in memory and
/// in SQL: null equals null and differs from everything else; every other comparison with null is false; `NOT` turns
/// false into true. So `NOT magnitude > 5` is true for a null magnitude, as in Swift.
///
/// By default, text is compared by code points, like SQLite's `BINARY` collation, without normalization: a composed and
/// a decomposed letter differ.
///
/// A predicate may have any number of terms, nested in any way: no operation recurses over them. Nested conjunctions
/// are merged, and so are nested disjunctions, so that `.and([.and([a, b]), c])` equals `.and([a, b, c])`.
///
/// ```swift
/// let strong = Quake.magnitude > 4.5
/// let inNevada = try FetchPredicate(format: "region.name == %@", "Nevada")
/// let request = FetchRequest<Quake>(entityName: "Quake", predicate: strong && inNevada)
/// ```
public struct FetchPredicate: Sendable {
  /// The structure of a predicate.
  ///
  /// ```swift
  /// func termCount(of predicate: FetchPredicate) -> Int {
  ///   switch predicate.form {
  ///   case .constant, .comparison: 1
  ///   case .and(let terms), .or(let terms): terms.reduce(0) { $0 + termCount(of: $1) }
  ///   case .not(let term): termCount(of: term)
  ///   }
  /// }
  /// ```
  public enum Form: Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(Comparison)
    /// All of the terms hold; none of them is a conjunction.
    case and([FetchPredicate])
    /// At least one of the terms holds; none of them is a disjunction.
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
  ///
  /// ```swift
  /// let all = FetchPredicate.constant(true)
  /// all.description  // "TRUEPREDICATE"
  /// ```
  public static func constant(_ value: Bool) -> FetchPredicate { FetchPredicate(content: .constant(value)) }

  /// A comparison of two expressions.
  ///
  /// ```swift
  /// let strong = FetchPredicate.comparison(.init(.path(FetchPath("magnitude")), .greater, .constant(4.5)))
  /// strong == (Quake.magnitude > 4.5)  // true
  /// ```
  public static func comparison(_ comparison: Comparison) -> FetchPredicate {
    FetchPredicate(content: .comparison(comparison))
  }

  /// All of the terms hold; true without terms.
  ///
  /// ```swift
  /// let conditions = [Quake.magnitude > 4.5, Quake.felt > 0, Quake.place != nil]
  /// let request = FetchRequest(entityName: "Quake", predicate: .and(conditions))
  /// ```
  public static func and(_ terms: [FetchPredicate]) -> FetchPredicate { FetchPredicate(.and, terms) }

  /// At least one of the terms holds; false without terms.
  ///
  /// ```swift
  /// let places = ["Reno", "Elko", "Ely"]
  /// let near = FetchPredicate.or(places.map { Quake.place.contains($0) })
  /// ```
  public static func or(_ terms: [FetchPredicate]) -> FetchPredicate { FetchPredicate(.or, terms) }

  /// The term does not hold; also true if it compares with null.
  ///
  /// ```swift
  /// let others = FetchPredicate.not(Quake.magnitude > 4.5)
  /// others.description  // "NOT magnitude > 4.5"
  /// ```
  public static func not(_ term: FetchPredicate) -> FetchPredicate { FetchPredicate(.not, [term]) }

  private init(content: Content) { self.content = content }

  private init(_ connective: CompoundPredicate.Connective, _ terms: [FetchPredicate]) {
    content = .compound(CompoundPredicate(connective, terms))
  }

  /// The structure of the predicate, for a `switch`; O(terms).
  ///
  /// ```swift
  /// let both = Quake.magnitude > 4 && Quake.felt > 0
  /// if case .and(let terms) = both.form { print(terms.count) }  // 2
  /// ```
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

  /// Two expressions and how they must compare.
  ///
  /// ```swift
  /// var comparison = FetchPredicate.Comparison(.path(FetchPath("place")), .contains, .constant("reno"))
  /// comparison.options = [.caseInsensitive, .diacriticInsensitive]
  /// ```
  public struct Comparison: Sendable, Hashable {
    public var left: FetchExpression
    /// How the two sides must compare.
    public var comparisonOperator: ComparisonOperator
    public var right: FetchExpression
    /// What to ignore when comparing text.
    public var options: ComparisonOptions
    /// Which values must match, if the left side is a path through a to-many relationship.
    public var modifier: ComparisonModifier

    /// Compares two expressions; by default, text is compared by code points.
    ///
    /// ```swift
    /// let anyStrong = FetchPredicate.Comparison(
    ///   .path(FetchPath("quakes.magnitude")), .greater, .constant(4.5), modifier: .any)
    /// ```
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

/// The operator of a comparison.
///
/// ```swift
/// let between = FetchPredicate.Comparison(
///   .path(FetchPath("magnitude")), .between, .list([.constant(4), .constant(5)]))
/// ```
public enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  /// Equal; null equals null.
  case equal = "="
  /// Not equal; null differs from every value.
  case notEqual = "!="
  /// Below; false for null.
  case less = "<"
  case lessOrEqual = "<="
  /// Above; false for null.
  case greater = ">"
  case greaterOrEqual = ">="
  /// The left side is in a list, or is one of the values of a path through a to-many relationship.
  case isIn = "IN"
  /// The left side is within the two bounds of a list, inclusive.
  case between = "BETWEEN"
  /// The left text starts with the right text.
  case beginsWith = "BEGINSWITH"
  /// The left text ends with the right text.
  case endsWith = "ENDSWITH"
  /// The left text contains the right text.
  case contains = "CONTAINS"
  /// The whole text matches a pattern in which `*` means any text, `?` means one code point, and a backslash makes the
  /// next character literal.
  case like = "LIKE"
  /// The whole text matches a regular expression in ICU's syntax, as in Foundation's `NSRegularExpression`.
  ///
  /// A match that takes more than ten million steps for a text is stopped:
  /// ``FetchPredicateError/costlyPattern(pattern:found:reason:advice:)``.
  case matches = "MATCHES"

  /// Whether both sides must be text.
  var isAboutText: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches: true
    default: false
    }
  }
}

/// Which values of a path through a to-many relationship must match.
///
/// ```swift
/// let regions = FetchRequest<Region>(
///   entityName: "Region", predicate: try FetchPredicate(format: "ANY quakes.magnitude > 4.5"))
/// ```
public enum ComparisonModifier: String, Sendable, Hashable, CaseIterable {
  /// The path has a single value.
  case direct = ""
  /// At least one; also written `SOME`.
  case any = "ANY"
  /// Every one; true if there are none.
  case all = "ALL"
  /// None of them; true if there are none.
  case none = "NONE"
}

extension FetchPredicate {
  /// Both predicates hold.
  ///
  /// ```swift
  /// let predicate = Quake.magnitude > 4.5 && Quake.place.contains("Nevada")
  /// predicate.description  // "magnitude > 4.5 AND place CONTAINS \"Nevada\""
  /// ```
  public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate { .and([left, right]) }

  /// At least one of the predicates holds.
  ///
  /// ```swift
  /// let predicate = Quake.magnitude > 4.5 || Quake.felt > 10
  /// predicate.description  // "magnitude > 4.5 OR felt > 10"
  /// ```
  public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate { .or([left, right]) }

  /// The predicate does not hold.
  ///
  /// ```swift
  /// let elsewhere = !Quake.place.contains("Nevada")  // also quakes without a place
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: elsewhere))
  /// ```
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }
}

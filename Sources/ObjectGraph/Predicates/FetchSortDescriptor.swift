// One criterion of an order, in memory and in SQL.
public import CoreDataModel

/// A criterion for sorting objects, like `NSSortDescriptor`.
///
/// Null is the lowest value. By default, text is sorted by code points, like SQLite's `BINARY` collation, after
/// applying the options; a ``SortSelector`` can change that. The order of objects that are equal in all descriptors is
/// undefined.
///
/// ```swift
/// var request = FetchRequest<Quake>(entityName: "Quake")
/// request.sortDescriptors = [FetchSortDescriptor("region.name"), FetchSortDescriptor(Quake.time, ascending: false)]
/// ```
public struct FetchSortDescriptor: Sendable, Hashable {
  /// An attribute, or a path to one through to-one relationships.
  public var path: FetchPath
  /// Whether the order is ascending, with null first.
  public var isAscending: Bool
  /// What to ignore when comparing text.
  public var options: ComparisonOptions
  /// How to compare text.
  public var selector: SortSelector

  /// Sorts by the attribute at a path such as `network.name`.
  ///
  /// ```swift
  /// let byRegion = FetchSortDescriptor("region.name")
  /// let byPlace = FetchSortDescriptor("place", options: [.caseInsensitive, .diacriticInsensitive])
  /// let asInALibrary = FetchSortDescriptor("place", selector: .localizedStandardCompare)
  /// ```
  public init(
    _ key: String, ascending: Bool = true, options: ComparisonOptions = [], selector: SortSelector = .compare
  ) {
    path = FetchPath(key)
    isAscending = ascending
    self.options = options
    self.selector = selector
  }

  /// Sorts by a typed key.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake")
  /// request.sortDescriptors = [FetchSortDescriptor(Quake.magnitude, ascending: false)]  // the strongest first
  /// ```
  public init<Value>(
    _ key: AttributeKey<Value>, ascending: Bool = true, options: ComparisonOptions = [],
    selector: SortSelector = .compare
  ) {
    self.init(key.name, ascending: ascending, options: options, selector: selector)
  }
}

extension Array where Element == FetchSortDescriptor {
  /// The subjects in the order of the descriptors, the most significant first; equal subjects keep their order.
  ///
  /// Every value is read once. O(n log n).
  ///
  /// ```swift
  /// let newestFirst = [FetchSortDescriptor(Quake.time, ascending: false)]
  /// let quakes = try newestFirst.sorted(region[Region.quakes])
  /// ```
  ///
  /// - Throws: ``FetchPredicateError``, or what a subject throws.
  public func sorted<Subject: PredicateSubject>(_ subjects: [Subject]) throws -> [Subject] {
    let evaluator = PredicateEvaluator(.constant(true))
    let keyed = try subjects.map { subject in
      (subject: subject, keys: try map { try $0.sortKey(of: subject, evaluator) })
    }
    return keyed.sorted { left, right in
      for (index, descriptor) in enumerated() {
        switch ComparableValue.sortOrder(left.keys[index], right.keys[index]) {
        case .equal: continue
        case .less: return descriptor.isAscending
        case .greater: return !descriptor.isAscending
        }
      }
      return false
    }.map(\.subject)
  }
}

extension FetchSortDescriptor {
  fileprivate var direction: String { isAscending ? "ASC" : "DESC" }

  fileprivate func sortKey(of subject: any PredicateSubject, _ evaluator: PredicateEvaluator) throws -> ComparableValue
  {
    let value = try evaluator.value(of: path, PredicateScope(subject: subject))
    try check(value.kind)
    return sortKey(of: value)
  }

  func sortKey(of value: AttributeValue) -> ComparableValue { sortKey(of: ComparableValue(value)) }

  private func sortKey(of value: ComparableValue) -> ComparableValue {
    value.folded(foldingOptions).sortKey(selector.order)
  }

  fileprivate var foldingOptions: ComparisonOptions {
    selector == .caseInsensitiveCompare ? options.union(.caseInsensitive) : options
  }

  fileprivate func check(_ kind: ValueKind?) throws(FetchPredicateError) {
    if kind == .object {
      throw .unsupported(in: "\(path)", reason: "objects have no order; name one of their attributes")
    }
    if !foldingOptions.isEmpty || selector.order != nil, let kind, kind != .text {
      throw .typeMismatch(in: "\(path)", found: kind.rawValue, expected: ValueKind.text.rawValue)
    }
  }
}

extension ComparableValue {
  /// Values of one attribute have one kind or are null.
  static func sortOrder(_ left: ComparableValue, _ right: ComparableValue) -> ValueOrder {
    switch (left.isNull, right.isNull) {
    case (true, true): .equal
    case (true, false): .less
    case (false, true): .greater
    case (false, false): left.order(to: right) ?? .equal
    }
  }
}

extension SQLGenerator {
  /// A term of `ORDER BY`.
  func term(of descriptor: FetchSortDescriptor, _ scope: SQLScope) throws(FetchPredicateError) -> SQLFragment {
    "\(try value(of: descriptor, scope)) \(raw: descriptor.direction)"
  }

  private func value(
    of descriptor: FetchSortDescriptor, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLFragment {
    let operand = try operand(.path(descriptor.path), scope)
    try descriptor.check(operand.kind)
    let folded = operand.folded(descriptor.foldingOptions).sql
    guard let order = descriptor.selector.order else { return folded }
    return "\(raw: PredicateFunctions.sortKey)(\(folded), \(raw: "\(order.rawValue)"))"
  }

  /// The sort values as named columns, each after a comma, and the order by these names.
  func sortColumns(
    _ descriptors: [FetchSortDescriptor], _ scope: SQLScope
  ) throws(FetchPredicateError) -> (columns: SQLFragment, terms: [SQLFragment]) {
    var columns = SQLFragment("")
    var terms: [SQLFragment] = []
    for (index, descriptor) in descriptors.enumerated() {
      let name = "OG_SORT\(index)"
      columns = "\(columns), \(try value(of: descriptor, scope)) AS \(raw: name)"
      terms.append("\(raw: "\(name) \(descriptor.direction)")")
    }
    return (columns, terms)
  }
}

/// How a sort descriptor compares text, like its selector in Core Data.
///
/// The localized selectors sort text as people expect, with the same rules on every machine and in every locale:
/// letters matter most, then diacritics, then case, with lowercase first.
///
/// Only ``compare`` can use an index: for the others, SQLite computes a key for every row and sorts the rows. For long
/// lists, store a folded or padded copy of the text with an index, and sort by that.
///
/// ```swift
/// var request = FetchRequest<Region>(entityName: "Region")
/// request.sortDescriptors = [FetchSortDescriptor("name", selector: .localizedStandardCompare)]
/// ```
public enum SortSelector: String, Sendable, Hashable, CaseIterable {
  /// By code points, after the descriptor's options.
  case compare = "compare:"
  /// By code points, ignoring case.
  case caseInsensitiveCompare = "caseInsensitiveCompare:"
  /// `cote`, `Cote`, `coté`, `côte`.
  case localizedCompare = "localizedCompare:"
  /// Like ``localizedCompare``, but texts that only differ in case are equal.
  case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
  /// Like ``localizedCompare``, but numbers sort by value, as in file managers: `Quake 9` before `Quake 10`.
  case localizedStandardCompare = "localizedStandardCompare:"

  /// `nil` for sorting by code points.
  var order: TextOrder? {
    switch self {
    case .compare, .caseInsensitiveCompare: nil
    case .localizedCompare: .full
    case .localizedCaseInsensitiveCompare: .caseInsensitive
    case .localizedStandardCompare: .natural
    }
  }
}

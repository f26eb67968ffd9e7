// Which rows an update or a delete applies to: a predicate that has been checked against the entity.
public import CoreDataModel
public import ObjectGraph

/// A condition on a row's own attributes.
///
/// It is the part of predicates that every engine can express: comparisons of attributes with values. Like a predicate,
/// it has two truth values: null equals null and differs from everything else, and every other comparison with null is
/// false.
public indirect enum RowCondition: Sendable, Hashable {
  /// The values have the attribute's type, or are null. There is one value, two for `BETWEEN`, and any number for `IN`.
  case comparison(attribute: String, ComparisonOperator, [AttributeValue])
  case constant(Bool)
  case and([RowCondition])
  case or([RowCondition])
  case not(RowCondition)

  /// The comparisons that a condition supports.
  package static let operators: [ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between, .beginsWith, .contains,
  ]

  /// The condition as ObjectGraph's predicate.
  public var predicate: FetchPredicate {
    switch self {
    case .comparison(let attribute, let comparison, let values):
      let constants = values.map(FetchExpression.constant)
      let isList = comparison == .isIn || comparison == .between
      return .comparison(
        FetchPredicate.Comparison(
          .path(FetchPath(keys: [attribute])), comparison,
          isList ? .list(constants) : constants.first ?? .constant(.null)))
    case .constant(let value): return .constant(value)
    case .and(let terms): return .and(terms.map(\.predicate))
    case .or(let terms): return .or(terms.map(\.predicate))
    case .not(let term): return .not(term.predicate)
    }
  }
}

extension RowCondition: CustomStringConvertible {
  /// The condition as a predicate's format.
  public var description: String { "\(predicate)" }
}

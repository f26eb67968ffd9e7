// Predicates from typed keys and operators.
//
// The operators are members of the key's type with the key at the left, so that they are candidates only where a key stands
// there, and ordinary comparisons compile as fast as ever.
public import CoreDataModel

extension AttributeKey {
  private func comparison(
    _ comparisonOperator: ComparisonOperator, _ right: FetchExpression, options: ComparisonOptions = []
  ) -> FetchPredicate {
    .comparison(.init(.path(FetchPath(name)), comparisonOperator, right, options: options))
  }

  private func comparison(_ comparisonOperator: ComparisonOperator, to value: Value?) -> FetchPredicate {
    comparison(comparisonOperator, .constant(value?.attributeValue ?? .null))
  }

  /// The values are the same; nil asks for null.
  public static func == (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.equal, to: value) }

  /// The values differ; null differs from every value.
  public static func != (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.notEqual, to: value) }

  /// The attribute is one of the values.
  public func isIn(_ values: some Sequence<Value>) -> FetchPredicate {
    comparison(.isIn, .list(values.map { .constant($0.attributeValue) }))
  }
}

extension AttributeKey where Value: Comparable {
  /// The attribute is below the value.
  public static func < (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.less, to: value) }

  /// The attribute is the value or below.
  public static func <= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.lessOrEqual, to: value)
  }

  /// The attribute is above the value.
  public static func > (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.greater, to: value) }

  /// The attribute is the value or above.
  public static func >= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.greaterOrEqual, to: value)
  }

  /// The attribute is neither below the first nor above the last.
  public func isBetween(_ bounds: ClosedRange<Value>) -> FetchPredicate {
    comparison(
      .between,
      .list([.constant(bounds.lowerBound.attributeValue), .constant(bounds.upperBound.attributeValue)]))
  }
}

extension AttributeKey where Value == String {
  /// The text is the same but for what the options leave out.
  public func isEqual(to text: String, options: ComparisonOptions) -> FetchPredicate {
    comparison(.equal, .constant(.string(text)), options: options)
  }

  /// The text is in the attribute; the empty text is in every one.
  public func contains(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.contains, .constant(.string(text)), options: options)
  }

  /// The attribute begins with the text.
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.beginsWith, .constant(.string(text)), options: options)
  }

  /// The attribute ends with the text.
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.endsWith, .constant(.string(text)), options: options)
  }

  /// The whole attribute fits the pattern; see ``ComparisonOperator/like``.
  public func isLike(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.like, .constant(.string(pattern)), options: options)
  }

  /// The whole attribute fits the regular expression; see ``ComparisonOperator/matches``.
  public func matches(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.matches, .constant(.string(pattern)), options: options)
  }
}

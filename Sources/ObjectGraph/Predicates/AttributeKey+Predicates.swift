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
  ///
  /// ```swift
  /// let nameless = FetchRequest(entityName: "Quake", predicate: Quake.place == nil)
  /// let one = FetchRequest(entityName: "Quake", predicate: Quake.code == "us1000ep7p")
  /// ```
  public static func == (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.equal, to: value) }

  /// The values differ; null differs from every value.
  ///
  /// ```swift
  /// let elsewhere = Quake.place != "Nevada"  // quakes without a place too
  /// ```
  public static func != (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.notEqual, to: value) }

  /// The attribute is one of the values.
  ///
  /// ```swift
  /// let some = FetchRequest(entityName: "Quake", predicate: Quake.code.isIn(["us1000ep7p", "us1000ep5z"]))
  /// ```
  public func isIn(_ values: some Sequence<Value>) -> FetchPredicate {
    comparison(.isIn, .list(values.map { .constant($0.attributeValue) }))
  }
}

extension AttributeKey where Value: Comparable {
  /// The attribute is below the value.
  ///
  /// ```swift
  /// let old = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: Quake.time < yesterday))
  /// ```
  public static func < (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.less, to: value) }

  /// The attribute is the value or below.
  ///
  /// ```swift
  /// let light = Quake.magnitude <= 2.5  // not those without a magnitude
  /// ```
  public static func <= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.lessOrEqual, to: value)
  }

  /// The attribute is above the value.
  ///
  /// ```swift
  /// let strong = Quake.magnitude > 4.5 && Quake.felt > 0
  /// ```
  public static func > (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.greater, to: value) }

  /// The attribute is the value or above.
  ///
  /// ```swift
  /// let recent = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.time >= yesterday)
  /// ```
  public static func >= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.greaterOrEqual, to: value)
  }

  /// The attribute is neither below the first nor above the last.
  ///
  /// ```swift
  /// let moderate = Quake.magnitude.isBetween(5...6)
  /// ```
  public func isBetween(_ bounds: ClosedRange<Value>) -> FetchPredicate {
    comparison(
      .between,
      .list([.constant(bounds.lowerBound.attributeValue), .constant(bounds.upperBound.attributeValue)]))
  }
}

extension AttributeKey where Value == String {
  /// The text is the same but for what the options leave out.
  ///
  /// ```swift
  /// let zurich = Region.name.isEqual(to: "zurich", options: [.caseInsensitive, .diacriticInsensitive])
  /// ```
  public func isEqual(to text: String, options: ComparisonOptions) -> FetchPredicate {
    comparison(.equal, .constant(.string(text)), options: options)
  }

  /// The text is in the attribute; the empty text is in every one.
  ///
  /// ```swift
  /// let nearReno = Quake.place.contains("reno", options: .caseInsensitive)
  /// ```
  public func contains(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.contains, .constant(.string(text)), options: options)
  }

  /// The attribute begins with the text.
  ///
  /// ```swift
  /// let americanCodes = Quake.code.beginsWith("us")
  /// ```
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.beginsWith, .constant(.string(text)), options: options)
  }

  /// The attribute ends with the text.
  ///
  /// ```swift
  /// let inNevada = Quake.place.endsWith(", Nevada")
  /// ```
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.endsWith, .constant(.string(text)), options: options)
  }

  /// The whole attribute fits the pattern; see ``ComparisonOperator/like``.
  ///
  /// ```swift
  /// let pattern = Quake.code.isLike("us????ep*")
  /// ```
  public func isLike(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.like, .constant(.string(pattern)), options: options)
  }

  /// The whole attribute fits the regular expression; see ``ComparisonOperator/matches``.
  ///
  /// ```swift
  /// let networkCodes = Quake.code.matches("[a-z]{2}[0-9a-z]+")
  /// ```
  public func matches(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.matches, .constant(.string(pattern)), options: options)
  }
}

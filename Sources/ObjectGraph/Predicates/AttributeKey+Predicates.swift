// Builds predicates from typed keys and operators.
//
// The operators are static members of the key's type with the key on the left. So they are candidates only where a key
// is on the left, and ordinary comparisons compile as fast as before.
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

  /// The attribute equals the value; `nil` means null.
  ///
  /// ```swift
  /// let nameless = FetchRequest(entityName: "Quake", predicate: Quake.place == nil)
  /// let one = FetchRequest(entityName: "Quake", predicate: Quake.code == "us1000ep7p")
  /// ```
  public static func == (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.equal, to: value) }

  /// The attribute differs from the value; null differs from every value.
  ///
  /// ```swift
  /// let elsewhere = Quake.place != "Reno, Nevada"  // quakes without a place too
  /// let count = try context.count(for: FetchRequest(entityName: "Quake", predicate: elsewhere))
  /// ```
  public static func != (key: AttributeKey, value: Value?) -> FetchPredicate { key.comparison(.notEqual, to: value) }

  /// The attribute is one of the values.
  ///
  /// ```swift
  /// let codes = ["us1000ep7p", "us1000ep5z"]
  /// let stored = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.code.isIn(codes))
  /// ```
  public func isIn(_ values: some Sequence<Value>) -> FetchPredicate {
    comparison(.isIn, .list(values.map { .constant($0.attributeValue) }))
  }
}

extension AttributeKey where Value: Comparable {
  /// The attribute is below the value.
  ///
  /// ```swift
  /// let old = FetchRequest(entityName: "Quake", predicate: Quake.time < yesterday)
  /// try context.execute(BatchDeleteRequest(fetchRequest: old))
  /// ```
  public static func < (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.less, to: value) }

  /// The attribute is the value or below it.
  ///
  /// ```swift
  /// let light = Quake.magnitude <= 2.5  // not those without a magnitude
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: light))
  /// ```
  public static func <= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.lessOrEqual, to: value)
  }

  /// The attribute is above the value.
  ///
  /// ```swift
  /// let strong = Quake.magnitude > 4.5
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: strong && Quake.felt > 0))
  /// ```
  public static func > (key: AttributeKey, value: Value) -> FetchPredicate { key.comparison(.greater, to: value) }

  /// The attribute is the value or above it.
  ///
  /// ```swift
  /// let recent = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.time >= yesterday)
  /// let count = try context.count(for: recent)
  /// ```
  public static func >= (key: AttributeKey, value: Value) -> FetchPredicate {
    key.comparison(.greaterOrEqual, to: value)
  }

  /// The attribute is within the bounds.
  ///
  /// ```swift
  /// let moderate = Quake.magnitude.isBetween(5...6)  // 5 and 6 among them
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: moderate))
  /// ```
  public func isBetween(_ bounds: ClosedRange<Value>) -> FetchPredicate {
    comparison(
      .between,
      .list([.constant(bounds.lowerBound.attributeValue), .constant(bounds.upperBound.attributeValue)]))
  }
}

extension AttributeKey where Value == String {
  /// The attribute equals the text, apart from differences that the options ignore.
  ///
  /// ```swift
  /// let zurich = Region.name.isEqual(to: "zurich", options: [.caseInsensitive, .diacriticInsensitive])
  /// let regions = FetchRequest<Region>(entityName: "Region", predicate: zurich)  // finds Zürich too
  /// ```
  public func isEqual(to text: String, options: ComparisonOptions) -> FetchPredicate {
    comparison(.equal, .constant(.string(text)), options: options)
  }

  /// The attribute contains the text; every attribute contains the empty text.
  ///
  /// ```swift
  /// let nearReno = Quake.place.contains("reno", options: .caseInsensitive)
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: nearReno))
  /// ```
  public func contains(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.contains, .constant(.string(text)), options: options)
  }

  /// The attribute begins with the text.
  ///
  /// ```swift
  /// let american = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.code.beginsWith("us"))
  /// let count = try context.count(for: american)
  /// ```
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.beginsWith, .constant(.string(text)), options: options)
  }

  /// The attribute ends with the text.
  ///
  /// ```swift
  /// let inNevada = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.place.endsWith(", Nevada"))
  /// let count = try context.count(for: inNevada)
  /// ```
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.endsWith, .constant(.string(text)), options: options)
  }

  /// The whole attribute matches the pattern; see ``ComparisonOperator/like``.
  ///
  /// ```swift
  /// let series = Quake.code.isLike("us????ep*")  // us, four characters, ep, anything
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: series))
  /// ```
  public func isLike(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.like, .constant(.string(pattern)), options: options)
  }

  /// The whole attribute matches the regular expression; see ``ComparisonOperator/matches``.
  ///
  /// ```swift
  /// let valid = Quake.code.matches("[a-z]{2}[0-9a-z]+")
  /// let invalid = try context.count(for: FetchRequest(entityName: "Quake", predicate: !valid))
  /// ```
  public func matches(_ pattern: String, options: ComparisonOptions = []) -> FetchPredicate {
    comparison(.matches, .constant(.string(pattern)), options: options)
  }
}

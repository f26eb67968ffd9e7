// The answer to a fetch of dictionaries: all values in one array, of which each row is a stretch.
public import CoreDataModel

/// The dictionaries a fetch found.
///
/// They are values and belong to no context. O(1) access.
///
/// ```swift
/// var request = FetchRequest(entityName: "Quake")
/// request.propertiesToFetch = ["code", "region.name"]
/// let rows = try context.fetchDictionaries(request)
/// rows.names  // ["code", "region.name"]
/// ```
public struct DictionaryResults: RandomAccessCollection, Sendable {
  /// What each dictionary holds, in the order asked for.
  public let names: [String]
  private var values: [AttributeValue] = []

  init(names: [String]) { self.names = names }

  public var startIndex: Int { 0 }
  public var endIndex: Int { names.isEmpty ? 0 : values.count / names.count }

  public subscript(position: Int) -> DictionaryRow {
    precondition(indices.contains(position), "index \(position) of a result of \(count) dictionaries")
    return DictionaryRow(names: names, values: values[position * names.count..<(position + 1) * names.count])
  }

  /// Adds the next value of a row, in the order of the names.
  mutating func append(_ value: AttributeValue) { values.append(value) }
}

/// One dictionary of a fetch: values by name.
///
/// ```swift
/// for row in try context.fetchDictionaries(FetchRequest(entityName: "Quake")) {
///   if case .string(let code) = row["code"] { print(code) }
/// }
/// ```
public struct DictionaryRow: Sendable, Hashable {
  /// What the dictionary holds, in the order asked for.
  public let names: [String]
  /// The values, in the order of the names.
  public let values: ArraySlice<AttributeValue>

  /// The value under a name; null when it is absent or when the fetch did not ask for it.
  ///
  /// O(names).
  ///
  /// ```swift
  /// let rows = try context.fetchDictionaries(FetchRequest(entityName: "Quake"))
  /// let codes = Set(rows.map { $0["code"] })
  /// ```
  public subscript(name: String) -> AttributeValue {
    names.firstIndex(of: name).map { values[values.startIndex + $0] } ?? .null
  }

  /// The value under a typed key, which may name an expression too; nil when absent or of another type.
  ///
  /// O(names).
  ///
  /// ```swift
  /// let strongest = AttributeKey<Double>("strongest")
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = [.expression(ExpressionDescription("strongest", .maximum, of: "magnitude"))]
  /// let magnitude = try context.fetchDictionaries(request).first?[strongest]
  /// ```
  public subscript<Value>(key: AttributeKey<Value>) -> Value? { Value(attributeValue: self[key.name]) }

  /// The values by name, absent ones as null.
  ///
  /// ```swift
  /// let rows = try context.fetchDictionaries(FetchRequest(entityName: "Quake")).map(\.dictionary)
  /// try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
  /// ```
  public var dictionary: [String: AttributeValue] { Dictionary(zip(names, values)) { first, _ in first } }
}

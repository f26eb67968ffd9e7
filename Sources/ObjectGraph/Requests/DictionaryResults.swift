// The result of a fetch of dictionaries: values in blocks of rows, where each row is a slice of a block.
public import CoreDataModel

/// The dictionaries that a fetch found.
///
/// They are values and belong to no context. Access takes O(1).
///
/// ```swift
/// var request = FetchRequest(entityName: "Quake")
/// request.propertiesToFetch = ["code", "region.name"]
/// let rows = try context.fetchDictionaries(request)
/// rows.names  // ["code", "region.name"]
/// ```
public struct DictionaryResults: RandomAccessCollection, Sendable {
  /// The names in each dictionary, in the requested order.
  public let names: [String]
  /// The values of full blocks, which have the same number of rows, and of the remaining rows.
  ///
  /// A single array of all values would be moved repeatedly as it grows, into memory that was never used before.
  private var blocks: [[AttributeValue]] = []
  private var last: [AttributeValue] = []
  /// The stores of the rows if there are several; otherwise the one store.
  private var stores: [StoreIdentity]

  /// Creates an empty result for rows of one store, or of several if it is `nil`.
  init(names: [String], store: StoreIdentity? = nil) {
    self.names = names
    stores = store.map { [$0] } ?? []
  }

  private static let rowsPerBlock = 1024

  public var startIndex: Int { 0 }
  public var endIndex: Int {
    names.isEmpty ? 0 : blocks.count * DictionaryResults.rowsPerBlock + last.count / names.count
  }

  public subscript(position: Int) -> DictionaryRow {
    precondition(indices.contains(position), "index \(position) of a result of \(count) dictionaries")
    let (block, row) = position.quotientAndRemainder(dividingBy: DictionaryResults.rowsPerBlock)
    let values = block < blocks.count ? blocks[block] : last
    return DictionaryRow(
      names: names, values: values[row * names.count..<(row + 1) * names.count],
      store: stores.count == 1 ? stores[0] : stores[position])
  }

  /// Adds the next value of a row in the only store, in the order of the names.
  mutating func append(_ value: AttributeValue) {
    if last.count == names.count * DictionaryResults.rowsPerBlock { beginBlock() }
    last.append(value)
  }

  @inline(never)
  private mutating func beginBlock() {
    blocks.append(last)
    last = []
    last.reserveCapacity(blocks[0].count)
  }

  /// Adds a row from one of several stores.
  mutating func append(_ row: DictionaryRow) {
    for value in row.values { append(value) }
    stores.append(row.store)
  }
}

/// One dictionary of a fetch: values by name.
///
/// ```swift
/// for row in try context.fetchDictionaries(FetchRequest(entityName: "Quake")) {
///   if case .string(let code) = row["code"] { print(code) }
/// }
/// ```
public struct DictionaryRow: Sendable {
  /// The names in the dictionary, in the requested order.
  public let names: [String]
  /// The values in the order of the names; an object is a reference, with its ID in ``objectID(forKey:)``.
  public let values: ArraySlice<AttributeValue>
  /// The store of the objects that the values refer to.
  let store: StoreIdentity

  /// The value for a name; also null if the fetch did not request it.
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

  /// The value for a typed key, which may also be the name of an expression; `nil` for null or another type.
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

  /// The ID of an object: the row's own for `objectID` or `SELF`, or a to-one destination's; `nil` if there is none.
  ///
  /// O(names).
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToFetch = ["objectID", "magnitude", "region"]
  /// for row in try context.fetchDictionaries(request) where row[Quake.magnitude] ?? 0 > 6 {
  ///   if let quakeID = row.objectID(forKey: "objectID") { try context.delete(context.object(with: quakeID)) }
  /// }
  /// ```
  public func objectID(forKey name: String) -> ManagedObjectID? {
    self[name].reference.map { ManagedObjectID(store: store, entityIndex: $0.entityIndex, key: $0.key) }
  }

  /// The values by name, including nulls.
  ///
  /// ```swift
  /// let rows = try context.fetchDictionaries(FetchRequest(entityName: "Quake")).map(\.dictionary)
  /// try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
  /// ```
  public var dictionary: [String: AttributeValue] { Dictionary(zip(names, values)) { first, _ in first } }
}

extension DictionaryRow {
  /// Whether both are equal, including the code points of texts.
  func isStored(as other: DictionaryRow) -> Bool {
    self == other && values.elementsEqual(other.values) { $0.isStored(as: $1) }
  }
}

extension DictionaryRow: Hashable {
  /// Whether both have the same values under the same names; objects are equal only within one store.
  public static func == (left: DictionaryRow, right: DictionaryRow) -> Bool {
    left.names == right.names && left.values == right.values
      && (left.store === right.store || left.values.allSatisfy { $0.reference == nil })
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(values)
  }
}

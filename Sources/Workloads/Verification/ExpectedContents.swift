// What a store must hold after the source's rows went in: worked out from the rows alone, without any engine.
public import ObjectGraph
public import Scenarios

/// The rows a correct engine leaves, as their number and hash.
public struct ExpectedContents: Sendable, Hashable {
  public var rows: Int
  public var contentHash: String

  /// Plays the rows against the entity's uniqueness constraints, as often as they are ingested.
  ///
  /// O(rows × attributes).
  ///
  /// Under the policies that let the new row win, the later one stays whole; under the others the earlier one does.
  public init(of source: ColumnarRows, entity: EntityDescription, policy: MergePolicy, repeats: Int) {
    let reader = SourceRowReader(source)
    let laterWins = [.objectTrump, .overwrite].contains(policy.mergeType)
    let constraints = entity.uniquenessConstraints.map { reader.columns(of: $0) }
    // Which source row stands for each stored one, and who has each unique combination of values.
    var stored: [Int] = []
    var holders = [[RowHash: Int]](repeating: [:], count: constraints.count)
    for row in (0..<max(repeats, 1)).lazy.flatMap({ _ in 0..<source.count }) {
      let keys = constraints.map { reader.key(row, columns: $0) }
      let taken = keys.indices.lazy.compactMap { index in keys[index].flatMap { holders[index][$0] } }.first
      guard let place = taken else {
        for index in keys.indices { if let key = keys[index] { holders[index][key] = stored.count } }
        stored.append(row)
        continue
      }
      if laterWins {
        for index in keys.indices {
          if let old = reader.key(stored[place], columns: constraints[index]) { holders[index][old] = nil }
          if let key = keys[index] { holders[index][key] = place }
        }
        stored[place] = row
      }
    }
    var hash = ContentHash(entityName: entity.name)
    for row in stored { hash.add(reader.hash(row)) }
    rows = stored.count
    contentHash = hash.description
  }
}

/// Reads source rows as they will be stored: defaults for nulls, floats rounded.
private struct SourceRowReader {
  private let columns: [Column]
  private let attributes: [AttributeDescription]
  private let fallbacks: [StoredValue]
  /// Columns in the order of attribute names, which is the order of hashing.
  private let order: [Int]

  init(_ source: ColumnarRows) {
    columns = source.columns
    attributes = source.attributes
    fallbacks = source.attributes.map { StoredValue($0.defaultValue, type: $0.type) }
    order = source.attributes.indices.sorted { source.attributes[$0].name < source.attributes[$1].name }
  }

  func columns(of names: [String]) -> [Int] {
    names.compactMap { name in attributes.firstIndex { $0.name == name } }
  }

  func hash(_ row: Int) -> RowHash {
    var hash = RowHash()
    for column in order { _ = add(column, row, to: &hash) }
    return hash
  }

  /// The values that must be unique, as a hash; nil when one of them is null, since nulls never conflict.
  func key(_ row: Int, columns: [Int]) -> RowHash? {
    var hash = RowHash()
    for column in columns where !add(column, row, to: &hash) { return nil }
    return hash
  }

  /// Adds a value and tells whether there was one.
  private func add(_ column: Int, _ row: Int, to hash: inout RowHash) -> Bool {
    let fallback = fallbacks[column]
    switch columns[column] {
    case .integers(let numbers):
      if let number = numbers[row] ?? fallback.integer {
        hash.add(number)
        return true
      }
    case .reals(let numbers):
      if let number = numbers[row] ?? fallback.real {
        hash.add(attributes[column].type == .float ? Double(Float(number)) : number)
        return true
      }
    case .text(let texts):
      if let bytes = texts[row] {
        hash.add(text: UnsafeRawBufferPointer(bytes))
        return true
      }
      if var text = fallback.text {
        text.withUTF8 { hash.add(text: UnsafeRawBufferPointer($0)) }
        return true
      }
    case .blobs(let blobs):
      if let bytes = blobs[row] {
        hash.add(blob: UnsafeRawBufferPointer(bytes))
        return true
      }
      if let blob = fallback.blob {
        blob.withUnsafeBytes { hash.add(blob: $0) }
        return true
      }
    }
    hash.addNull()
    return false
  }
}

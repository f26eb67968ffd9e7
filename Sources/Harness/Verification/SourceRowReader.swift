// The rows of a source as a store keeps them: which rows remain under uniqueness constraints, their values and their
// hashes.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// Reads source rows as they will be stored: nulls become defaults, and floats are rounded.
struct SourceRowReader {
  private let columns: [Column]
  let count: Int
  private let attributes: [AttributeDescription]
  private let fallbacks: [StoredValue]
  /// Columns sorted by attribute name, which is the order of hashing.
  private let order: [Int]
  /// Which columns are rounded.
  ///
  /// Asking the attributes in the row loop would copy their descriptions.
  private let isFloat: [Bool]

  init(_ source: ColumnarRows) {
    columns = source.columns
    count = source.count
    attributes = source.attributes
    fallbacks = source.attributes.map { StoredValue($0.defaultValue, type: $0.type) }
    order = source.attributes.indices.sorted { source.attributes[$0].name < source.attributes[$1].name }
    isFloat = source.attributes.map { $0.type == .float }
  }

  /// The source row of each stored row, and how often that row was written.
  ///
  /// O(rows).
  func stored(
    under uniquenessConstraints: [[String]], policy: MergePolicy, repeats: Int
  ) -> [(row: Int, version: Int)] {
    let laterWins = [.objectTrump, .overwrite].contains(policy.mergeType)
    let constraints = uniquenessConstraints.map { columns(of: $0) }
    var stored: [(row: Int, version: Int)] = []
    stored.reserveCapacity(count)
    // The row that has each unique combination of values.
    var holders = [[RowHash: Int]](repeating: [:], count: constraints.count)
    for index in holders.indices { holders[index].reserveCapacity(count) }
    var keys = [RowHash?](repeating: nil, count: constraints.count)
    for _ in 0..<max(repeats, 1) {
      for row in 0..<count {
        var taken: Int?
        for index in keys.indices {
          keys[index] = key(row, columns: constraints[index])
          if taken == nil, let key = keys[index] { taken = holders[index][key] }
        }
        guard let position = taken else {
          for index in keys.indices { if let key = keys[index] { holders[index][key] = stored.count } }
          stored.append((row, 1))
          continue
        }
        if laterWins {
          for index in keys.indices {
            if let old = key(stored[position].row, columns: constraints[index]) { holders[index][old] = nil }
            if let key = keys[index] { holders[index][key] = position }
          }
          stored[position] = (row, stored[position].version + 1)
        }
      }
    }
    return stored
  }

  private func columns(of names: [String]) -> [Int] {
    names.compactMap { name in attributes.firstIndex { $0.name == name } }
  }

  /// The stored values that an update sets, by column.
  func replacements(_ assignments: [Assignment]) -> [Int: StoredValue] {
    var values: [Int: StoredValue] = [:]
    for assignment in assignments {
      guard let column = attributes.firstIndex(where: { $0.name == assignment.attribute }) else { continue }
      values[column] = StoredValue(assignment.value, type: attributes[column].type)
    }
    return values
  }

  /// The stored value of a row; null if there is no such column.
  func value(_ column: Int, _ row: Int) -> StoredValue {
    guard columns.indices.contains(column) else { return StoredValue(.null, type: .string) }
    return StoredValue(row, of: columns[column], type: attributes[column].type, fallback: fallbacks[column])
  }

  func hash(_ row: Int, replacing replacements: [Int: StoredValue]) -> RowHash {
    var hash = RowHash()
    if replacements.isEmpty {
      for column in order { _ = add(column, row, to: &hash) }
      return hash
    }
    for column in order {
      if let value = replacements[column] {
        value.add(to: &hash)
      } else {
        _ = add(column, row, to: &hash)
      }
    }
    return hash
  }

  /// The objects named by a link's rows, each once, and the column with their names; `nil` if there is no such column.
  func tally(of link: Link, entityName: String) -> (tally: LinkTally, column: Int)? {
    guard let column = attributes.firstIndex(where: { $0.name == link.attribute }) else { return nil }
    var tally = LinkTally(link, of: entityName)
    var known: Set<RowHash> = []
    for row in 0..<count {
      var name = RowHash()
      if add(column, row, to: &name), known.insert(name).inserted { tally.add(object: name) }
    }
    return (tally, column)
  }

  /// A hash of the values that must be unique; `nil` if one of them is null, because nulls never conflict.
  private func key(_ row: Int, columns: [Int]) -> RowHash? {
    var hash = RowHash()
    for column in columns where !add(column, row, to: &hash) { return nil }
    return hash
  }

  /// Adds a value and returns whether there was one.
  func add(_ column: Int, _ row: Int, to hash: inout RowHash) -> Bool {
    switch columns[column] {
    case .integers(let numbers):
      if let number = numbers[row] ?? fallbacks[column].integer {
        hash.add(number)
        return true
      }
    case .reals(let numbers):
      if let number = numbers[row] ?? fallbacks[column].real {
        hash.add(isFloat[column] ? Double(Float(number)) : number)
        return true
      }
    case .text(let texts):
      if let bytes = texts[row] {
        hash.add(text: UnsafeRawBufferPointer(bytes))
        return true
      }
      if var text = fallbacks[column].text {
        text.withUTF8 { hash.add(text: UnsafeRawBufferPointer($0)) }
        return true
      }
    case .blobs(let blobs):
      if let bytes = blobs[row] {
        hash.add(blob: UnsafeRawBufferPointer(bytes))
        return true
      }
      if let blob = fallbacks[column].blob {
        blob.withUnsafeBytes { hash.add(blob: $0) }
        return true
      }
    }
    hash.addNull()
    return false
  }
}

// What a store must hold after the source's rows went in: worked out from the rows alone, without any engine.
internal import BatchmarkEngine
package import CoreDataModel
package import ObjectGraph
package import Scenarios

/// The rows a correct engine leaves, as their number and hash.
package struct ExpectedContents: Sendable, Hashable {
  package var rows: Int
  package var contentHash: String
  /// Covers each row's values together with its version counter.
  package var versionedHash: String
  /// The same where rows that the change sets to what they held were left alone, as Core Data's save does.
  package var leanVersionedHash: String
  /// How many rows have each version counter, where every row that the change is meant for was written.
  package var versions: [Int: Int]
  /// How many rows the change updates, deletes, takes out of a relationship or fetches; 0 without one.
  package var changedRows = 0
  /// The first row of the source that is deleted while the row above it stays, where rows are trees: strategies differ
  /// then in whether they write the row above.
  package var rowBelowKept: Int?
  /// Covers the values of the rows that are fetched; nil where none are.
  package var fetchedHash: String?
  /// What the rows are linked to, in the order of the links.
  package var links: [StoredLinks] = []

  /// Plays the rows against the entity's uniqueness constraints, as often as they are ingested, and then the operation.
  ///
  /// O(rows × attributes).
  ///
  /// Under the policies that let the new row win, the later one stays whole; under the others the earlier one does.
  package init(
    of source: ColumnarRows, entity: EntityDescription, policy: MergePolicy, repeats: Int = 1,
    operation: Operation = .insert, links: [Link] = []
  ) {
    self.init(
      of: SourceRows(source), entity: entity, policy: policy, repeats: repeats, operation: operation, links: links,
      tree: nil)
  }

  /// The same of the only table of a source, whose rows may be trees.
  package init(
    of source: SourceRows, entity: EntityDescription, policy: MergePolicy, repeats: Int = 1,
    operation: Operation = .insert, links: [Link] = [], tree: TreeRelationship?
  ) {
    let expected = ExpectedRows(
      of: source.tables.first ?? ColumnarRows(entityName: entity.name, attributes: [], columns: [], count: 0),
      entity: entity, policy: policy, repeats: repeats, operation: operation, trees: ExpectedTrees(source, tree))
    let reader = expected.reader
    var hash = ContentHash(entityName: entity.name)
    var versioned = hash
    var lean = hash
    var fetched = hash
    (rows, versions, changedRows) = (0, [:], expected.changedRows)
    rowBelowKept = expected.rowBelowKept
    var linking = links.compactMap { reader.tally(of: $0, entityName: entity.name) }
    for stored in expected.rows {
      var row = expected.hash(stored)
      hash.add(row)
      if stored.isMeant && !stored.isChanged { fetched.add(row) }
      for index in linking.indices {
        var linked = row
        let isLinked = reader.add(linking[index].column, stored.sourceRow, to: &linked)
        linking[index].tally.add(row: linked, isLinked: isLinked)
      }
      var kept = row
      row.add(Int64(stored.version))
      kept.add(Int64(stored.version - (stored.isSame ? 1 : 0)))
      versioned.add(row)
      lean.add(kept)
      versions[stored.version, default: 0] += 1
      rows += 1
    }
    contentHash = hash.description
    versionedHash = versioned.description
    leanVersionedHash = lean.description
    if case .fetch = operation { fetchedHash = fetched.description }
    self.links = linking.map(\.tally.links) + (expected.treeLinks.map { [$0] } ?? [])
  }

  /// Whether each row has one of the version counters it may have.
  func hasVersions(_ contents: StoredContents) -> Bool {
    contents.versionedHash == versionedHash || contents.versionedHash == leanVersionedHash
  }

  /// Compares what a store holds with what it must hold.
  ///
  /// - Parameters:
  ///   - contents: What the store holds.
  ///   - versionsToo: Whether every row must have the right version counter as well. Rows that the change sets to what
  ///     they held may all have been written or all have been left alone.
  /// - Throws: ``VerificationError`` naming what differs.
  func check(_ contents: StoredContents, versionsToo: Bool) throws(VerificationError) {
    guard contents.rows == rows, contents.contentHash == contentHash else {
      throw .wrongContents(
        foundRows: contents.rows, foundHash: contents.contentHash, expectedRows: rows, expectedHash: contentHash)
    }
    if versionsToo && !hasVersions(contents) {
      throw .wrongVersions(found: contents.versions, expected: versions)
    }
    for expected in links {
      let found = contents.links?.first { $0.relationship == expected.relationship }
      if found != expected { throw .wrongLinks(found: found, expected: expected) }
    }
  }
}

extension ExpectedContents {
  /// Compares what a fetch gave with the rows it was to give, and with their values where it gave those.
  ///
  /// - Throws: ``VerificationError/fetchDiffers(foundRows:foundHash:expectedRows:expectedHash:)``.
  func check(_ fetched: FetchedRows) throws(VerificationError) {
    let hash = fetched.contents?.contentHash
    guard fetched.rows == changedRows, hash == nil || hash == fetchedHash else {
      throw .fetchDiffers(
        foundRows: fetched.rows, foundHash: hash ?? "", expectedRows: changedRows, expectedHash: fetchedHash ?? "")
    }
  }

  /// Compares what an observer has in memory with what is stored.
  ///
  /// - Throws: ``VerificationError/observerDiffers(foundRows:foundHash:expectedRows:expectedHash:)``.
  func check(_ observed: ObservedContents) throws(VerificationError) {
    guard observed.rows == rows, observed.contentHash == contentHash else {
      throw .observerDiffers(
        foundRows: observed.rows, foundHash: observed.contentHash, expectedRows: rows, expectedHash: contentHash)
    }
  }
}

/// Reads source rows as they will be stored: defaults for nulls, floats rounded.
struct SourceRowReader {
  private let columns: [Column]
  let count: Int
  private let attributes: [AttributeDescription]
  private let fallbacks: [StoredValue]
  /// Columns in the order of attribute names, which is the order of hashing.
  private let order: [Int]
  /// Which columns are rounded; a row loop that asked the attributes would copy their descriptions.
  private let isFloat: [Bool]

  init(_ source: ColumnarRows) {
    columns = source.columns
    count = source.count
    attributes = source.attributes
    fallbacks = source.attributes.map { StoredValue($0.defaultValue, type: $0.type) }
    order = source.attributes.indices.sorted { source.attributes[$0].name < source.attributes[$1].name }
    isFloat = source.attributes.map { $0.type == .float }
  }

  /// Which source row stands for each stored one, and how often that one was written.
  ///
  /// O(rows).
  func stored(
    under uniquenessConstraints: [[String]], policy: MergePolicy, repeats: Int
  ) -> [(row: Int, version: Int)] {
    let laterWins = [.objectTrump, .overwrite].contains(policy.mergeType)
    let constraints = uniquenessConstraints.map { columns(of: $0) }
    var stored: [(row: Int, version: Int)] = []
    stored.reserveCapacity(count)
    // Who has each unique combination of values.
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

  /// The stored form of what an update sets, by column.
  func replacements(_ assignments: [Assignment]) -> [Int: StoredValue] {
    var values: [Int: StoredValue] = [:]
    for assignment in assignments {
      guard let column = attributes.firstIndex(where: { $0.name == assignment.attribute }) else { continue }
      values[column] = StoredValue(assignment.value, type: attributes[column].type)
    }
    return values
  }

  /// The stored value of a row; null where there is no such column.
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

  /// The objects that a link's rows lead to, each once, and the column that says so; nil where there is no such column.
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

  /// The values that must be unique, as a hash; nil when one of them is null, since nulls never conflict.
  private func key(_ row: Int, columns: [Int]) -> RowHash? {
    var hash = RowHash()
    for column in columns where !add(column, row, to: &hash) { return nil }
    return hash
  }

  /// Adds a value and tells whether there was one.
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

// The contents that a store must have in the end, computed only from the rows of the source, without any engine.
package import BatchmarkEngine
internal import CoreDataModel

/// The rows and relationships that a correct engine leaves, as numbers and hashes.
package struct ExpectedContents: Sendable, Hashable {
  package var rows: Int
  package var contentHash: String
  /// A hash of each row's values together with its version counter.
  package var versionedHash: String
  /// The same hash, if rows with unchanged values are not written, as in a save.
  package var leanVersionedHash: String
  /// The number of rows with each version counter, if every row that the change selects was written.
  package var versions: [Int: Int]
  /// How many rows the change updates, deletes, unlinks or fetches; 0 without a change.
  package var changedRows = 0
  /// The first row of the source that is deleted while its parent stays, for trees: strategies differ in whether they
  /// write the parent then.
  package var rowBelowKept: Int?
  /// A sum of a group that SQLite refuses, because it does not fit into 64 bits.
  package var overflow: Aggregate?
  /// A hash of the values of the fetched rows; `nil` without a fetch.
  package var fetchedHash: String?
  /// How many rows, or groups of rows, a fetch returns, if that differs from the number of rows it fetches.
  package var returnedRows: Int?
  /// A hash of those values in the order in which they are fetched; `nil` if they have no order.
  package var fetchedSequence: UInt64?
  /// How many rows a filtered list shows; `nil` without such a list.
  package var listedRows: Int?
  /// The sort keys of a list; empty without a list.
  package var listOrder: [ObservedContents.SortKey] = []
  /// A hash of the values of those rows.
  package var listedHash: String?
  /// The links of the rows: links in their order, then relationships.
  package var links: [StoredLinks] = []

  /// Adds up the rows of every entity and their links.
  ///
  /// O(rows × attributes).
  ///
  /// - Parameters:
  ///   - entities: The rows of each entity, in the order of the source's tables.
  ///   - links: The links by name, if there is only one entity.
  ///   - relationships: The source's relationships, if they are stored.
  ///   - listed: The filtered list of these rows; `nil` without one.
  package init(
    of entities: [ExpectedRows], links: [Link] = [], relationships: [RelatedRows] = [], listed: ListDescription? = nil
  ) {
    var contents = ContentHash.nothing
    var (versionedContents, leanContents, fetchedContents, listedContents) = (contents, contents, contents, contents)
    if listed != nil { listedRows = 0 }
    (rows, versions) = (0, [:])
    // By table and source row; `nil` for rows that are not stored.
    var hashes: [[RowHash?]] = []
    for expected in entities {
      var hash = ContentHash(entityName: expected.entityName)
      var (versioned, lean, fetched, shown) = (hash, hash, hash, hash)
      let test = listed?.condition.map { ConditionTest($0, attributes: expected.attributes) }
      var ofSource = [RowHash?](repeating: nil, count: relationships.isEmpty ? 0 : expected.reader.count)
      if let groups = expected.groups() {
        // Groups are read instead of rows.
        for group in groups.hashes { fetched.add(group) }
        returnedRows = groups.hashes.count
        overflow = groups.overflow
      }
      var linking = links.compactMap { expected.reader.tally(of: $0, entityName: expected.entityName) }
      for stored in expected.rows {
        var row = expected.hash(stored)
        hash.add(row)
        if stored.isMeant && !stored.isChanged && expected.grouping == nil { fetched.add(row) }
        if let test, test.holds({ expected.value($0, of: stored) }) {
          shown.add(row)
          listedRows = (listedRows ?? 0) + 1
        }
        if !relationships.isEmpty { ofSource[stored.sourceRow] = row }
        for index in linking.indices {
          var linked = row
          let isLinked = expected.reader.add(linking[index].column, stored.sourceRow, to: &linked)
          linking[index].tally.add(row: linked, isLinked: isLinked)
        }
        var kept = row
        row.add(Int64(stored.version))
        kept.add(Int64(stored.version - (stored.isSame ? 1 : 0)))
        versioned.add(row)
        lean.add(kept)
        versions[stored.version, default: 0] += 1
      }
      if let order = expected.fetchedOrder {
        fetchedSequence = order.reduce(into: 0) { $0.add(expected.hash(expected.rows[$1])) }
      }
      contents.add(hash)
      versionedContents.add(versioned)
      leanContents.add(lean)
      if expected.areFetched { fetchedContents.add(fetched) }
      listedContents.add(shown)
      rows += expected.rows.count
      changedRows += expected.changedRows
      rowBelowKept = rowBelowKept ?? expected.rowBelowKept
      self.links += linking.map(\.tally.links)
      hashes.append(ofSource)
    }
    for reached in ExpectedReach.all(from: entities, hashes, relationships) {
      fetchedContents.add(reached)
      changedRows += 1
    }
    contentHash = contents.description
    versionedHash = versionedContents.description
    leanVersionedHash = leanContents.description
    if entities.contains(where: \.areFetched) { fetchedHash = fetchedContents.description }
    if listed != nil { listedHash = listedContents.description }
    for related in relationships {
      let keepsKeys = entities[related.table].keepsKeysOfDeleted
      var tally = LinkTally(related.relationship.name, of: entities[related.table].entityName)
      for pair in related.pairs {
        guard let row = hashes[related.table][pair.row],
          let destination = hashes[pair.destinationTable][pair.destinationRow] ?? (keepsKeys ? .gone : nil)
        else { continue }
        tally.add(from: row, to: destination, position: pair.position, inversePosition: pair.inversePosition)
      }
      self.links.append(tally.links)
    }
  }

  /// Whether every row has one of its allowed version counters.
  func hasVersions(_ contents: StoredContents) -> Bool {
    contents.versionedHash == versionedHash || contents.versionedHash == leanVersionedHash
  }

  /// Compares the contents of a store with the expected ones.
  ///
  /// - Parameters:
  ///   - contents: The contents of the store.
  ///   - versionsToo: Whether every row must have the right version counter as well. Rows with unchanged values may all
  ///     have been written, or none of them.
  /// - Throws: ``VerificationError`` with the difference.
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
  /// Compares the result of a fetch with the expected rows, and with their values if it returned values.
  ///
  /// - Throws: ``VerificationError/fetchDiffers(foundRows:foundHash:expectedRows:expectedHash:)``, or
  ///   ``VerificationError/fetchedInAnotherOrder``.
  func check(_ fetched: FetchedRows) throws(VerificationError) {
    let hash = fetched.contents?.contentHash
    let rows = returnedRows ?? changedRows
    guard fetched.rows == rows, hash == nil || hash == fetchedHash else {
      throw .fetchDiffers(
        foundRows: fetched.rows, foundHash: hash ?? "", expectedRows: rows, expectedHash: fetchedHash ?? "")
    }
    if hash != nil, let fetchedSequence, fetched.sequence != fetchedSequence { throw .fetchedInAnotherOrder }
  }

  /// Compares an observer's rows in memory with the stored rows, or with those that its list should show.
  ///
  /// - Throws: ``VerificationError/observerDiffers(foundRows:foundHash:expectedRows:expectedHash:)``, or
  ///   ``VerificationError/listOutOfOrder(row:found:expected:)``.
  package func check(_ observed: ObservedContents) throws(VerificationError) {
    let (rows, hash) = (listedRows ?? rows, listedHash ?? contentHash)
    guard observed.rows == rows, observed.contentHash == hash else {
      throw .observerDiffers(
        foundRows: observed.rows, foundHash: observed.contentHash, expectedRows: rows, expectedHash: hash)
    }
    if listOrder.isEmpty { return }
    guard observed.order == listOrder, observed.firstOutOfOrder == nil else {
      throw .listOutOfOrder(row: observed.firstOutOfOrder, found: observed.order, expected: listOrder)
    }
  }
}

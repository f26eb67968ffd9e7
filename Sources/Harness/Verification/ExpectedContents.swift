// What a store must hold in the end: worked out from the rows of the source alone, without any engine.
package import BatchmarkEngine
internal import CoreDataModel

/// The rows and relationships that a correct engine leaves, as numbers and hashes.
package struct ExpectedContents: Sendable, Hashable {
  package var rows: Int
  package var contentHash: String
  /// Covers each row's values together with its version counter.
  package var versionedHash: String
  /// The same, if rows whose values do not change are left alone, as by a save.
  package var leanVersionedHash: String
  /// How many rows have each version counter, where every row that the change selects was written.
  package var versions: [Int: Int]
  /// How many rows the change updates, deletes, takes out of a relationship or fetches; 0 without one.
  package var changedRows = 0
  /// The first row of the source that is deleted while the row above it stays, where rows are trees: strategies differ
  /// then in whether they write the row above.
  package var rowBelowKept: Int?
  /// A sum of a group that SQLite refuses, since 64 bits do not hold it.
  package var overflow: Aggregate?
  /// Covers the values of the rows that are fetched; nil where none are.
  package var fetchedHash: String?
  /// How many rows, or groups of rows, a fetch returns, if it is not the number of rows that it fetches.
  package var returnedRows: Int?
  /// Covers those values in the order in which they are fetched; nil where they have none.
  package var fetchedSequence: UInt64?
  /// How many rows a list shows that has some of them; nil without such a list.
  package var listedRows: Int?
  /// What the rows of a list are ordered by; empty without a list.
  package var listOrder: [ObservedContents.SortKey] = []
  /// Covers the values of those rows.
  package var listedHash: String?
  /// What the rows are linked to: by links in their order, then by relationships.
  package var links: [StoredLinks] = []

  /// Adds up the rows of every entity and what they are linked to.
  ///
  /// O(rows × attributes).
  ///
  /// - Parameters:
  ///   - entities: The rows of each entity, in the order of the source's tables.
  ///   - links: What rows of the only entity are linked to by name.
  ///   - relationships: The source's relationships, where they are stored.
  ///   - listed: The list of those rows that match its condition; nil without one.
  package init(
    of entities: [ExpectedRows], links: [Link] = [], relationships: [RelatedRows] = [], listed: ListDescription? = nil
  ) {
    var contents = ContentHash.nothing
    var (versionedContents, leanContents, fetchedContents, listedContents) = (contents, contents, contents, contents)
    if listed != nil { listedRows = 0 }
    (rows, versions) = (0, [:])
    // By table and row of the source; nil for rows that are not stored.
    var hashes: [[RowHash?]] = []
    for expected in entities {
      var hash = ContentHash(entityName: expected.entityName)
      var (versioned, lean, fetched, shown) = (hash, hash, hash, hash)
      let test = listed?.condition.map { ConditionTest($0, attributes: expected.attributes) }
      var ofSource = [RowHash?](repeating: nil, count: relationships.isEmpty ? 0 : expected.reader.count)
      if let groups = expected.groups() {
        // Groups are read in place of rows.
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
  /// Compares the result of a fetch with the expected rows, and with their values if it returned those.
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

  /// Compares what an observer has in memory with what is stored, or with what its list is to show of it.
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

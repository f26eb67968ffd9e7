// What a store must hold after rows of several entities went in, which a store held before: all of them, once.
internal import CoreDataModel
internal import BatchmarkEngine
internal import ObjectGraph
package import Scenarios

extension ExpectedContents {
  /// Adds up the rows of every entity and, where they are to be related, what they lead to.
  ///
  /// O(rows × attributes).
  package init(of source: SourceRows, relationshipsToo: Bool) {
    let readers = source.tables.map(SourceRowReader.init)
    let hashes = readers.map { reader in (0..<reader.count).map { reader.hash($0, replacing: [:]) } }
    var contents = ContentHash.nothing
    var versioned = contents
    for (table, rows) in zip(source.tables, hashes) {
      var hash = ContentHash(entityName: table.entityName)
      var versionedHash = hash
      for var row in rows {
        hash.add(row)
        row.add(1 as Int64)
        versionedHash.add(row)
      }
      contents.add(hash)
      versioned.add(versionedHash)
    }
    rows = source.count
    versions = source.count > 0 ? [1: source.count] : [:]
    contentHash = contents.description
    versionedHash = versioned.description
    leanVersionedHash = versionedHash
    guard relationshipsToo else { return }
    links = source.relationships.map { related in
      var tally = RelationTally(
        entityName: source.tables[related.table].entityName, relationship: related.relationship.name)
      for pair in related.pairs {
        tally.add(
          RelationTally.Pair(
            source: hashes[related.table][pair.row], destination: hashes[pair.destinationTable][pair.destinationRow],
            position: pair.position, inversePosition: pair.inversePosition))
      }
      return tally.links
    }
  }
}

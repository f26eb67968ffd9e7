// The keys of a save's new rows.
internal import CoreDataModel
internal import SQLiteDriver

/// The keys that a save's new rows get, reserved once a table.
struct KeyReservation {
  struct Root {
    /// The first entity of the table that has new rows.
    let layout: EntityLayout
    let lastKey: Int64
  }

  var roots: [Root] = []

  init(_ request: SaveChangesRequest, _ writer: StoreWriter) throws(ObjectGraphError) {
    var counts: [(layout: EntityLayout, count: Int64)] = []
    for row in request.insertions {
      // What has a key needs none, but its table is written too.
      let wanted: Int64 = row.hasPermanentKey ? 0 : 1
      if let last = counts.last, last.layout.rootIndex == row.layout.rootIndex {
        counts[counts.count - 1].count += wanted
      } else if let position = counts.firstIndex(where: { $0.layout.rootIndex == row.layout.rootIndex }) {
        counts[position].count += wanted
      } else {
        counts.append((row.layout, wanted))
      }
    }
    for (layout, count) in counts {
      let lastKey = try writer.lastKey(of: layout)
      try during("reserving keys") { () throws(SQLiteError) in
        if count > 0 { try writer.setLastKey(of: layout, to: lastKey + count) }
      }
      roots.append(Root(layout: layout, lastKey: lastKey))
    }
  }

  /// The key of each new row by its temporary key, as far as nothing stands in its way.
  func keys(of request: SaveChangesRequest) -> [Int64: Int64] {
    var last = Dictionary(roots.map { ($0.layout.rootIndex, $0.lastKey) }) { first, _ in first }
    var keys: [Int64: Int64] = [:]
    for row in request.insertions where !row.hasPermanentKey {
      last[row.layout.rootIndex, default: 0] += 1
      keys[row.temporaryKey] = last[row.layout.rootIndex]
    }
    return keys
  }
}

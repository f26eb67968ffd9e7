// Problems of a store, a fetch or an observer, one sentence each, which the report shows next to the cell.
package import BatchmarkEngine
internal import Instruments
package import ObjectGraph

/// A store that is not as expected.
package enum VerificationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The output of `PRAGMA integrity_check`.
  case notIntact([String])
  /// The store's layout differs from its model's.
  case wrongLayout(LayoutDifference)
  /// A value has another storage class than its column gives a correct value.
  case misfiledValue(MisfiledValue)
  /// The store's keys, versions, entity numbers or metadata are wrong.
  case wrongBookkeeping(BookkeepingFault)
  /// The rows break a rule of object graphs, such as a key without a row.
  case brokenRule(StoreIntegrity.Breach)
  /// The rows in the store differ from those of the source. `difference` is the first of them, if it was searched for.
  case wrongContents(
    foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String, difference: RowDifference? = nil)
  /// The session did work outside its phase or not at all, or misreported something about its store.
  case untrue(SessionFault)
  /// When the phase had ended, another connection did not see what the closed store has now.
  case notStoredInPhase(Phase, DeferredWork)
  /// A list has the right rows but a wrong order, starting with this row, or uses other sort keys than requested.
  case listOutOfOrder(row: Int?, found: [ObservedContents.SortKey], expected: [ObservedContents.SortKey])
  /// The store is correct, but the observer of its changes has other rows.
  case observerDiffers(foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String)
  /// The store is correct, but the fetch returned other rows or values.
  case fetchDiffers(foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String)
  /// The fetch returned the right rows in the wrong order.
  case fetchedInAnotherOrder
  /// The store should be read from disk, but the system still has pages of it in memory.
  case stillInMemory(pages: Int, of: Int)
  /// The rows have the right values but wrong versions: the number of rows with each version.
  case wrongVersions(found: [Int: Int], expected: [Int: Int], difference: RowDifference? = nil)
  /// The rows have the right values, but are linked to other objects than in the source, or such objects are missing.
  ///
  /// `found` is `nil` for contents that were read without links. `difference` is the first row that differs, if it was
  /// searched for.
  case wrongLinks(found: StoredLinks?, expected: StoredLinks, difference: RowDifference? = nil)

  package var description: String {
    switch self {
    case .notIntact(let complaints): "the store is damaged: " + complaints.prefix(3).joined(separator: "; ")
    case .wrongLayout(let difference): "the store's layout is not the model's: \(difference)"
    case .misfiledValue(let value): "\(value)"
    case .wrongBookkeeping(let fault): "\(fault)"
    case .brokenRule(let breach): "the store breaks a rule of an object graph: \(breach)"
    case .wrongContents(let foundRows, let foundHash, let expectedRows, let expectedHash, let difference):
      foundRows == expectedRows
        ? "the store holds \(foundRows) rows, as it should, but other values: "
          + (difference?.description ?? "content hash \(foundHash), expected \(expectedHash)")
        : "the store holds \(foundRows) rows; expected \(expectedRows)" + (difference.map { ": \($0)" } ?? "")
    case .untrue(let fault): "\(fault)"
    case .notStoredInPhase(let phase, let work):
      "when the phase \(phase.rawValue) had ended, \(work)"
    case .listOutOfOrder(let row, let found, let expected):
      row.map { "row \($0 + 1) of the list comes before row \($0)" }.map {
        "\($0); expected rows by \(expected.map(\.description).joined(separator: ", "))"
      }
        ?? "the list is ordered by \(found.isEmpty ? "nothing" : found.map(\.description).joined(separator: ", ")); "
        + "expected by \(expected.map(\.description).joined(separator: ", "))"
    case .observerDiffers(let foundRows, let foundHash, let expectedRows, let expectedHash):
      foundRows == expectedRows
        ? "after the merge the observing context has \(foundRows) rows, as it should, but other values than the store: "
          + "content hash \(foundHash), expected \(expectedHash)"
        : "after the merge the observing context has \(foundRows) rows; expected \(expectedRows), as the store has"
    case .fetchDiffers(let foundRows, let foundHash, let expectedRows, let expectedHash):
      foundRows == expectedRows
        ? "the fetch gave \(foundRows) rows, as it should, but other values than are stored: content hash \(foundHash), "
          + "expected \(expectedHash)"
        : "the fetch gave \(foundRows) rows; expected \(expectedRows)"
    case .fetchedInAnotherOrder:
      "the fetch gave the right rows in another order; expected the order of the key 'order'"
    case .stillInMemory(let pages, let all):
      "found \(pages) of the store's \(all) pages in memory after the page cache was dropped; expected none: a folder on a "
        + "disk, as a file system in memory keeps them"
    case .wrongVersions(let found, let expected, let difference):
      "the store holds the right values, but versions (Z_OPT) were raised on other rows than those changed: "
        + (difference?.description
          ?? "found \(VerificationError.list(found)); expected \(VerificationError.list(expected))")
    case .wrongLinks(let found, let expected, let difference):
      VerificationError.difference(found, expected) + (difference.map { ": \($0)" } ?? "")
    }
  }

  private static func difference(_ found: StoredLinks?, _ expected: StoredLinks) -> String {
    let start = "the store holds the right rows, but "
    guard let found, found.linkedRows == expected.linkedRows else {
      return start
        + "\(found?.linkedRows ?? 0) of them are linked by '\(expected.relationship)'; expected \(expected.linkedRows)"
    }
    if found.objects != expected.objects || found.objectsHash != expected.objectsHash {
      return start
        + "'\(expected.relationship)' leads to other objects than the source names: found \(found.objects), hash "
        + "\(found.objectsHash); expected \(expected.objects), hash \(expected.objectsHash)"
    }
    return start
      + "some are linked by '\(expected.relationship)' to the wrong object: link hash \(found.hash), expected "
      + expected.hash
  }

  private static func list(_ versions: [Int: Int]) -> String {
    versions.sorted { $0.key < $1.key }.map { "version \($0.key) on \($0.value) rows" }.joined(separator: ", ")
  }
}

// Writes to several stores: everything is written before anything is committed.

/// A request with a part for each of several stores.
protocol MultiStoreRequest: AnyObject {
  /// The files of the stores, in the coordinator's order.
  var paths: [String] { get }

  /// Writes the part of one store, asks `mayCommit` when everything is written, and commits if that returns true.
  ///
  /// - Returns: Whether it was committed.
  func write(
    _ position: Int, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> Bool
}

/// One request in several stores, each with its own transaction.
///
/// The transactions are nested, and the last store's is opened first, so that they are committed in the order of the
/// stores. In WAL mode, SQLite has no commit over several files: if one fails, earlier commits stay, and the error
/// lists them.
struct MultiStoreTransaction {
  private let request: any MultiStoreRequest
  private let paths: [String]
  private var committed: [String] = []

  init(_ request: any MultiStoreRequest) {
    self.request = request
    paths = request.paths
  }

  /// Writes to every store, and commits if all have written.
  ///
  /// - Throws: A store's error while it writes; ``ObjectGraphError/partlyCommitted(stores:because:)``.
  mutating func run() throws(ObjectGraphError) {
    do throws(ObjectGraphError) {
      _ = try run(last: paths.count - 1)
    } catch {
      throw committed.isEmpty ? error : .partlyCommitted(stores: committed, because: error)
    }
  }

  private mutating func run(last position: Int) throws(ObjectGraphError) -> Bool {
    if position < 0 { return true }
    let isCommitted = try request.write(position) { () throws(ObjectGraphError) in try run(last: position - 1) }
    if isCommitted { committed.append(paths[position]) }
    return isCommitted
  }
}

// Whether stores are in an allowed state: the work is done, not begun, or done as far as the error says.
internal import ObjectGraph

/// Judges the state of the stores after a workload.
struct StateCheck {
  let workload: Workload
  let reference: Reference

  /// What is wrong with stores if the work was done; nil if nothing is.
  func fault(inDone stores: [StoreContents]) -> String? {
    for (store, wanted) in zip(stores, reference.after) {
      if let finding = store.findings.first { return finding }
      switch workload.unit {
      case .whole, .layout, .versions: if let difference = store.difference(from: wanted) { return difference }
      case .rows(let table): if store.tables[table] != wanted.tables[table] { return "\(table) is not as it should be" }
      }
    }
    return nil
  }

  /// What is wrong with stores if the work failed; nil if nothing is.
  ///
  /// - Parameters:
  ///   - stores: Their contents.
  ///   - error: The failure. Rows that it reports as stored must exist.
  ///   - crashed: Whether a crash followed. In that case an unreported commit is also allowed.
  /// - Returns: The first problem.
  func fault(inFailed stores: [StoreContents], _ error: any Error, crashed: Bool) -> String? {
    for (index, store) in stores.enumerated() {
      if let finding = store.findings.first { return finding }
      switch workload.unit {
      case .whole:
        let isStored = error.storesCommitted.contains { $0.hasSuffix("/" + workload.storeNames[index]) }
        let wanted = isStored ? reference.after[index] : reference.before[index]
        guard let difference = store.difference(from: wanted) else { continue }
        if crashed, !isStored, store.difference(from: reference.after[index]) == nil { continue }
        return difference
      case .versions:
        let states = [reference.before[index], reference.after[index]] + reference.between.map { $0[index] }
        guard let difference = store.difference(from: reference.before[index]) else { continue }
        if !states.contains(where: { store.difference(from: $0) == nil }) { return "no version: \(difference)" }
      case .layout:
        // The history comes after the layout, in a separate transaction.
        let wanted = Set(reference.after[index].tables.keys.filter { !$0.hasPrefix("A") })
        let found = Set(store.tables.keys)
        if found.isEmpty || found.isSuperset(of: wanted) && store.tables["Z_METADATA"]?.count == 1 { continue }
        return "a store in part: \(found.sorted())"
      case .rows(let table):
        let rows = store.tables[table] ?? []
        let count = rows.count - (reference.before[index].tables[table]?.count ?? 0)
        let told = error.rowsStored
        if crashed ? count < told : count != told { return "\(count) new rows, but the error names \(told)" }
        if !(reference.after[index].tables[table] ?? []).starts(with: rows) { return "other rows than the first ones" }
      }
    }
    return nil
  }
}

extension Error {
  /// The rows that are stored although the request failed.
  var rowsStored: Int {
    if case .partlyStored(_, let rows, _, _)? = self as? ObjectGraphError { rows } else { 0 }
  }

  /// The stores in which the request was committed although it failed.
  var storesCommitted: [String] {
    if case .partlyCommitted(let stores, _)? = self as? ObjectGraphError { stores } else { [] }
  }
}

// Whether stores are as the work may leave them: done, or not begun, or as far as the error says.
internal import ObjectGraph

/// Judges what a workload left of its stores.
struct StateCheck {
  let workload: Workload
  let reference: Reference

  /// What is wrong with stores in which the work was done; nil when all is well.
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

  /// What is wrong with stores in which the work failed; nil when all is well.
  ///
  /// - Parameters:
  ///   - stores: What is in them.
  ///   - error: Why it failed; what it says to be stored must be.
  ///   - crashed: Whether a crash left it: then an unreported commit may be there too.
  /// - Returns: The first fault that was found.
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
        // History comes after the layout, in a transaction of its own.
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
  /// Rows that are stored though the request failed.
  var rowsStored: Int {
    if case .partlyStored(_, let rows, _, _)? = self as? ObjectGraphError { rows } else { 0 }
  }

  /// The files of stores in which the request was committed though it failed.
  var storesCommitted: [String] {
    if case .partlyCommitted(let stores, _)? = self as? ObjectGraphError { stores } else { [] }
  }
}

// Merges sorted results of several stores.

/// The sorted results of a store, with the values that they were sorted by.
struct SortedRun<Element> {
  private(set) var elements: [Element] = []
  /// One value for each element and sort descriptor.
  private var values: [SortValue] = []

  mutating func append(_ element: Element, sortedBy values: some Sequence<SortValue>) {
    elements.append(element)
    self.values.append(contentsOf: values)
  }

  /// The elements of all runs in the order of the descriptors, cut to the window; elements that are equal in all
  /// descriptors are in the order of the runs.
  ///
  /// O(elements × runs × descriptors).
  static func merged(
    _ runs: [SortedRun], by descriptors: [FetchSortDescriptor], window: Window
  ) -> [Element] {
    if descriptors.isEmpty {
      let all = runs.flatMap(\.elements)
      return window == .all ? all : Array(all[window.range(in: all.count)])
    }
    var positions = [Int](repeating: 0, count: runs.count)
    var merged: [Element] = []
    let wanted = window.ofEachStore.limit
    let end = wanted == 0 ? Int.max : wanted
    var passed = 0
    while passed < end {
      var next: Int?
      for run in runs.indices where positions[run] < runs[run].elements.count {
        guard let best = next else {
          next = run
          continue
        }
        if runs[run].precedes(positions[run], runs[best], positions[best], descriptors) { next = run }
      }
      guard let next else { break }
      if passed >= window.offset { merged.append(runs[next].elements[positions[next]]) }
      positions[next] += 1
      passed += 1
    }
    return merged
  }

  /// Whether an element of this run comes before an element of another run.
  private func precedes(
    _ position: Int, _ other: SortedRun, _ otherPosition: Int, _ descriptors: [FetchSortDescriptor]
  ) -> Bool {
    let width = descriptors.count
    for (index, descriptor) in descriptors.enumerated() {
      switch values[position * width + index].order(to: other.values[otherPosition * width + index]) {
      case .equal: continue
      case .less: return descriptor.isAscending
      case .greater: return !descriptor.isAscending
      }
    }
    return false
  }
}

extension Window {
  /// The window for each of several stores, so that their results together contain this window.
  var ofEachStore: Window { reaching(past: 0) }
}

/// A value that SQLite sorted by: null comes before numbers, followed by text and bytes.
enum SortValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  func order(to other: SortValue) -> ValueOrder {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.integer(let left), .real(let right)): ValueOrder(integer: left, real: right)
    case (.real(let left), .integer(let right)): ValueOrder(integer: right, real: left).reversed
    case (.real(let left), .real(let right)): ValueOrder(left, right)
    case (.text(let left), .text(let right)): ValueOrder(bytes: left.utf8, right.utf8)
    case (.blob(let left), .blob(let right)): ValueOrder(bytes: left, right)
    default: ValueOrder(rank, other.rank)
    }
  }
}

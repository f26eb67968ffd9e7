// The values of a sweep, derived from the cells alone, so that they are available for stored results too.

/// A swept key of source, store or scenario, and its values in the cells.
package struct SweptValues: Sendable, Hashable {
  package var key: String
  /// The values in the order of the cells, without duplicates.
  package var values: [ParameterValue]

  package init(key: String, values: [ParameterValue]) {
    self.key = key
    self.values = values
  }
}

extension Sequence<Cell> {
  /// The swept conditions with their values, by key; empty if there are none.
  package var sweptConditions: [SweptValues] {
    var values: [String: [ParameterValue]] = [:]
    for (key, value) in flatMap(\.conditions) where !values[key, default: []].contains(value) {
      values[key, default: []].append(value)
    }
    return values.sorted { $0.key < $1.key }.map { SweptValues(key: $0.key, values: $0.value) }
  }

  /// The keys for which cells of one strategy have several values, from a sweep or from the list of cells.
  package var variedParameters: [SweptValues] {
    var varied: [String: [ParameterValue]] = [:]
    for cells in Dictionary(grouping: self, by: { "\($0.engine)/\($0.strategy)" }).sorted(by: { $0.key < $1.key }) {
      let parameters = cells.value.map(\.resolvedParameters)
      for key in Set(parameters.flatMap(\.keys)) {
        let values = parameters.compactMap { $0[key] }
        guard Set(values).count > 1 else { continue }
        for value in values where !varied[key, default: []].contains(value) { varied[key, default: []].append(value) }
      }
    }
    return varied.sorted { $0.key < $1.key }.map { SweptValues(key: $0.key, values: $0.value) }
  }

  /// The different conditions of the cells, in their order; a single empty one if nothing is swept.
  package var distinctConditions: [[String: ParameterValue]] {
    var known: Set<[String: ParameterValue]> = []
    return map(\.conditions).filter { known.insert($0).inserted }
  }
}

// What a sweep made of a scenario's cells, worked out from the cells alone, so that stored results show it, too.

/// A key of a sweep that belongs to source, store or scenario, and the values that cells have for it.
package struct SweptValues: Sendable, Hashable {
  package var key: String
  /// Each once, in the order of the cells.
  package var values: [ParameterValue]

  package init(key: String, values: [ParameterValue]) {
    self.key = key
    self.values = values
  }
}

extension Sequence<Cell> {
  /// The swept conditions with their values, by key; empty where no cell has any.
  package var sweptConditions: [SweptValues] {
    var values: [String: [ParameterValue]] = [:]
    for (key, value) in flatMap(\.conditions) where !values[key, default: []].contains(value) {
      values[key, default: []].append(value)
    }
    return values.sorted { $0.key < $1.key }.map { SweptValues(key: $0.key, values: $0.value) }
  }

  /// The keys for which cells of one strategy have several values, from a sweep or from the list of cells, by key.
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

  /// The different conditions that cells have, in the order of the cells; a single empty one where nothing is swept.
  package var distinctConditions: [[String: ParameterValue]] {
    var known: Set<[String: ParameterValue]> = []
    return map(\.conditions).filter { known.insert($0).inserted }
  }
}

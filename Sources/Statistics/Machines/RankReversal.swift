// Whether machines put alternatives in the same order.

/// Two alternatives that some machines rank one way and some the other.
package struct RankReversal: Sendable, Hashable {
  /// The indices of the alternatives, the smaller one first.
  package let first: Int
  package let second: Int
  /// Machines on which the first has the lower value, by index.
  package let firstLower: [Int]
  /// Machines on which the second has the lower value, by index.
  package let secondLower: [Int]

  /// The pairs that machines rank differently, in the order of the alternatives.
  ///
  /// Only values of the same machine are compared, and equal values contradict nothing. Alternatives that are too close
  /// to rank may be in different orders by chance. O(machines · alternatives²).
  ///
  /// - Parameter values: For each machine, the value of every alternative, such as its time or its ratio to a
  ///   reference; `nil` if a machine has none.
  /// - Returns: The pairs; `nil` if there is no machine or no alternative, machines differ in their number of
  ///   alternatives, or a value is not finite or not above zero.
  package static func all(_ values: [[Double?]]) -> [RankReversal]? {
    guard let count = values.first?.count, count > 0,
      values.allSatisfy({ $0.count == count && $0.allSatisfy { $0.map { $0 > 0 && $0.isFinite } ?? true } })
    else { return nil }
    var reversals: [RankReversal] = []
    for first in 0..<count {
      for second in (first + 1)..<count {
        let compared = values.enumerated().compactMap { machine, values in
          values[first].flatMap { one in values[second].map { other in (machine, one, other) } }
        }
        let firstLower = compared.filter { $0.1 < $0.2 }.map(\.0)
        let secondLower = compared.filter { $0.2 < $0.1 }.map(\.0)
        guard !firstLower.isEmpty, !secondLower.isEmpty else { continue }
        reversals.append(
          RankReversal(first: first, second: second, firstLower: firstLower, secondLower: secondLower))
      }
    }
    return reversals
  }
}

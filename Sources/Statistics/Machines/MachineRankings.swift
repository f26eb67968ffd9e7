// Whether machines put alternatives in the same order.

/// The orders of several alternatives on several machines, compared pair by pair.
///
/// Only values of one machine are compared with each other. Alternatives that are too close to rank change places by chance;
/// who wants to know of more than the order as measured asks only for ``reversals`` of pairs that are certain.
package struct MachineRankings: Sendable, Hashable {
  /// Two alternatives that some machines rank one way and some the other.
  package struct Reversal: Sendable, Hashable {
    /// The indices of the alternatives, the lower first.
    package let first: Int
    package let second: Int
    /// Machines on which the first has the lower value, by index.
    package let firstLower: [Int]
    /// Machines on which the second has the lower value, by index.
    package let secondLower: [Int]
  }

  /// Pairs on which machines contradict each other, in the order of the alternatives; equal values contradict nothing.
  package let reversals: [Reversal]

  /// Compares the orders; O(machines · alternatives²).
  ///
  /// nil when there is no machine or no alternative, machines differ in their number of alternatives, or a value is not finite
  /// or not above zero.
  ///
  /// - Parameter values: For each machine the value of every alternative, such as its time or its ratio to a reference; nil
  ///   where a machine has none.
  package init?(_ values: [[Double?]]) {
    guard let count = values.first?.count, count > 0,
      values.allSatisfy({ $0.count == count && $0.allSatisfy { $0.map { $0 > 0 && $0.isFinite } ?? true } })
    else { return nil }
    var reversals: [Reversal] = []
    for first in 0..<count {
      for second in (first + 1)..<count {
        let compared = values.enumerated().compactMap { machine, values in
          values[first].flatMap { one in values[second].map { other in (machine, one, other) } }
        }
        let firstLower = compared.filter { $0.1 < $0.2 }.map(\.0)
        let secondLower = compared.filter { $0.2 < $0.1 }.map(\.0)
        guard !firstLower.isEmpty, !secondLower.isEmpty else { continue }
        reversals.append(
          Reversal(first: first, second: second, firstLower: firstLower, secondLower: secondLower))
      }
    }
    self.reversals = reversals
  }
}

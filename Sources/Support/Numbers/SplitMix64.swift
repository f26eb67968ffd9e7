// Seeded random numbers: a seed gives the same order of a run on every machine and with every compiler.

/// The generator SplitMix64.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, with the constants of
/// Sebastiano Vigna's `splitmix64.c` (variant 13 of Stafford's mixers). Every seed is as good as any other; the period
/// is 2⁶⁴. Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`, each equally likely.
  ///
  /// Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and Computer Simulation 29
  /// (2019): the high half of a product, drawn again in the few cases that would introduce a bias.
  ///
  /// - Precondition: `bound` is above 0.
  package mutating func next(below bound: UInt64) -> UInt64 {
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let surplus = (0 &- bound) % bound
      while product.low < surplus { product = next().multipliedFullWidth(by: bound) }
    }
    return product.high
  }

  /// A number in 0..<1: a multiple of 2⁻⁵³, each equally likely.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

extension MutableCollection where Self: RandomAccessCollection {
  /// Puts the elements into a random order, every one equally likely; O(n).
  ///
  /// Fisher and Yates, in Durstenfeld's form ("Algorithm 235", Communications of the ACM 7, 1964). It replaces the
  /// standard library's method of this name, because a recorded seed must always give the same order. The library
  /// documents that its order may change with every version of Swift.
  package mutating func shuffle(using generator: inout SplitMix64) {
    var remaining = count
    while remaining > 1 {
      let chosen = Int(generator.next(below: UInt64(remaining)))
      remaining -= 1
      swapAt(index(startIndex, offsetBy: chosen), index(startIndex, offsetBy: remaining))
    }
  }
}

extension Sequence {
  /// The elements in the order of `shuffle(using:)`; O(n).
  package func shuffled(using generator: inout SplitMix64) -> [Element] {
    var elements = Array(self)
    elements.shuffle(using: &generator)
    return elements
  }
}

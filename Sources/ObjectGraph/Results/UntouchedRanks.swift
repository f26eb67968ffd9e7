// Where the objects of a result that did not change are before and after a step.

/// The objects that did not change, counted from 0 in their order, which is the same before and after.
struct UntouchedRanks {
  private let old: [Int]
  private let new: [Int]
  /// How many untouched objects stand before each of the others.
  private let oldGaps: [Int]
  private let newGaps: [Int]

  /// - Parameters:
  ///   - old: The old ranks of the objects that changed, ascending.
  ///   - new: The new ones, ascending.
  init(old: [Int], new: [Int]) {
    self.old = old
    self.new = new
    oldGaps = old.enumerated().map { $1 - $0 }
    newGaps = new.enumerated().map { $1 - $0 }
  }

  func countBefore(old rank: Int) -> Int { rank - old.count(below: rank) }
  func countBefore(new rank: Int) -> Int { rank - new.count(below: rank) }

  /// The ranks of an untouched object.
  func ranks(_ number: Int) -> (old: Int, new: Int) {
    (number + oldGaps.count(below: number + 1), number + newGaps.count(below: number + 1))
  }

  /// The untouched objects that stand on another side of one of the changed ones than before; as many as changed objects
  /// at most for each.
  func crossed(by changed: [ResultChanges<ManagedObjectID>.Kept]) -> [Int] {
    var numbers: Set<Int> = []
    for one in changed {
      let (before, after) = (countBefore(old: one.oldRank), countBefore(new: one.newRank))
      numbers.formUnion(min(before, after)..<max(before, after))
    }
    return numbers.sorted()
  }
}

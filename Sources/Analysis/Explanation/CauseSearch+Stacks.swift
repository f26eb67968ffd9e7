// Causes that stacks show: the time of preparing statements, and functions that only one side runs.
internal import Foundation

extension CauseSearch {
  /// With fewer stacks on a side, a function's share is too uncertain.
  private static let leastStacks = 200
  /// The minimum share of samples for a function: the usual one, that of the change relative to the slower side's time,
  /// and one that is always required.
  private static let leastStackShare = (usual: 0.05, ofChange: 0.5, ever: 0.01)

  /// The number of samples of either side.
  private var stackCounts: (less: Int, more: Int) {
    (less.stacks.values.reduce(0, +), more.stacks.values.reduce(0, +))
  }

  /// Gives preparations the time that stacks show for them: during a run, one takes longer than when it is measured
  /// separately.
  func withPreparationTimes(_ findings: [CauseFinding]) -> [CauseFinding] {
    let computed = findings.filter { $0.kind == .preparation }.compactMap(\.part?.share).reduce(0, +)
    let counts = stackCounts
    guard let timeGrowth, timeGrowth > 0, computed > 0, min(counts.less, counts.more) >= CauseSearch.leastStacks else {
      return findings
    }
    func share(_ stacks: [String: Int], of count: Int) -> Double {
      let prepared = stacks.filter { $0.key.contains("sqlite3_prepare") || $0.key.contains("sqlite3_finalize") }
      return Double(prepared.values.reduce(0, +)) / Double(count)
    }
    let seen =
      (share(more.stacks, of: counts.more) * (1 + timeGrowth) - share(less.stacks, of: counts.less)) / timeGrowth
    guard seen > computed else { return findings }
    return findings.map { finding in
      var finding = finding
      if finding.kind == .preparation, let part = finding.part?.share {
        finding.part = CauseFinding.Part(share: min(part * seen / computed, 1))
      }
      return finding
    }
  }

  /// The outermost function that is only in one side's stacks.
  ///
  /// A function that runs the statements or makes the allocations that were found is not a separate cause. A function
  /// with the same share of the other side's samples would be in none of them with a probability of `exp(-share ·
  /// samples)`. This probability, multiplied by the number of functions, must exclude chance.
  func newCodeFinding(beside others: [CauseFinding]) -> CauseFinding? {
    let counts = stackCounts
    guard let timeGrowth, timeGrowth > 0 else { return nil }
    let known = Set(less.stacks.keys.flatMap { $0.split(separator: ";") })
    var samples: [Substring: Int] = [:]
    var counted: [Substring: Int] = [:]
    for (stack, count) in more.stacks {
      let functions = stack.split(separator: ";")
      guard let function = functions.first(where: { !known.contains($0) && !$0.hasPrefix("[") }) else { continue }
      samples[function, default: 0] += count
      if functions.contains(where: CauseSearch.isCounted) { counted[function, default: 0] += count }
    }
    let hasCounted = others.contains { $0.kind != .wait && $0.kind != .otherThreads }
    let candidates = samples.filter { function, count in
      !hasCounted || Double(counted[function] ?? 0) < CauseSearch.mostCountedShare * Double(count)
    }
    guard let (function, count) = candidates.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
    let share = Double(count) / Double(counts.more)
    // Its time, as a share of the phase's time on the other side.
    let part = share * (1 + timeGrowth) / timeGrowth
    let chance = exp(-share * Double(counts.less)) * Double(samples.count)
    let least = CauseSearch.leastStackShare
    let leastShare = max(least.ever, min(least.usual, least.ofChange * timeGrowth / (1 + timeGrowth)))
    guard share >= leastShare, part >= CauseSearch.leastTimedPart, chance <= CauseSearch.falseCauses else { return nil }
    return CauseFinding(
      .newCode, subject: String(function),
      [
        evidence("stacks", 0, Int64(count)),
        evidence("all_stacks", Int64(counts.less), Int64(counts.more)),
      ], part: CauseFinding.Part(share: min(part, 1)))
  }

  /// The maximum share of a function's samples in SQLite or in the allocator.
  private static let mostCountedShare = 0.1

  /// Whether a function's work is counted elsewhere: statements, files and allocations.
  private static func isCounted(_ function: Substring) -> Bool {
    function.hasPrefix("sqlite3")
      || ["malloc", "free", "calloc", "realloc", "posix_memalign", "aligned_alloc", "operator new"].contains {
        function.hasPrefix($0)
      }
  }
}
